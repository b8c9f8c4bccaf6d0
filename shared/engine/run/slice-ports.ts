import type { EnginePorts } from "../ports/engine-ports.ts";
import type { SessionState } from "../ports/session-state.ts";
import type { RunState } from "./run-state.ts";

/** Where a run may be put down and taken up, by whom does not matter. */
export type SlicePorts = EnginePorts & {
  /** Asked after every step; true ends the slice there. A slice takes one step at least. */
  readonly shouldYield?: () => boolean;
  /** Set where somebody continued the run: it says so instead of telling its start. */
  readonly continues?: boolean;
  /** Keeps the state before a step that costs or does something, so that whoever resumes need not take the last again. */
  readonly saveCheckpoint?: (state: RunState) => Promise<void>;
  /** The session's state of the run that this one is part of: they share it. */
  readonly sessionState?: SessionState;
  /** Names the approval that the whole run pauses for; absent where this run is the whole. */
  readonly approvalId?: () => string;
};
