import type { ScheduleCall } from "./schedule-call.ts";
import type { ScheduleRunStage } from "./schedule-run-transitions.ts";

/** An attempt that is processed, because of a message or because it is due. */
export type DueRun = {
  readonly stage?: ScheduleRunStage | undefined;
  readonly due_at?: number | undefined;
  readonly called?: true | undefined;
  readonly started_at?: number | undefined;
  readonly run_ended?: string | undefined;
};

export type DueRunStep =
  /** It waits for nothing, or is not due yet. */
  | "none"
  /** No process is calling the endpoint. */
  | "call"
  /** The request was sent and its sender died: its effect is unknown, and it is not sent twice. */
  | "in_doubt"
  /** The run has ended or paused. */
  | "settle"
  /** There was no answer, or no end of the run, within the schedule's timeout. */
  | "time_out"
  /** The wait between two attempts is over. */
  | "retry";

/**
 * Decides what an attempt needs now.
 *
 * @param timeoutSeconds  the schedule's
 * @param now             epoch seconds
 */
export function planDueRun(
  run: DueRun,
  kind: ScheduleCall["kind"],
  timeoutSeconds: number,
  now: number,
): DueRunStep {
  if (run.stage === undefined || run.due_at === undefined) return "none";
  // It is due at once, but the writer's clock may be ahead of this one.
  if (run.stage === "run" && run.run_ended !== undefined) return "settle";
  if (run.due_at > now) return "none";
  switch (run.stage) {
    case "retry":
      return "retry";
    case "run":
      return "time_out";
    case "call":
      if (run.called && kind === "once") return "in_doubt";
      // The same key gives the same run, so the call is repeated until the timeout.
      return run.called && now >= (run.started_at ?? now) + timeoutSeconds ? "time_out" : "call";
  }
}
