import type { FailureCause } from "../domain/jobs/failure-cause.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import type { InputMedia } from "../schemas/runs/media.ts";
import type { Message } from "../schemas/runs/run.ts";
import type { RunEvent } from "../schemas/runs/run-event.ts";
import type { StoredOutput } from "../schemas/runs/stored-output.ts";
import type { SessionSummary } from "../schemas/sessions/session.ts";
import type { ObjectPointer } from "../schemas/values/object-pointer.ts";
import type { LoadObject } from "../stores/objects/show-media.ts";
import type { DailyBudget } from "./budget/budget-port.ts";
import type { SearchKnowledge } from "./knowledge/knowledge-port.ts";
import type { OpenLearnings } from "./learning/learning-book.ts";
import type { MemoryBook } from "./memory/memory-book.ts";
import type { Models } from "./models.ts";
import type { TraceSpan } from "./spans/trace-span.ts";
import type { ToolLedger } from "./tool-ledger.ts";
import type { WorkflowState } from "./workflow/workflow-state.ts";

/** Where a run stands that is part of another: a step of a workflow, or a member's of a team. */
export type Nesting = {
  readonly workflow_id?: string;
  readonly workflow_run_id?: string;
  readonly step_id?: string;
  readonly step_name?: string;
  readonly step_index?: number;
  /** How many runs it is part of. */
  readonly nested_depth: number;
};

/** One run to execute, as it was accepted. */
export type RunRequest = {
  readonly run_id: string;
  /** The run that this one is part of. */
  readonly parent_run_id?: string;
  /** The call of that run's which asked for this one. */
  readonly parent_tool_call_id?: string;
  readonly nested?: Nesting;
  readonly session_id: string;
  readonly user_id: string | null;
  readonly input: string;
  /** What was sent along, by reference. */
  readonly media?: InputMedia;
  /** Messages of earlier runs of the session, oldest first, each marked `from_history`. */
  readonly history: readonly Message[];
  /** What an earlier run of the session summed up. */
  readonly session_summary?: SessionSummary;
  /** What a team's member is told beside its task. */
  readonly briefing?: string;
  readonly session_state: Readonly<Record<string, unknown>>;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, unknown>>;
  /** JSON Schema that the answer must match, in place of the agent's own. */
  readonly output_schema?: Readonly<Record<string, unknown>>;
  readonly knowledge_filters?: unknown;
  /** Form fields that the platform does not know, by name. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Epoch seconds at which the run was accepted. */
  readonly created_at: number;
};

/** What the engine needs from outside. */
export type EnginePorts = {
  readonly models: Models;
  readonly clock: Clock;
  /** An id for something that the run makes, such as a run within it; sorts after those made before. */
  readonly newId: () => string;
  /** Fetches what a message refers to, for the model. */
  readonly loadObject?: LoadObject;
  /** Keeps a file that the run makes, for as long as its session; absent where nothing outlives the process. */
  readonly keepObject?: (bytes: Uint8Array) => Promise<ObjectPointer>;
  /** Receives every event in its order. Must not fail; recording is the receiver's business. */
  readonly emit: (event: RunEvent) => void;
  /** Abort with a `RunStopped` reason stops the run at its next await. */
  readonly signal: AbortSignal;
  /** Called before every step; may abort `signal`, where a process that stood still has no right to go on. */
  readonly beforeStep?: () => void;
  /** What somebody who runs the platform should see in its log. */
  readonly warn?: Log["warn"];
  /** Absent where no user's spending is limited by the day. */
  readonly dailyBudget?: DailyBudget;
  /** Messages of earlier runs of the session, oldest first. @param runs how many runs to go back */
  readonly readChatHistory?: (runs: number) => Promise<readonly Message[]>;
  /** The same of a team's member: what it was asked and answered in its own earlier runs of the session. */
  readonly readMemberHistory?: (member_id: string, runs: number) => Promise<readonly Message[]>;
  /** Looks something up in a knowledge base. */
  readonly searchKnowledge?: SearchKnowledge;
  /** What is remembered of the user; absent where nothing outlives the process. */
  readonly memories?: MemoryBook;
  readonly learnings?: OpenLearnings;
  /** Remembers tool calls that must not happen twice; absent where nothing outlives the process. */
  readonly ledger?: ToolLedger;
  /** What the spans of this execution are children of; absent where nothing is traced. */
  readonly span?: TraceSpan;
};

/** Why a run was stopped from outside; goes in as the abort reason. */
export class RunStopped extends Error {
  override readonly name = "RunStopped";
  readonly kind: "cancelled" | "timeout" | "lost";

  /**
   * @param kind     `lost`: another worker owns the run now, or this process ends; nothing more may be written
   * @param message  public: the run shows it as the reason of a cancellation
   */
  constructor(kind: "cancelled" | "timeout" | "lost", message: string) {
    super(message);
    this.kind = kind;
  }
}

/** How one execution ended. `output` is the run as it shall be stored; its `status` agrees with the outcome. */
export type RunOutcome =
  | {
      readonly status: "COMPLETED";
      readonly output: StoredOutput;
      /** What the session amounts to after this run, when the agent sums sessions up. */
      readonly session_summary?: SessionSummary;
    }
  | {
      readonly status: "PAUSED";
      readonly output: StoredOutput;
      /** What each waiting call would do, by its id; see `tool-digest.ts`. */
      readonly digests: Readonly<Record<string, string>>;
      /** Of a workflow: where it goes on, which its output does not tell. */
      readonly state?: WorkflowState;
    }
  | { readonly status: "CANCELLED"; readonly output: StoredOutput }
  | {
      readonly status: "ERROR";
      readonly output: StoredOutput;
      /** The text that run and job both show. */
      readonly error: string;
      readonly cause: FailureCause;
      /** What was thrown, for the log; never shown. */
      readonly thrown?: unknown;
    };
