import * as v from "valibot";
import { ShownCallback } from "../deliveries/callback.ts";
import { FeedbackLinks } from "../feedback/feedback-links.ts";
import { References } from "../values/reference.ts";
import { writtenAs } from "../values/written-as.ts";
import { CallInputField, CallQuestion } from "./call-questions.ts";
import { FinishReason } from "./finish-reason.ts";
import { InputMedia, OutputMedia } from "./media.ts";
import { CacheMetrics } from "./prompt-cache.ts";
import { Fold, PromptView } from "./prompt-view.ts";
import { RemoteCall } from "./remote-call.ts";
import { StoredResult } from "./stored-result.ts";
import { TeamTasks } from "./team-task.ts";
import { WithheldAnswer } from "./withheld-answer.ts";

/** @source docs/interface/runs.md 4.1 */
export const runStatuses = [
  "PENDING",
  "RUNNING",
  "COMPLETED",
  "PAUSED",
  "CANCELLED",
  "ERROR",
  "REGENERATED",
] as const;
export type RunStatus = (typeof runStatuses)[number];
export const RunStatus = v.picklist(runStatuses);

export const ToolCall = v.object({
  id: v.string(),
  type: v.literal("function"),
  /** `arguments` is JSON text. */
  function: v.object({ name: v.string(), arguments: v.string() }),
});
export type ToolCall = v.InferOutput<typeof ToolCall>;

const PartOptions = v.optional(v.record(v.string(), v.unknown()));

/**
 * The parts of a model's answer, for providers that need them in later requests: reasoning with its signature or in its
 * encrypted form, and the order of the parts. Text and tool calls are those of the message, `length` characters and one
 * call at a time.
 *
 * @decided  The wire has `provider_data` and leaves its content to the server.
 */
export const ProviderData = v.object({
  provider: v.string(),
  model: v.string(),
  parts: v.array(
    v.variant("type", [
      v.object({ type: v.literal("reasoning"), text: v.string(), options: PartOptions }),
      v.object({ type: v.literal("text"), length: v.number(), options: PartOptions }),
      v.object({ type: v.literal("tool-call"), options: PartOptions }),
    ]),
  ),
});
export type ProviderData = v.InferOutput<typeof ProviderData>;

const json = v.record(v.string(), v.unknown());

const counts = {
  input_tokens: v.optional(v.number()),
  output_tokens: v.optional(v.number()),
  total_tokens: v.optional(v.number()),
  cache_read_tokens: v.optional(v.number()),
  cache_write_tokens: v.optional(v.number()),
  reasoning_tokens: v.optional(v.number()),
  /** Dollars, if prices are configured. */
  cost: v.optional(v.number()),
  /** Ours: true where the service did not count some of these tokens, and the platform did. */
  usage_estimated: v.optional(v.boolean()),
};

/** A model that was asked in place of another, from one of the run's model calls on, counted from 1. */
export const ModelFallback = v.object({
  call: v.number(),
  from: v.string(),
  to: v.string(),
  class: v.picklist(["rate_limit", "context_overflow", "unavailable", "refused", "broken", "client"]),
});
export type ModelFallback = v.InferOutput<typeof ModelFallback>;

/** The usage of one model of a run. */
export const ModelUsage = v.object({ id: v.string(), provider: v.string(), ...counts });
export type ModelUsage = v.InferOutput<typeof ModelUsage>;

/** Token counts and times in seconds; zeros and nulls are left out. @source docs/interface/runs.md 4.6 */
export const RunMetrics = v.object({
  ...counts,
  time_to_first_token: v.optional(v.number()),
  duration: v.optional(v.number()),
  /** Of each model, by what it was used for. */
  details: v.optional(v.record(v.string(), v.array(writtenAs(json, ModelUsage)))),
  /** Ours within it: how the run's prompts fared in the cache of its model's service, and which models stood in for others. */
  additional_metrics: v.optional(
    v.object({
      cache: v.optional(writtenAs(json, CacheMetrics)),
      fallbacks: v.optional(v.array(ModelFallback)),
      /** What was left out of the run's prompts. */
      context: v.optional(PromptView),
      /** What models other than the agent's own have used, by their specifications: a run that is continued goes on from these counts. */
      used_by: v.optional(v.record(v.string(), v.object(counts))),
      /** The same of those that have summed up its beginning; the agent's own has an empty one. */
      folds_used: v.optional(v.record(v.string(), v.object(counts))),
    }),
  ),
});
export type RunMetrics = v.InferOutput<typeof RunMetrics>;

/** Only the counts of tokens in metrics. */
export const TokenCounts = v.omit(RunMetrics, [
  "cost",
  "usage_estimated",
  "time_to_first_token",
  "duration",
  "details",
  "additional_metrics",
]);
export type TokenCounts = v.InferOutput<typeof TokenCounts>;

/** What a session counts of a run: tokens, and of those whose price is known what they cost. */
export const CountedUsage = v.object({
  ...TokenCounts.entries,
  /** Billionths of a dollar. */
  cost_nanos: v.optional(v.number()),
  /** How many of `total_tokens` are in `cost_nanos`. */
  priced_tokens: v.optional(v.number()),
});
export type CountedUsage = v.InferOutput<typeof CountedUsage>;

/** @source docs/interface/runs.md 4.3 */
export const Message = v.object({
  id: v.string(),
  role: v.picklist(["system", "user", "assistant", "tool"]),
  content: v.optional(v.string()),
  /** Ours: what a model is shown behind the content of a run's message, such as the date and what is remembered. @source docs/interface/runs.md 4.10 */
  context: v.optional(v.string()),
  /** Ours: of a message that was sent to the run after it had begun. */
  steered: v.optional(v.object({ message_id: v.string() })),
  tool_call_id: v.optional(v.string()),
  tool_calls: v.optional(v.array(ToolCall)),
  tool_name: v.optional(v.string()),
  tool_args: v.optional(v.record(v.string(), v.unknown())),
  tool_call_error: v.optional(v.boolean()),
  /** Ours: where the whole result is that `content` has head and tail of. */
  stored_result: v.optional(StoredResult),
  reasoning_content: v.optional(v.string()),
  provider_data: v.optional(ProviderData),
  ...OutputMedia.entries,
  /** Ours: why the model did not end this answer itself. */
  finish_reason: v.optional(FinishReason),
  /** Of the model call that wrote it. */
  metrics: v.optional(writtenAs(json, RunMetrics)),
  from_history: v.boolean(),
  stop_after_tool_call: v.boolean(),
  created_at: v.number(),
});
export type Message = v.InferOutput<typeof Message>;

const ToolMetrics = v.object({
  start_time: v.number(),
  end_time: v.number(),
  duration: v.number(),
  /** Ours: how often it was made, where its tool has retries and the first attempt failed. */
  attempts: v.optional(v.number()),
});

/** One tool call of a run. Every key is always present. @source docs/interface/runs.md 4.5 */
export const ToolExecution = v.object({
  tool_call_id: v.string(),
  tool_name: v.string(),
  tool_args: v.record(v.string(), v.unknown()),
  /** Ours, and absent from every other call: what the model proposed, where a person has changed `tool_args`. */
  proposed_args: v.optional(v.record(v.string(), v.unknown())),
  tool_call_error: v.nullable(v.boolean()),
  result: v.nullable(v.string()),
  /** Ours: where the whole result is that `result` has head and tail of. */
  stored_result: v.optional(StoredResult),
  metrics: v.nullable(ToolMetrics),
  child_run_id: v.nullable(v.string()),
  stop_after_tool_call: v.boolean(),
  created_at: v.number(),
  requires_confirmation: v.nullable(v.boolean()),
  confirmed: v.nullable(v.boolean()),
  confirmation_note: v.nullable(v.string()),
  requires_user_input: v.nullable(v.boolean()),
  answered: v.nullable(v.boolean()),
  user_input_schema: v.nullable(v.array(writtenAs(json, CallInputField))),
  user_feedback_schema: v.nullable(v.array(writtenAs(json, CallQuestion))),
  external_execution_required: v.nullable(v.boolean()),
  external_execution_silent: v.nullable(v.boolean()),
  approval_type: v.nullable(v.picklist(["required", "audit"])),
  approval_id: v.nullable(v.string()),
  /**
   * Ours, and absent from every other call: it was started this many times and it is not known whether it took effect,
   * so a person is asked whether it should run again.
   */
  in_doubt: v.optional(v.number()),
  /** Ours, and absent from every other call: that it is not over at its server. */
  remote_call: v.optional(RemoteCall),
});
export type ToolExecution = v.InferOutput<typeof ToolExecution>;

/** What a paused run waits for. @source docs/interface/runs.md 4.8 */
export const Requirement = v.object({
  id: v.string(),
  /** ISO 8601 with microseconds and offset. */
  created_at: v.string(),
  confirmation: v.optional(v.boolean()),
  confirmation_note: v.optional(v.string()),
  external_execution_result: v.optional(v.string()),
  tool_execution: ToolExecution,
  user_input_schema: v.optional(v.array(writtenAs(json, CallInputField))),
  user_feedback_schema: v.optional(v.array(writtenAs(json, CallQuestion))),
  /** Set if a team's member waits, or a member of its member: which one, and in which run. */
  member_agent_id: v.optional(v.string()),
  member_agent_name: v.optional(v.string()),
  member_run_id: v.optional(v.string()),
});
export type Requirement = v.InferOutput<typeof Requirement>;

/** The fields of a run without its nested runs. */
export const runOutputEntries = {
  run_id: v.string(),
  session_id: v.string(),
  user_id: v.optional(v.string()),
  agent_id: v.optional(v.string()),
  agent_name: v.optional(v.string()),
  team_id: v.optional(v.string()),
  team_name: v.optional(v.string()),
  parent_run_id: v.optional(v.string()),
  /** Ours: the parent's tool call that started a member's run. */
  parent_tool_call_id: v.optional(v.string()),
  workflow_id: v.optional(v.string()),
  workflow_step_id: v.optional(v.string()),
  input: v.object({ input_content: v.string(), ...InputMedia.entries }),
  /** Text, or a value of the output schema; `content_type` says which. */
  content: v.optional(v.unknown()),
  content_type: v.optional(v.string()),
  /** Ours: why a run failed whose answer broke off; `content` is what had arrived. Else `content` is the error. */
  error: v.optional(v.string()),
  reasoning_content: v.optional(v.string()),
  /** Ours: set when the last answer was cut at its limit, filtered or refused; such content is not a whole answer. */
  finish_reason: v.optional(FinishReason),
  model: v.optional(v.string()),
  model_provider: v.optional(v.string()),
  messages: v.optional(v.array(Message)),
  metrics: v.optional(RunMetrics),
  /** Of an agent's run: what stood for its beginning in its last prompts. @source docs/interface/runs.md 4.13 */
  compaction: v.optional(Fold),
  /** Ours, of a team: with what its members used, and theirs. `metrics` is its leader's. */
  total_metrics: v.optional(RunMetrics),
  tools: v.optional(v.array(ToolExecution)),
  /** Made by its tools, its members and its model. */
  ...OutputMedia.entries,
  /** What was found in knowledge. */
  references: v.optional(v.array(References)),
  requirements: v.optional(v.array(Requirement)),
  /** Ours: the tasks of a team in mode `tasks`. */
  team_tasks: v.optional(TeamTasks),
  /** Messages that the agent puts before every input. */
  additional_input: v.optional(v.array(Message)),
  followups: v.optional(v.array(v.string())),
  metadata: v.optional(v.record(v.string(), v.unknown())),
  session_state: v.optional(v.record(v.string(), v.unknown())),
  /** The origin of a run that starts with another one's messages; the index is how many it copied. */
  forked_from_run_id: v.optional(v.string()),
  forked_from_message_index: v.optional(v.number()),
  forked_from_session_id: v.optional(v.string()),
  regenerated_from: v.optional(v.string()),
  /** Epoch seconds. */
  created_at: v.number(),
  status: RunStatus,
};

type OneRun = v.InferOutput<v.ObjectSchema<typeof runOutputEntries, undefined>>;

/**
 * A run as every run route shows it. Unknown members are absent, not null.
 *
 * @source docs/interface/runs.md 4.2
 */
export type RunOutput = OneRun & {
  /** Always present for a team: its members' runs, in the order of their start. */
  member_responses?: RunOutput[] | undefined;
  /** Ours: who is notified when it ends, for a run that is polled. */
  callback?: ShownCallback | undefined;
  /** Ours: what guards have refused, for admins, where its component keeps it. */
  withheld?: WithheldAnswer[] | undefined;
  /** Ours: addresses on which feedback on it is given, by key, where its request named some. */
  feedback?: FeedbackLinks | undefined;
};
export const RunOutput: v.GenericSchema<unknown, RunOutput> = v.object({
  ...runOutputEntries,
  member_responses: v.optional(v.array(v.lazy(() => RunOutput))),
  callback: v.optional(ShownCallback),
  withheld: v.optional(v.array(WithheldAnswer)),
  feedback: v.optional(FeedbackLinks),
});

/** The answer of a background submission: exactly these three keys. */
export const AcceptedRun = v.object({
  run_id: v.string(),
  session_id: v.string(),
  status: RunStatus,
  /** Ours: set where a live run of the session has taken the request as a message. */
  message_id: v.optional(v.string()),
  steered: v.optional(v.literal(true)),
});
export type AcceptedRun = v.InferOutput<typeof AcceptedRun>;
