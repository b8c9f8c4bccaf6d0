import { taken } from "../../../support/fault-lab.ts";
import { accepted, asAdmin, get, type Scenario, walkStoreFaults } from "../../../support/fault-walk.ts";

const toSession = (method: string, json?: object, below = ""): Scenario["send"] => {
  const sent = json && { json };
  return ({ admin }, { session_id }) => taken(admin.send(method, `/sessions/${session_id}${below}`, sent));
};

walkStoreFaults("sessions", {
  listSessions: [
    { what: "the newest", send: get(asAdmin, () => "/sessions"), status: 200 },
    { what: "sorted", send: get(asAdmin, () => "/sessions?sort_by=updated_at&limit=1"), status: 200 },
  ],
  createSession: [
    { what: "a new one", send: ({ admin }) => taken(admin.send("POST", "/sessions")), status: 201 },
  ],
  removeSessions: [
    {
      what: "one of many",
      prepare: ({ openSession }) => openSession(),
      send: ({ admin }, { session_id }) =>
        taken(
          admin.send("DELETE", "/sessions", {
            json: { session_ids: [session_id], session_types: ["agent"] },
          }),
        ),
      status: 204,
      except: [accepted(204)],
    },
  ],
  getSession: [{ what: "one session", send: toSession("GET"), status: 200 }],
  updateSession: [{ what: "its metadata", send: toSession("PATCH", { metadata: { a: 1 } }), status: 200 }],
  removeSession: [
    {
      what: "one session",
      prepare: ({ openSession }) => openSession(),
      send: toSession("DELETE"),
      status: 204,
      except: [accepted(204)],
    },
  ],
  renameSession: [
    { what: "by a name", send: toSession("POST", { session_name: "n" }, "/rename"), status: 200 },
    { what: "by the model", send: toSession("POST", { autogenerate: true }, "/rename"), status: 200 },
  ],
  listSessionRuns: [{ what: "one session", send: toSession("GET", undefined, "/runs"), status: 200 }],
  listRunPreviews: [{ what: "one session", send: toSession("GET", undefined, "/run-previews"), status: 200 }],
  getSessionMedium: [
    { what: "one that is not there", send: toSession("GET", undefined, "/media/none"), status: 404 },
  ],
  getSessionRun: [
    {
      what: "one run",
      send: get(asAdmin, ({ session_id, run_id }) => `/sessions/${session_id}/runs/${run_id}`),
      status: 200,
    },
  ],
});
