import type { AcceptedRun } from "../../../../shared/schemas/runs/run.ts";
import { taken } from "../../../support/fault-lab.ts";
import { accepted, asAdmin, get, type Scenario, walkStoreFaults } from "../../../support/fault-walk.ts";
import type { FaultWorld } from "../../../support/fault-world.ts";

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

const casesForm = (): FormData => {
  const form = new FormData();
  form.append("name", "questions");
  form.append("file", new File(["input\nhello\n"], "cases.csv", { type: "text/csv" }));
  return form;
};

/** A dataset; its id stands where a run's would. */
const dataset = async ({ admin, past }: FaultWorld): Promise<AcceptedRun> => ({
  ...past,
  run_id: (await admin.post("/eval-datasets", { form: casesForm() })).json.id,
});
const toDataset = (method: string, below = ""): Scenario["send"] => {
  return ({ admin }, { run_id }) => taken(admin.send(method, `/eval-datasets/${run_id}${below}`));
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
    compareEvals: [
      {
        what: "one with itself",
        prepare: evaluation,
        send: ({ admin }, { run_id }) =>
          taken(admin.send("GET", `/eval-runs/compare?ids=${run_id},${run_id}`)),
        status: 200,
      },
    ],
    createDataset: [
      {
        what: "one",
        send: ({ admin }) => taken(admin.send("POST", "/eval-datasets", { form: casesForm() })),
        status: 201,
        except: [accepted(201)],
      },
    ],
    listDatasets: [
      { what: "the newest", prepare: dataset, send: get(asAdmin, () => "/eval-datasets"), status: 200 },
    ],
    getDataset: [{ what: "one", prepare: dataset, send: toDataset("GET"), status: 200 }],
    listDatasetCases: [
      { what: "the newest version", prepare: dataset, send: toDataset("GET", "/cases"), status: 200 },
    ],
    createDatasetVersion: [
      {
        what: "the second",
        prepare: dataset,
        send: ({ admin }, { run_id }) =>
          taken(admin.send("POST", `/eval-datasets/${run_id}/versions`, { form: casesForm() })),
        status: 201,
        except: [accepted(201)],
      },
    ],
    addDatasetCases: [
      {
        what: "one of a run",
        prepare: dataset,
        send: ({ admin, past: { run_id, session_id } }, { run_id: id }) => {
          const json = { runs: [{ run_id, session_id }], expected: "none" };
          return taken(admin.send("POST", `/eval-datasets/${id}/cases`, { json }));
        },
        status: 201,
        except: [accepted(201)],
      },
    ],
    removeDataset: [
      {
        what: "one",
        prepare: dataset,
        send: toDataset("DELETE"),
        status: 204,
        except: [accepted(204)],
      },
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
