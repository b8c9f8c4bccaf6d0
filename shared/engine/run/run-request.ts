import type { ClientTool } from "../../schemas/runs/client-tool.ts";
import type { GivenHistory } from "../../schemas/runs/given-history.ts";
import type { InputMedia } from "../../schemas/runs/media.ts";
import type { PromptDigests } from "../../schemas/runs/prompt-cache.ts";
import type { Message } from "../../schemas/runs/run.ts";
import type { SessionSummary } from "../../schemas/sessions/session.ts";

/** The position of a run that is part of another: a step of a workflow, or a member of a team. */
export type Nesting = {
  readonly workflow_id?: string;
  readonly workflow_run_id?: string;
  readonly step_id?: string;
  readonly step_name?: string;
  readonly step_index?: number;
  /** How many runs enclose it. */
  readonly nested_depth: number;
};

/** One run to execute, as it was accepted. */
export type RunRequest = {
  readonly run_id: string;
  /** The run that this one is part of. */
  readonly parent_run_id?: string;
  /** The tool call of the parent run that started this one. */
  readonly parent_tool_call_id?: string;
  readonly nested?: Nesting;
  readonly session_id: string;
  readonly user_id: string | null;
  readonly input: string;
  /** Attached files, by reference. */
  readonly media?: InputMedia;
  /** Messages of earlier runs of the session, oldest first, each marked `from_history`. */
  readonly history: readonly Message[];
  /** The session's summary, written by an earlier run. */
  readonly session_summary?: SessionSummary;
  /** The last prompt of the session's last run, as its next one compares itself with it. */
  readonly prompt?: PromptDigests;
  /** What a team's member is shown beside its task. */
  readonly briefing?: string;
  readonly session_state: Readonly<Record<string, unknown>>;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, unknown>>;
  /** JSON Schema that the answer must match, in place of the agent's own. */
  readonly output_schema?: Readonly<Record<string, unknown>>;
  readonly knowledge_filters?: unknown;
  /** Tools that the client of this run executes. */
  readonly client_tools?: readonly ClientTool[];
  /** What the client says was said before; the model sees it in place of `history`. */
  readonly given_history?: GivenHistory;
  /** Form fields that the platform does not know, by name. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Epoch seconds at which the run was accepted. */
  readonly created_at: number;
};
