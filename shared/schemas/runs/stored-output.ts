import * as v from "valibot";
import { RunOutput, runOutputEntries } from "./run.ts";
import { WorkflowMetrics, WorkflowRunOutput } from "./workflow-run.ts";

const {
  input: _,
  metrics: _m,
  callback: _c,
  withheld: _w,
  feedback: _f,
  ...workflowEntries
} = v.partial(WorkflowRunOutput).entries;

/**
 * The output of any run as it is stored: that of an agent or a team, or that of a workflow with its input in the same
 * form. For the wire's form see `shown-output.ts`.
 */
export const StoredOutput = v.object({
  ...workflowEntries,
  ...runOutputEntries,
  member_responses: v.optional(v.array(RunOutput)),
  /** For a workflow with the metrics of its steps. */
  metrics: v.optional(WorkflowMetrics),
});
export type StoredOutput = v.InferOutput<typeof StoredOutput>;
