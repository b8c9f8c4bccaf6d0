import type { PostHook, PreHook } from "../define/hook.ts";
import type { EnginePorts } from "../ports/engine-ports.ts";
import type { SessionState } from "../ports/session-state.ts";
import type { RunState } from "./run-state.ts";

/** The engine's ports, and what a slice of a run needs to yield and to resume in any process. */
export type SlicePorts = EnginePorts & {
  /**
   * Called after every step; true ends the slice. A slice takes at least one step.
   *
   * @param isOnlyToEnd  whether the run calls neither a model nor a tool any more before it ends or pauses
   */
  readonly shouldYield?: (isOnlyToEnd?: boolean) => boolean;
  /** Set when a paused run was continued: it emits `RunContinued` instead of `RunStarted`. */
  readonly continues?: boolean;
  /** Saves the state before a step that costs money or has effects, so that a resumed run does not repeat the last. */
  readonly saveCheckpoint?: (state: RunState) => Promise<void>;
  /** The session's state, which the runs within a run share. Absent: the request's, of which nothing is kept. */
  readonly sessionState?: SessionState;
  /** Of the teams around a member's run: what people say in it, and what it answers, passes their guards too. */
  readonly guardsAround?: {
    readonly pre: readonly PreHook[];
    readonly post: readonly PostHook[];
    /** Whether one of those with guards of the output holds the stream back, and keeps what is withheld. */
    readonly holdsStream: boolean;
    readonly keepsWithheld: boolean;
  };
  /** The id of the approval that the outermost run pauses for; absent in the outermost run itself. */
  readonly approvalId?: () => string;
};
