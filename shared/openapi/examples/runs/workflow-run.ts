import type { WorkflowRunRow } from "../../../schemas/runs/run-row.ts";
import type { StepOutput, WorkflowRunOutput } from "../../../schemas/runs/workflow-run.ts";
import { frames } from "../frames.ts";
import { pathExamples } from "../path-examples.ts";
import { created_at, listed } from "./agent-run.ts";

const { run_id, session_id } = pathExamples;
const workflow = { workflow_id: "publish-report", workflow_name: "Publish report" };

const outlined: StepOutput = {
  content: "1. Sales 2. Returns",
  step_name: "outline",
  step_id: "outline",
  step_type: "Function",
  executor_type: "function",
  executor_name: "outline",
  step_run_id: null,
  images: null,
  videos: null,
  audio: null,
  files: null,
  metrics: null,
  success: true,
  error: null,
  stop: false,
  is_paused: false,
};

export const workflowRun: WorkflowRunOutput = {
  run_id,
  session_id,
  user_id: "maria",
  ...workflow,
  input: "The week in numbers",
  content: "1. Sales 2. Returns",
  content_type: "str",
  step_results: [outlined],
  created_at,
  status: "COMPLETED",
};

export const workflowRow: WorkflowRunRow = {
  ...listed,
  run_id,
  status: "COMPLETED",
  run_input: "The week in numbers",
  workflow_id: workflow.workflow_id,
  user_id: "maria",
  content: workflowRun.content,
  content_type: "str",
  metrics: {},
  step_results: [outlined],
};

const base = { created_at, ...workflow, run_id, session_id, nested_depth: 0 };

export const workflowRunStream = frames(
  { event: "WorkflowStarted", ...base, event_index: 0 },
  { event: "StepStarted", ...base, event_index: 1, step_name: "outline", step_index: 0 },
  {
    event: "WorkflowCompleted",
    ...{ ...base, event_index: 2 },
    content: workflowRun.content,
    content_type: "str",
    step_results: [outlined],
  },
);
