import type { UserMemory } from "../memories/memory.ts";
import type { SessionSummary } from "../sessions/session.ts";
import type { References } from "../values/reference.ts";
import type { FinishReason } from "./finish-reason.ts";
import type { OutputMedia } from "./media.ts";
import type { Message, Requirement, RunMetrics, RunOutput, ToolExecution } from "./run.ts";
import type { TaskStatus, TeamTask } from "./team-task.ts";
import type { WorkflowEvent } from "./workflow-event.ts";

/**
 * What happened in an agent run, one member per type, without the fields that every event carries.
 *
 * @source docs/interface/runs.md 5.3
 */
export type AgentEventBody =
  | { event: "RunStarted"; model: string; model_provider: string }
  | { event: "RunContinued" }
  | {
      event: "RunContent";
      content: string;
      content_type: "str";
      workflow_agent: false;
      reasoning_content: string;
    }
  | { event: "RunContentCompleted" }
  | (OutputMedia & {
      event: "RunCompleted";
      content: unknown;
      content_type: string;
      reasoning_content?: string;
      /** Ours; see `RunOutput`. */
      finish_reason?: FinishReason;
      references?: References[];
      additional_input?: Message[];
      metadata?: Record<string, unknown>;
      metrics?: RunMetrics;
      session_state?: Record<string, unknown>;
      /** Teams only. */
      member_responses?: RunOutput[];
    })
  | { event: "RunPaused"; content?: string; tools: ToolExecution[]; requirements: Requirement[] }
  | { event: "RunError"; content: string; error_type?: string; error_id?: string }
  | { event: "RunCancelled"; content?: string; reason: string }
  | {
      event: "PreHookStarted" | "PreHookCompleted";
      pre_hook_name: string;
      run_input: { input_content: string };
    }
  | { event: "PostHookStarted" | "PostHookCompleted"; post_hook_name: string }
  | { event: "MemoryUpdateStarted" }
  /** The memories that were extracted from the run; without them when that failed. */
  | { event: "MemoryUpdateCompleted"; memories?: UserMemory[] }
  | { event: "SessionSummaryStarted" }
  /** Without a summary when that failed. */
  | { event: "SessionSummaryCompleted"; session_summary?: SessionSummary }
  /** Ours: before the end of a run that replaced values which others had written since it read them. */
  | { event: "SessionStateConflict"; keys: string[] }
  /** Ours: the run has taken a message that was sent to it, or a guard has refused that. */
  | {
      event: "CustomEvent";
      name: "user_message";
      message_id: string;
      content: string;
      state: "taken" | "refused";
    }
  /** Ours: links for feedback by key, before the end of a stream whose request named the keys. It is never stored. */
  | { event: "CustomEvent"; name: "feedback_links"; feedback: Record<string, string> }
  | { event: "FollowupsStarted" }
  | { event: "FollowupsCompleted"; followups: string[] }
  | { event: "ToolCallStarted"; tool: ToolExecution }
  | (OutputMedia & { event: "ToolCallCompleted"; tool: ToolExecution; content: string })
  | { event: "ToolCallError"; tool: ToolExecution; error: string }
  /** Before older results of tools leave the prompt. */
  | { event: "CompressionStarted" }
  /** Sizes in characters. */
  | {
      event: "CompressionCompleted";
      tool_results_compressed: number;
      original_size: number;
      compressed_size: number;
    }
  /** Before the beginning of the run leaves the prompt. */
  | { event: "CompactionStarted" }
  | {
      event: "CompactionCompleted";
      messages_compacted: number;
      tokens_before: number;
      tokens_after: number;
      archived: boolean;
    }
  | { event: "ModelRequestStarted"; model: string; model_provider: string }
  | {
      event: "ModelRequestCompleted";
      model: string;
      model_provider: string;
      input_tokens: number;
      output_tokens: number;
      total_tokens: number;
      time_to_first_token?: number;
      reasoning_tokens: number;
      cache_read_tokens: number;
      cache_write_tokens: number;
      /** Ours; see `Message`. */
      finish_reason?: FinishReason;
      /** Ours; see `RunMetrics`. */
      usage_estimated?: boolean;
    };

/** What happened with the tasks of a team. @source docs/interface/runs.md 5.4 */
export type TeamTaskEventBody =
  | { event: "TaskIterationStarted"; iteration: number; max_iterations: number }
  | { event: "TaskIterationCompleted"; iteration: number; max_iterations: number; task_summary: string }
  | {
      event: "TaskStateUpdated";
      task_summary: string;
      goal_complete: boolean;
      tasks: TeamTask[];
      completion_summary?: string;
    }
  | ({ event: "TaskCreated"; task_id: string } & Pick<
      TeamTask,
      "title" | "description" | "assignee" | "status" | "dependencies"
    >)
  | ({ event: "TaskUpdated"; task_id: string; previous_status: TaskStatus } & Pick<
      TeamTask,
      "title" | "status" | "result" | "assignee"
    >);

/** The same event of a team. Only an agent's has the flag for a workflow's agent; `CustomEvent` has one name for both. */
type Twin<Body> = Body extends { event: "CustomEvent" }
  ? Body
  : Body extends { event: infer Type extends string }
    ? Omit<Body, "event" | "workflow_agent"> & { event: `Team${Type}` }
    : never;

/** Events of a team's run: those of an agent's run, and those of tasks. */
export type TeamEventBody = Twin<AgentEventBody | TeamTaskEventBody>;

/** Fields of every event of a run. @source docs/interface/runs.md 5.2 */
type RunEventBase = {
  created_at: number;
  run_id: string;
  session_id: string;
  parent_run_id?: string;
  /** Set if the run is a step of a workflow. */
  workflow_id?: string;
  workflow_run_id?: string;
  step_id?: string;
  step_name?: string;
  step_index?: number;
  nested_depth: number;
};

export type AgentEventBase = RunEventBase & { agent_id: string; agent_name: string };
export type TeamEventBase = RunEventBase & { team_id: string; team_name: string };

export type RunEvent = (AgentEventBase & AgentEventBody) | (TeamEventBase & TeamEventBody);

/** Any event that a run may emit, its own or one of its nested runs. */
export type UnindexedEvent = RunEvent | WorkflowEvent;

/** A stored event. Its index starts at 0 and rises by one over the life of the run. */
export type RecordedEvent = UnindexedEvent & { event_index: number };
