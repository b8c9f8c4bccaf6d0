import type { RunFault } from "../model/model-fault.ts";
import type { RunState } from "./run-state.ts";

/** Why a run was stopped from outside; used as the abort reason. */
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

/** A run whose cancellation was requested. */
export const runCancelled = (): RunStopped => new RunStopped("cancelled", "The run was cancelled.");

/** A run that has used up `EXECUTION_TIMEOUT_SECONDS`. @param seconds  that setting */
export const executionTimeout = (seconds: number): RunStopped =>
  new RunStopped(
    "timeout",
    `The run reached its execution timeout of ${seconds} ${seconds === 1 ? "second" : "seconds"}.`,
  );

/** A run whose step is still under way when its worker function has to end. */
export const stepTooLong = (): RunStopped =>
  new RunStopped(
    "timeout",
    "One step of the run took longer than a worker function lives: a timeout of 15 minutes.",
  );

/** Why a run takes no further step in this execution. */
export type Ending =
  | {
      readonly kind: "answered";
      /** Set when the answer must have a given shape. */
      readonly structured?: { readonly value: unknown; readonly type: string };
    }
  | { readonly kind: "paused" }
  | { readonly kind: "stopped"; readonly reason: RunStopped }
  | { readonly kind: "failed"; readonly fault: RunFault };

export type Step = { readonly state: RunState; readonly ending?: Ending };

/** The ending of a run whose signal was aborted. @throws its reason, when that is not a RunStopped */
export function stoppedBy({ reason }: AbortSignal): Ending {
  if (reason instanceof RunStopped) return { kind: "stopped", reason };
  throw reason;
}
