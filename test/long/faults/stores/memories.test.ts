import type { AcceptedRun } from "../../../../shared/schemas/runs/run.ts";
import { taken } from "../../../support/fault-lab.ts";
import { asAdmin, get, type Scenario, walkStoreFaults } from "../../../support/fault-walk.ts";
import type { FaultWorld } from "../../../support/fault-world.ts";

/** A memory of a user's own, whose id stands where a run's would, and the user where a session would. */
const memory = async ({ admin, past }: FaultWorld): Promise<AcceptedRun> => {
  const user_id = crypto.randomUUID();
  const json = { memory: "Prefers metric units", topics: ["units"], user_id };
  return { ...past, run_id: (await admin.post("/memories", { json })).json.memory_id, session_id: user_id };
};
/** Two memories of a user's own, so that there is something to merge; the user stands where a session would. */
const twoMemories = async ({ admin, past }: FaultWorld): Promise<AcceptedRun> => {
  const user_id = crypto.randomUUID();
  for (const text of ["[[answer:short]] and a long text beside it", "another text that is not short"]) {
    await admin.post("/memories", { json: { memory: text, user_id } });
  }
  return { ...past, session_id: user_id };
};
const toMemory = (method: string, json?: object): Scenario["send"] => {
  const sent = json && { json };
  return ({ admin }, { run_id }) => taken(admin.send(method, `/memories/${run_id}`, sent));
};

walkStoreFaults("memories", {
  createMemory: [
    {
      what: "one",
      send: ({ admin }) => taken(admin.send("POST", "/memories", { json: { memory: "x", user_id: "mira" } })),
      status: 200,
    },
  ],
  listMemories: [
    { what: "everybody's", prepare: memory, send: get(asAdmin, () => "/memories"), status: 200 },
    { what: "by topic", prepare: memory, send: get(asAdmin, () => "/memories?topics=units"), status: 200 },
  ],
  removeMemories: [
    {
      what: "one of many",
      prepare: memory,
      send: ({ admin }, { run_id }) =>
        taken(admin.send("DELETE", "/memories", { json: { memory_ids: [run_id, "unknown"] } })),
      status: 204,
    },
  ],
  getMemory: [{ what: "one", prepare: memory, send: toMemory("GET"), status: 200 }],
  updateMemory: [
    {
      what: "one",
      prepare: memory,
      send: (world, prepared) =>
        toMemory("PATCH", { memory: "new", user_id: prepared.session_id })(world, prepared),
      status: 200,
    },
  ],
  removeMemory: [{ what: "one", prepare: memory, send: toMemory("DELETE"), status: 204 }],
  listMemoryTopics: [
    { what: "everybody's", prepare: memory, send: get(asAdmin, () => "/memory_topics"), status: 200 },
  ],
  listUserMemoryStats: [
    { what: "everybody's", prepare: memory, send: get(asAdmin, () => "/user_memory_stats"), status: 200 },
  ],
  optimizeMemories: [
    {
      what: "two",
      prepare: twoMemories,
      send: ({ admin }, { session_id }) =>
        taken(admin.send("POST", "/optimize-memories", { json: { user_id: session_id } })),
      status: 200,
    },
  ],
});
