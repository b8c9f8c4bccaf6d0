import * as v from "valibot";
import { nullFor } from "../values/described-as.ts";
import { Media } from "./media.ts";
import { Message, RunMetrics, RunOutput, RunStatus, ToolExecution } from "./run.ts";
import { StepOutput, StepRequirement, WorkflowMetrics, WorkflowRunOutput } from "./workflow-run.ts";

/** Nulls are in the answer of a single run, and left out of lists. */
const shown = <S extends v.GenericSchema>(schema: S) => v.optional(v.nullable(schema));
const media = v.array(Media);

const common = {
  run_id: v.string(),
  status: RunStatus,
  /** The input as text. */
  run_input: v.string(),
  /** Text, or a value of the output schema. */
  content: v.optional(v.unknown()),
  /** See `RunOutput`. */
  error: v.optional(v.string()),
  reasoning_content: v.string(),
  /** Always empty: a run's reasoning is text. */
  reasoning_steps: v.tuple([]),
  /** Always null: a run's events are read from its stream. */
  events: v.optional(nullFor({ type: "array", items: {} })),
  /** ISO 8601 in UTC. */
  created_at: v.string(),
  /** Always empty: what was found in knowledge is shown by the run's own route. */
  references: v.tuple([]),
  images: media,
  videos: media,
  audio: media,
  files: media,
  citations: v.optional(nullFor({ type: "object" })),
  response_audio: v.optional(nullFor({ type: "object" })),
};

const conversation = {
  ...common,
  /** Empty where it is part of no other run. */
  parent_run_id: v.string(),
  run_response_format: v.literal("text"),
  metrics: RunMetrics,
  messages: shown(v.array(Message)),
  tools: shown(v.array(ToolExecution)),
  session_state: shown(v.record(v.string(), v.unknown())),
  input_media: v.object({ images: media, videos: media, audios: media, files: media }),
  followups: shown(v.array(v.string())),
  forked_from_run_id: shown(v.string()),
  forked_from_message_index: shown(v.number()),
  forked_from_session_id: shown(v.string()),
  regenerated_from: shown(v.string()),
  last_checkpoint_at_message_index: v.optional(nullFor({ type: "integer" })),
};

/** A run of an agent, as lists show it. @source docs/interface/sessions.md 5.2 */
export const AgentRunRow = v.object({
  ...conversation,
  /** Null for a run of another component in a session of an agent. */
  agent_id: shown(v.string()),
  /** Empty where the run has no user. */
  user_id: v.string(),
});
export type AgentRunRow = v.InferOutput<typeof AgentRunRow>;

/** A run of a team, as lists show it. @source docs/interface/sessions.md 5.2 */
export const TeamRunRow = v.object({ ...conversation, team_id: v.string() });
export type TeamRunRow = v.InferOutput<typeof TeamRunRow>;

const { pause_kind, paused_step_name, paused_step_index } = WorkflowRunOutput.entries;

/** A run of a workflow, as lists show it. @source docs/interface/sessions.md 5.2 */
export const WorkflowRunRow = v.object({
  ...common,
  workflow_id: v.string(),
  /** Empty where the run has no user. */
  user_id: v.string(),
  content_type: shown(v.string()),
  metrics: WorkflowMetrics,
  step_results: v.array(StepOutput),
  step_executor_runs: shown(v.array(RunOutput)),
  step_requirements: shown(v.array(StepRequirement)),
  pause_kind: shown(pause_kind.wrapped),
  paused_step_name: shown(paused_step_name.wrapped),
  paused_step_index: shown(paused_step_index.wrapped),
});
export type WorkflowRunRow = v.InferOutput<typeof WorkflowRunRow>;

/** A run as the routes of its session show it. */
export const RunRow = v.union([AgentRunRow, TeamRunRow, WorkflowRunRow]);
export type RunRow = v.InferOutput<typeof RunRow>;

/** The least that a client needs to list a run. @source docs/interface/sessions.md 5.6 */
export const RunPreview = v.object({
  run_id: v.string(),
  parent_run_id: shown(v.string()),
  agent_id: v.optional(v.string()),
  team_id: v.optional(v.string()),
  workflow_id: v.optional(v.string()),
  user_id: shown(v.string()),
  status: RunStatus,
  /** The beginning of the input, and of the answer so far. */
  run_input: shown(v.string()),
  content_preview: shown(v.string()),
  created_at: v.string(),
});
export type RunPreview = v.InferOutput<typeof RunPreview>;
