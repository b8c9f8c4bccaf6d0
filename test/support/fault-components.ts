import type { AcceptedRun } from "../../shared/schemas/runs/run.ts";
import { type Answered, taken } from "./fault-lab.ts";
import type { Scenario } from "./fault-walk.ts";
import type { FaultWorld } from "./fault-world.ts";

export const component = ({ admin }: FaultWorld, fields: object): Promise<Answered> =>
  taken(
    admin.send("POST", "/components", { json: { name: "c", component_id: crypto.randomUUID(), ...fields } }),
  );

/** A new component, whose id stands where a run's would. */
export const kept =
  (fields: object) =>
  async (world: FaultWorld): Promise<AcceptedRun> => {
    const answer = await component(world, fields);
    if (answer.status !== 201) throw new Error("the component was not created");
    return { ...world.past, run_id: answer.json.component_id };
  };
export const stored = kept({ component_type: "agent" });
export const live = kept({ component_type: "agent", stage: "published" });

export const toComponent =
  (method: string, json?: object, below = "", kind = "components"): Scenario["send"] =>
  ({ admin }, { run_id }) =>
    taken(admin.send(method, `/${kind}/${run_id}${below}`, json && { json }));

// The routes of one kind of runnable that change components.

export const created = (component_type: string): Scenario => ({
  what: "one",
  send: ({ admin }) => {
    const json = { name: "c", component_id: crypto.randomUUID() };
    return taken(admin.send("POST", `/${component_type}s`, { json }));
  },
  status: 201,
});

export const updated = (component_type: string): Scenario => ({
  what: "one",
  prepare: kept({ component_type }),
  send: toComponent("PATCH", { name: "n" }, "", `${component_type}s`),
  status: 200,
});

export const removed = (component_type: string): Scenario => ({
  what: "one",
  prepare: kept({ component_type }),
  send: toComponent("DELETE", undefined, "", `${component_type}s`),
  status: 204,
});
