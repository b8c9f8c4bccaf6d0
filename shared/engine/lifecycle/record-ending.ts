import type { FailureCause } from "../../domain/jobs/failure-cause.ts";
import { describeForeignError } from "../../runtime/describe-error.ts";
import type { Log } from "../../runtime/log.ts";
import type { Figures, Meter } from "../../runtime/metrics/meter.ts";
import type { OperationalMetric } from "../../runtime/metrics/operational-metrics.ts";
import { isObject } from "../../schemas/values/is-object.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import type { RunOutcome } from "../run/run-outcome.ts";
import { usedBy } from "./session-progress.ts";

type Failure = Extract<RunOutcome, { status: "ERROR" }>;

const counterOf = {
  COMPLETED: "RunsCompleted",
  PAUSED: "RunsPaused",
  CANCELLED: "RunsCancelled",
  ERROR: "RunsFailed",
} as const satisfies Record<RunOutcome["status"], OperationalMetric>;

/** Counts a run that has ended or paused. */
export function recordEnding(meter: Meter | undefined, outcome: RunOutcome): void {
  meter?.record({
    [counterOf[outcome.status]]: 1,
    ...(outcome.status !== "PAUSED" && usageFigures(outcome)),
  });
}

/** What a run has used; recorded once, when it ends. */
function usageFigures({ output }: RunOutcome): Figures {
  const { input_tokens, output_tokens, cost } = usedBy(output) ?? {};
  const duration = output.metrics?.duration;
  return {
    ...(duration !== undefined && { RunSeconds: duration }),
    ...(input_tokens !== undefined && { InputTokens: input_tokens }),
    ...(output_tokens !== undefined && { OutputTokens: output_tokens }),
    ...(cost !== undefined && { Cost: cost }),
  };
}

/** Causes whose texts are ours. All others may quote a service, and with it what was said. */
const ourOwn: ReadonlySet<FailureCause> = new Set(["internal", "permission", "timeout"]);

/**
 * Logs and counts an execution that failed, whether or not it is retried. The log does not forget what is deleted, so
 * what others wrote is in the record of the run alone.
 */
export function recordFailure(
  { log, meter }: { readonly log: Pick<Log, "error">; readonly meter?: Meter },
  { run_id, attempt }: Pick<StoredRun, "run_id" | "attempt">,
  { cause, error, thrown }: Failure,
): void {
  const foreign = { ...describeForeignError(thrown), ...statusCodeOf(thrown) };
  const described = cause === "internal" ? { thrown } : foreign;
  log.error("a run failed", { run_id, attempt, cause, ...(ourOwn.has(cause) && { error }), ...described });
  meter?.record({ Failures: 1 }, cause);
}

/** What a service answered with: together with the cause it says most of what its message would. */
function statusCodeOf(thrown: unknown): { readonly status_code?: number } {
  const status_code = isObject(thrown) ? thrown.statusCode : undefined;
  return typeof status_code === "number" ? { status_code } : {};
}
