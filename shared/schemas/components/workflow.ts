import * as v from "valibot";
import { configStages } from "./component.ts";

const stepTypes = [
  "Function",
  "Step",
  "Steps",
  "Loop",
  "Parallel",
  "Condition",
  "Router",
  "Workflow",
] as const;

/** One step of a workflow as it is shown, with the steps in it. */
export type StepResponse = {
  name: string;
  description?: string;
  type: (typeof stepTypes)[number];
  agent?: Record<string, unknown>;
  team?: Record<string, unknown>;
  workflow_id?: string;
  steps?: StepResponse[];
  else_steps?: StepResponse[];
};

/** A workflow in a list. @source contract, runs-and-queue 2.4 */
export const WorkflowSummary = v.object({
  id: v.string(),
  name: v.optional(v.string()),
  description: v.optional(v.string()),
  db_id: v.optional(v.string()),
  is_factory: v.boolean(),
  is_component: v.boolean(),
  /** For a stored one: the version that is shown, and its stage. */
  current_version: v.optional(v.number()),
  stage: v.optional(v.picklist(configStages)),
});
export type WorkflowSummary = v.InferOutput<typeof WorkflowSummary>;

/** A workflow as a whole. @source contract, runs-and-queue 2.4 */
export const WorkflowResponse = v.object({
  ...WorkflowSummary.entries,
  metadata: v.optional(v.record(v.string(), v.unknown())),
  workflow_agent: v.boolean(),
  /** Each `{name, description?, type, agent?, team?, workflow_id?, steps?, else_steps?}`. */
  steps: v.array(v.record(v.string(), v.unknown())),
});
export type WorkflowResponse = v.InferOutput<typeof WorkflowResponse>;
