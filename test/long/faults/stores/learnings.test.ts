import type { AcceptedRun } from "../../../../shared/schemas/runs/run.ts";
import { taken } from "../../../support/fault-lab.ts";
import { asAdmin, get, type Scenario, walkStoreFaults } from "../../../support/fault-walk.ts";
import type { FaultWorld } from "../../../support/fault-world.ts";

/** A learning about a user whom no other one is about. */
const learning = async ({ admin, past }: FaultWorld): Promise<AcceptedRun> => {
  const user_id = crypto.randomUUID();
  const json = { learning_type: "note", content: { a: 1 }, user_id };
  const { learning_id } = (await admin.post("/learnings", { json })).json;
  return { ...past, run_id: learning_id, session_id: user_id };
};
const toLearning = (method: string, json?: object): Scenario["send"] => {
  const sent = json && { json };
  return ({ admin }, { run_id }) => taken(admin.send(method, `/learnings/${run_id}`, sent));
};

walkStoreFaults("learnings", {
  listLearnings: [
    { what: "everybody's", prepare: learning, send: get(asAdmin, () => "/learnings"), status: 200 },
  ],
  createLearning: [
    {
      what: "one",
      send: ({ admin }) =>
        taken(admin.send("POST", "/learnings", { json: { learning_type: "note", content: {} } })),
      status: 201,
    },
  ],
  listLearningUsers: [
    { what: "all", prepare: learning, send: get(asAdmin, () => "/learnings/users"), status: 200 },
  ],
  removeUserLearnings: [
    {
      what: "one user's",
      prepare: learning,
      send: ({ admin }, { session_id }) => taken(admin.send("DELETE", `/learnings/users/${session_id}`)),
      status: 204,
    },
  ],
  getLearning: [{ what: "one", prepare: learning, send: toLearning("GET"), status: 200 }],
  updateLearning: [
    { what: "one", prepare: learning, send: toLearning("PATCH", { content: { b: 2 } }), status: 200 },
  ],
  removeLearning: [{ what: "one", prepare: learning, send: toLearning("DELETE"), status: 204 }],
});
