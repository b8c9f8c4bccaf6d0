import * as v from "valibot";
import { AgentResponse } from "./agent.ts";
import { configStages } from "./component.ts";
import { TeamResponse } from "./team.ts";

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
  agent?: AgentResponse;
  team?: TeamResponse;
  workflow_id?: string;
  steps?: StepResponse[];
  else_steps?: StepResponse[];
};
export const StepResponse: v.GenericSchema<unknown, StepResponse> = v.object({
  name: v.string(),
  description: v.exactOptional(v.string()),
  type: v.picklist(stepTypes),
  agent: v.exactOptional(AgentResponse),
  team: v.exactOptional(TeamResponse),
  workflow_id: v.exactOptional(v.string()),
  steps: v.exactOptional(v.array(v.lazy(() => StepResponse))),
  else_steps: v.exactOptional(v.array(v.lazy(() => StepResponse))),
});

/** A workflow in a list. @source docs/interface/runs.md 2.4 */
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

/** A workflow as a whole. */
export const WorkflowResponse = v.object({
  ...WorkflowSummary.entries,
  input_schema: v.optional(v.record(v.string(), v.unknown())),
  metadata: v.optional(v.record(v.string(), v.unknown())),
  workflow_agent: v.boolean(),
  steps: v.array(StepResponse),
});
export type WorkflowResponse = v.InferOutput<typeof WorkflowResponse>;
