import * as v from "valibot";
import { UserMemory } from "../../schemas/memories/memory.ts";
import { FinishReason } from "../../schemas/runs/finish-reason.ts";
import { OutputMedia } from "../../schemas/runs/media.ts";
import { Message, Requirement, RunMetrics, RunOutput, ToolExecution } from "../../schemas/runs/run.ts";
import type { AgentEventBody } from "../../schemas/runs/run-event.ts";
import { SessionSummary } from "../../schemas/sessions/session.ts";
import { References } from "../../schemas/values/reference.ts";
import type { EventTable } from "./event-table.ts";

const text = v.string();
const json = v.record(v.string(), v.unknown());
const nothing = v.object({});
const preHook = v.object({ pre_hook_name: text, run_input: v.object({ input_content: text }) });
const postHook = v.object({ post_hook_name: text });
const model = { model: text, model_provider: text };

/** What happens in a run of an agent. */
export const agentEvents = {
  RunStarted: v.object(model),
  RunContinued: nothing,
  RunContent: v.object({
    content: text,
    content_type: v.literal("str"),
    workflow_agent: v.literal(false),
    reasoning_content: text,
  }),
  RunContentCompleted: nothing,
  RunCompleted: v.object({
    content: v.unknown(),
    content_type: text,
    ...OutputMedia.entries,
    reasoning_content: v.exactOptional(text),
    references: v.exactOptional(v.array(References)),
    additional_input: v.exactOptional(v.array(Message)),
    metadata: v.exactOptional(json),
    metrics: v.exactOptional(RunMetrics),
    session_state: v.exactOptional(json),
    member_responses: v.exactOptional(v.array(RunOutput)),
  }),
  RunPaused: v.object({
    content: v.exactOptional(text),
    tools: v.array(ToolExecution),
    requirements: v.array(Requirement),
  }),
  RunError: v.object({
    content: text,
    error_type: v.exactOptional(text),
    error_id: v.exactOptional(text),
  }),
  RunCancelled: v.object({ content: v.exactOptional(text), reason: text }),
  PreHookStarted: preHook,
  PreHookCompleted: preHook,
  PostHookStarted: postHook,
  PostHookCompleted: postHook,
  MemoryUpdateStarted: nothing,
  MemoryUpdateCompleted: v.object({ memories: v.exactOptional(v.array(UserMemory)) }),
  SessionSummaryStarted: nothing,
  SessionSummaryCompleted: v.object({ session_summary: v.exactOptional(SessionSummary) }),
  SessionStateConflict: v.object({ keys: v.array(text) }),
  CustomEvent: v.object({
    name: v.picklist(["user_message", "feedback_links"]),
    /** Of a message to the run. */
    message_id: v.exactOptional(text),
    content: v.exactOptional(text),
    state: v.exactOptional(v.picklist(["taken", "refused"])),
    /** Addresses on which feedback is given, by key. */
    feedback: v.exactOptional(v.record(text, text)),
  }),
  FollowupsStarted: nothing,
  FollowupsCompleted: v.object({ followups: v.array(text) }),
  ToolCallStarted: v.object({ tool: ToolExecution }),
  ToolCallCompleted: v.object({ tool: ToolExecution, content: text, ...OutputMedia.entries }),
  ToolCallError: v.object({ tool: ToolExecution, error: text }),
  CompressionStarted: nothing,
  CompressionCompleted: v.object({
    tool_results_compressed: v.number(),
    original_size: v.number(),
    compressed_size: v.number(),
  }),
  CompactionStarted: nothing,
  CompactionCompleted: v.object({
    messages_compacted: v.number(),
    tokens_before: v.number(),
    tokens_after: v.number(),
    archived: v.boolean(),
  }),
  ModelRequestStarted: v.object(model),
  ModelRequestCompleted: v.object({
    ...model,
    input_tokens: v.number(),
    output_tokens: v.number(),
    total_tokens: v.number(),
    time_to_first_token: v.exactOptional(v.number()),
    reasoning_tokens: v.number(),
    cache_read_tokens: v.number(),
    cache_write_tokens: v.number(),
    finish_reason: v.exactOptional(FinishReason),
    usage_estimated: v.exactOptional(v.boolean()),
  }),
} satisfies EventTable<AgentEventBody>;
