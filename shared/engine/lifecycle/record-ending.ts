import type { FailureCause } from "../../domain/jobs/failure-cause.ts";
import { derivedName, joinedChanges } from "../../domain/sessions/session-state.ts";
import { describeForeignError } from "../../runtime/describe-error.ts";
import type { Log } from "../../runtime/log.ts";
import type { Figures, Meter } from "../../runtime/metrics/meter.ts";
import type { OperationalMetric } from "../../runtime/metrics/operational-metrics.ts";
import type { CountedUsage, RunMetrics } from "../../schemas/runs/run.ts";
import type { StoredOutput } from "../../schemas/runs/stored-output.ts";
import { isObject } from "../../schemas/values/json-values.ts";
import { eventSource } from "../../stores/runs/event-base.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import type { SessionProgress } from "../../stores/sessions/session-writes.ts";
import type { StateEnding } from "../../stores/transactions/ending.ts";
import { countedUsage, metricsWithin, sumOfMetrics } from "../run/metrics.ts";
import type { RunOutcome } from "../run/run-outcome.ts";

type Failure = Extract<RunOutcome, { status: "ERROR" }>;

const counterOf = {
  COMPLETED: "RunsCompleted",
  PAUSED: "RunsPaused",
  CANCELLED: "RunsCancelled",
  ERROR: "RunsFailed",
} as const satisfies Record<RunOutcome["status"], OperationalMetric>;

/** Counts a run that has ended or paused; the line of the log says whose run of what it was. */
export function recordEnding(
  meter: Meter | undefined,
  outcome: RunOutcome,
  { run_id, component_type, component_id, owner }: EndedRun,
): void {
  const figures = {
    [counterOf[outcome.status]]: 1,
    ...(outcome.status !== "PAUSED" && usageFigures(outcome)),
  };
  const component = `${component_type}s/${component_id}`;
  meter?.record(figures, undefined, { run_id, component, ...(owner !== null && { user_id: owner }) });
}

type EndedRun = Pick<StoredRun, "run_id" | "component_type" | "component_id" | "owner">;

/** What a run has used; recorded once, when it ends. */
function usageFigures({ output }: RunOutcome): Figures {
  const { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, cost } = usedBy(output) ?? {};
  const duration = output.metrics?.duration;
  return {
    ...(duration !== undefined && { RunSeconds: duration }),
    ...(input_tokens !== undefined && { InputTokens: input_tokens }),
    ...(output_tokens !== undefined && { OutputTokens: output_tokens }),
    ...(cache_read_tokens !== undefined && { CacheReadTokens: cache_read_tokens }),
    ...(cache_write_tokens !== undefined && { CacheWriteTokens: cache_write_tokens }),
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
  { cause, error, error_type, thrown }: Failure,
): void {
  const foreign =
    thrown === undefined ? { error_type } : { ...describeForeignError(thrown), ...statusCodeOf(thrown) };
  const described = cause === "internal" ? { thrown } : foreign;
  log.error("a run failed", { run_id, attempt, cause, ...(ourOwn.has(cause) && { error }), ...described });
  meter?.record({ Failures: 1 }, cause);
  // A figure of its own for its alarm, which would be charged for each cause.
  if (cause === "model" || cause === "throttled") meter?.record({ FailedAtModels: 1 });
}

/** What a service answered with: together with the cause it says most of what its message would. */
function statusCodeOf(thrown: unknown): { readonly status_code?: number } {
  const status_code = isObject(thrown) ? thrown.statusCode : undefined;
  return typeof status_code === "number" ? { status_code } : {};
}

/**
 * What a run adds to its session when it ends or pauses: what it used since it was added last, so that everything is
 * counted when it is spent, and once.
 *
 *   start ── 30 tokens ── pause: +30 ── 50 tokens ── end: +50
 *                            └ cancelled: +0
 *
 * @param now  epoch seconds
 */
export function sessionProgress(
  run: StoredRun,
  outcome: RunOutcome,
  now: number,
): SessionProgress | undefined {
  const tokens = tokenProgress(run, outcome, now);
  const addsNothing = !changesState(outcome) && Object.keys(tokens.metrics).length === 0;
  if (outcome.status === "PAUSED" && addsNothing) return undefined;
  const summary = outcome.status === "COMPLETED" ? outcome.session_summary : undefined;
  return { ...tokens, ...(summary && { summary }) };
}

/** What a run does to its session's state when it ends or pauses; undefined where nothing was executed. */
export function stateProgress(run: StoredRun, { session_state }: RunOutcome): StateEnding | undefined {
  if (!session_state) return undefined;
  const { read, repeats, pending } = session_state;
  return {
    read,
    repeats,
    changes: joinedChanges(pending),
    replaced: pending.replaced,
    run: eventSource(run),
  };
}

const changesState = ({ session_state }: RunOutcome): boolean =>
  session_state !== undefined &&
  (session_state.pending.entries.length > 0 || session_state.repeats !== undefined);

/**
 * What an attempt used that is executed again. The next one does not have in its
 * metrics what this one used after the step that it resumes from, so that is kept beside what is counted.
 *
 *   30 at the last checkpoint ── 20 more ── fails: +50 ── resumes with 30 ── 40 more ── end: +40, counted 70, before 20
 *
 * @param now  epoch seconds
 */
export function tokenProgress(run: StoredRun, { output, began_with }: RunOutcome, now: number) {
  const counted = countedUsage(output);
  const given = began_with ? usedSince(run.counted ?? {}, began_with) : {};
  const kept = usedSince(run.counted ?? {}, given);
  return {
    metrics: usedSince(counted, kept),
    counted,
    ...(Object.keys(given).length > 0 && { counted_before: sumOfUsage(run.counted_before, given) }),
    derived_name: derivedName(run.output.input.input_content),
    now,
  };
}

function sumOfUsage(a: CountedUsage = {}, b: CountedUsage): CountedUsage {
  const names = Object.keys({ ...a, ...b }) as (keyof CountedUsage)[]; // keys of objects that were built from a table
  return Object.fromEntries(names.map((name) => [name, (a[name] ?? 0) + (b[name] ?? 0)]));
}

/** A workflow's own metrics include those of all runs within it; a team's do not include its members'. */
const usedBy = (output: StoredOutput): RunMetrics | undefined =>
  output.member_responses ? sumOfMetrics(metricsWithin(output)) : output.metrics;

/** An execution that resumed from an older checkpoint may have used less in all than was counted. */
function usedSince(used: CountedUsage, counted: CountedUsage = {}): CountedUsage {
  const names = Object.keys(used) as (keyof CountedUsage)[]; // keys of an object that was built from a table
  const more = names.map((name) => [name, (used[name] ?? 0) - (counted[name] ?? 0)] as const);
  return Object.fromEntries(more.filter(([, tokens]) => tokens > 0));
}
