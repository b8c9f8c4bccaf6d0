import type { evalRoutes } from "../../routes/evals.ts";
import type { EvalDataset } from "../../schemas/evals/eval-dataset.ts";
import type { EvalRun } from "../../schemas/evals/eval-run.ts";
import type { ExamplesOf } from "./example.ts";
import { pageWith } from "./page-with.ts";
import { pathExamples } from "./path-examples.ts";

const found = {
  eval_status: "PASSED",
  passed_tool_calls: ["get_time"],
  failed_tool_calls: [],
  additional_tool_calls: [],
  missing_tool_calls: [],
  passed_argument_checks: [],
  failed_argument_checks: [],
};

const evaluation: EvalRun = {
  id: pathExamples.eval_run_id,
  eval_type: "reliability",
  name: "Asks the clock",
  agent_id: "assistant",
  team_id: null,
  workflow_id: null,
  model_id: "demo",
  model_provider: "scripted",
  evaluated_component_name: "Assistant",
  eval_data: found,
  eval_input: { input: "What time is it?", expected_tool_calls: ["get_time"] },
  created_at: "2026-03-04T09:15:00Z",
  updated_at: "2026-03-04T09:15:02Z",
  user_id: "maria",
  status: "completed",
  error: null,
  progress: { done: 1, total: 1 },
  cases: 1,
};

const later = "0191f3a2-9d44-7b61-a3f5-1c8e7d2b6a91";

const compared = {
  name: "Asks the clock",
  status: "completed",
  error: null,
  component_version: null,
  score: null,
  pass_rate: 100,
  avg_run_time: 0.4,
  total_tokens: 80,
  cost: null,
} as const;

const comparedCase = {
  number: 1,
  status: "completed",
  error: null,
  passed: true,
  score: null,
  avg_run_time: 0.4,
} as const;

const dataset: EvalDataset = {
  id: pathExamples.dataset_id,
  name: "Questions of customers",
  description: null,
  user_id: "maria",
  version: 1,
  cases: 1,
  created_at: "2026-03-04T09:15:00Z",
  updated_at: "2026-03-04T09:15:00Z",
};

export const evalExamples: ExamplesOf<typeof evalRoutes> = {
  listEvals: { query: { agent_id: "assistant", eval_types: "reliability" }, answer: pageWith(evaluation) },
  createEval: {
    body: {
      eval_type: "reliability",
      name: "Asks the clock",
      agent_id: "assistant",
      input: "[[tool:get_time {}]]",
      expected_tool_calls: ["get_time"],
    },
    answer: evaluation,
    further: {
      202: { ...evaluation, status: "running", eval_data: {}, progress: { done: 0, total: 1 } },
    },
  },
  getEval: { answer: evaluation },
  listEvalCases: {
    answer: pageWith({
      number: 1,
      name: null,
      input: "What time is it?",
      status: "completed",
      error: null,
      passed: true,
      eval_data: found,
      progress: { done: 1, total: 1 },
      runs: [{ run_id: pathExamples.run_id, session_id: pathExamples.session_id, status: "COMPLETED" }],
    }),
  },
  compareEvals: {
    query: { ids: `${pathExamples.eval_run_id},${later}` },
    answer: {
      eval_type: "reliability",
      first: { ...compared, id: pathExamples.eval_run_id },
      second: { ...compared, id: later, pass_rate: 0, total_tokens: 90 },
      differences: { score: null, pass_rate: -100, avg_run_time: 0, total_tokens: 10, cost: null },
      counts: { better: 0, worse: 1, same: 0, only_in_first: 0, only_in_second: 0, unfinished: 0 },
      cases: [
        {
          name: null,
          input: "What time is it?",
          change: "worse",
          first: comparedCase,
          second: { ...comparedCase, passed: false },
        },
      ],
    },
  },
  listDatasets: { answer: pageWith(dataset) },
  createDataset: { body: { name: "Questions of customers" }, answer: dataset },
  getDataset: { answer: dataset },
  listDatasetCases: {
    answer: {
      dataset_id: dataset.id,
      version: 1,
      cases: 1,
      data: [{ input: "What time is it?", expected_tool_calls: ["get_time"] }],
    },
  },
  createDatasetVersion: { body: {}, answer: { ...dataset, version: 2 } },
  removeDataset: {},
  updateEval: {
    body: { name: "Asks the clock first" },
    answer: { ...evaluation, name: "Asks the clock first" },
  },
  removeEvals: { body: { eval_run_ids: [evaluation.id] } },
};
