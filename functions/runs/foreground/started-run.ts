import type { PendingState } from "../../../shared/domain/sessions/pending-state.ts";
import type { ExecutionState } from "../../../shared/engine/lifecycle/execute-runnable.ts";
import type { ForegroundSlot } from "../../../shared/stores/budgets/foreground-slots.ts";
import type { RunAddress } from "../../../shared/stores/runs/run-address.ts";
import type { StoredRun } from "../../../shared/stores/runs/run-item.ts";
import type { StateRead } from "../../../shared/stores/sessions/state-write.ts";

/** A run whose record says RUNNING because of this process, which executes it once. */
export type StartedRun = {
  readonly run: StoredRun;
  /** The state to resume from; absent for a new run. */
  readonly from?: ExecutionState | undefined;
  /** See `RunExecution`. */
  readonly stateRead?: StateRead | undefined;
  readonly pending?: PendingState | undefined;
  /** Index of its first event; 0 for a new run. */
  readonly nextIndex?: number;
  /** Set when a request continues it. */
  readonly continues?: boolean;
  /** The completed run whose answer it replaces once it has completed itself. */
  readonly replaces?: RunAddress | undefined;
  /** Its place among the foreground runs of its user; absent where the user has no limit. */
  readonly slot?: ForegroundSlot | undefined;
};
