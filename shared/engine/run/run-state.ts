import type { FailureCause } from "../../domain/jobs/failure-cause.ts";
import type { OutputMedia } from "../../schemas/runs/media.ts";
import type { Message, Requirement, RunOutput, ToolExecution } from "../../schemas/runs/run.ts";
import type { TeamTasks } from "../../schemas/runs/team-task.ts";
import { noUsage, type Usage } from "../model/usage.ts";

/**
 * All that a run is between two steps, as one plain JSON value: whoever holds it can take the next step.
 * Steps return a new state and never change the one they were given.
 */
export type RunState = {
  /** What the model is shown: system, history, user, then what this run added. */
  readonly messages: readonly Message[];
  /** The run's tool calls in the order the model made them; `result` is null until one has run. */
  readonly tools: readonly ToolExecution[];
  /** Files that settled calls gave, by call, until the message with the result carries them. */
  readonly media?: Readonly<Record<string, OutputMedia>>;
  /** Text of the run so far: the deltas of its RunContent events, joined. */
  readonly content: string;
  /** Whether the model was told that its answer has the wrong form; it is told once. */
  readonly corrected?: boolean;
  readonly reasoning_content: string;
  readonly usage: Usage;
  /** The session's state once this run has changed it; until then the one that the run was given counts. */
  readonly session_state?: Readonly<Record<string, unknown>>;
  readonly started_at_ms: number;
  readonly first_token_at_ms: number | null;
  /** Of a team: the runs of its members, in the order in which they began. */
  readonly members?: readonly MemberRun[];
  /** Of a team that works off tasks. */
  readonly tasks?: TeamTasks;
  /** Of a team that was continued: its members go on first, and it has yet to say that it goes on itself. */
  readonly owes_continued?: boolean;
};

/** The state of a run that has not taken a step yet. @param nowMs epoch milliseconds */
export function newRunState(messages: readonly Message[], nowMs: number): RunState {
  return {
    messages,
    tools: [],
    content: "",
    reasoning_content: "",
    usage: noUsage,
    started_at_ms: nowMs,
    first_token_at_ms: null,
  };
}

/** A member's run as the run of its team remembers it: plain JSON, like the state that it is part of. */
export type MemberRun = {
  readonly run_id: string;
  readonly member_id: string;
  /** The leader's call that asked for it. */
  readonly tool_call_id: string;
  readonly task: string;
  /** Epoch seconds. */
  readonly created_at: number;
  /** Where it goes on; absent before its first step, and once it has ended. */
  readonly state?: RunState;
  /** Given while it waits for a person, and once it has ended. */
  readonly output?: RunOutput;
  /** Given once it has failed. */
  readonly cause?: FailureCause;
  /** What people were asked in it before, and answered. */
  readonly answered?: readonly Requirement[];
  /** Whether the call has told of its end already, because a person had to be asked. */
  readonly told?: boolean;
};
