import type { evalRoutes } from "../../routes/evals.ts";
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
      eval_data: found,
      progress: { done: 1, total: 1 },
      runs: [{ run_id: pathExamples.run_id, session_id: pathExamples.session_id, status: "COMPLETED" }],
    }),
  },
  updateEval: {
    body: { name: "Asks the clock first" },
    answer: { ...evaluation, name: "Asks the clock first" },
  },
  removeEvals: { body: { eval_run_ids: [evaluation.id] } },
};
