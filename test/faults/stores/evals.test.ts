import type { AcceptedRun } from "../../../shared/schemas/runs/run.ts";
import { taken } from "../../support/fault-lab.ts";
import { accepted, asAdmin, get, type Scenario, walkStoreFaults } from "../../support/fault-walk.ts";
import type { FaultWorld } from "../../support/fault-world.ts";

const anEval = { eval_type: "reliability", agent_id: "assistant", input: "hello", expected_tool_calls: [] };

/** An evaluation that has ended; its id stands where a run's would. */
const evaluation = async ({ admin, past }: FaultWorld): Promise<AcceptedRun> => ({
  ...past,
  run_id: (await admin.post("/eval-runs", { json: anEval })).json.id,
});
const toEval = (method: string, json?: object, below = ""): Scenario["send"] => {
  const sent = json && { json };
  return ({ admin }, { run_id }) => taken(admin.send(method, `/eval-runs/${run_id}${below}`, sent));
};

walkStoreFaults(
  "evals",
  {
    createEval: [
      {
        what: "one that is not waited for",
        send: ({ admin }) =>
          taken(admin.send("POST", "/eval-runs", { json: { ...anEval, background: true } })),
        status: 202,
        except: [accepted(202)],
      },
    ],
    listEvals: [
      { what: "the newest", prepare: evaluation, send: get(asAdmin, () => "/eval-runs"), status: 200 },
    ],
    getEval: [{ what: "one", prepare: evaluation, send: toEval("GET"), status: 200 }],
    listEvalCases: [
      { what: "one", prepare: evaluation, send: toEval("GET", undefined, "/cases"), status: 200 },
    ],
    updateEval: [
      { what: "its name", prepare: evaluation, send: toEval("PATCH", { name: "n" }), status: 200 },
    ],
    removeEvals: [
      {
        what: "one",
        prepare: evaluation,
        send: ({ admin }, { run_id }) =>
          taken(admin.send("DELETE", "/eval-runs", { json: { eval_run_ids: [run_id] } })),
        status: 204,
        except: [accepted(204)],
      },
    ],
  },
  "own world",
);
