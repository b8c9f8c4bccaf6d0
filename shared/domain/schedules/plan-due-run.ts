import type { ScheduleCall } from "./schedule-call.ts";
import type { ScheduleRunStage } from "./schedule-run-transitions.ts";

/** An attempt that somebody looks after, because of a message or because it is due. */
export type DueRun = {
  readonly stage?: ScheduleRunStage | undefined;
  readonly due_at?: number | undefined;
  readonly called?: true | undefined;
  readonly started_at?: number | undefined;
  readonly run_ended?: string | undefined;
};

export type DueRunStep =
  /** It waits for nothing, or it is not time yet. */
  | "none"
  /** Nobody is calling the endpoint. */
  | "call"
  /** The request was sent, and whoever sent it is gone: nobody knows what it did, and it is not sent twice. */
  | "in_doubt"
  /** The run came to rest. */
  | "settle"
  /** There was no answer, or no end of the run, in the time that the schedule gives it. */
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
  // It is due at once; the clock of whoever wrote that may be ahead of this one.
  if (run.stage === "run" && run.run_ended !== undefined) return "settle";
  if (run.due_at > now) return "none";
  switch (run.stage) {
    case "retry":
      return "retry";
    case "run":
      return "time_out";
    case "call":
      if (run.called && kind === "once") return "in_doubt";
      // The same key gives the same run, so it is asked for again as long as there is time.
      return run.called && now >= (run.started_at ?? now) + timeoutSeconds ? "time_out" : "call";
  }
}
