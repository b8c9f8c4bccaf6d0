import { derivedName } from "../../domain/derived-name.ts";
import type { RunMetrics, TokenCounts } from "../../schemas/runs/run.ts";
import type { StoredOutput } from "../../schemas/runs/stored-output.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import type { SessionProgress } from "../../stores/sessions/session-writes.ts";
import { metricsWithin, sumOfMetrics, tokenCounts, usageOf } from "../run/metrics.ts";
import type { RunOutcome } from "../run/run-outcome.ts";

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
  const state = stateProgress(run, outcome);
  const tokens = tokenProgress(run, outcome, now);
  if (outcome.status === "PAUSED" && !state && Object.keys(tokens.metrics).length === 0) return undefined;
  const summary = outcome.status === "COMPLETED" ? outcome.session_summary : undefined;
  return {
    ...tokens,
    ...state,
    ...(summary && { summary }),
  };
}

/**
 * The same without the session's state: what an attempt used that is executed again. The next one does not have in its
 * metrics what this one used after the step that it resumes from, so that is kept beside what is counted.
 *
 *   30 at the last checkpoint ── 20 more ── fails: +50 ── resumes with 30 ── 40 more ── end: +40, counted 70, before 20
 *
 * @param now  epoch seconds
 */
export function tokenProgress(run: StoredRun, { output, began_with }: RunOutcome, now: number) {
  const counted = tokensOf(usedBy(output));
  const given = began_with ? usedSince(run.counted ?? {}, began_with) : {};
  const kept = usedSince(run.counted ?? {}, given);
  return {
    metrics: usedSince(counted, kept),
    counted,
    ...(Object.keys(given).length > 0 && { counted_before: sumOfTokens(run.counted_before, given) }),
    session_state: undefined,
    derived_name: derivedName(run.output.input.input_content),
    now,
  };
}

const sumOfTokens = (a: TokenCounts | undefined, b: TokenCounts): TokenCounts =>
  tokensOf(sumOfMetrics([a, b]));

/** A workflow's own metrics include those of all runs within it; a team's do not include its members'. */
export const usedBy = (output: StoredOutput): RunMetrics | undefined =>
  output.member_responses ? sumOfMetrics(metricsWithin(output)) : output.metrics;

const tokensOf = (metrics: RunMetrics | undefined): TokenCounts => tokenCounts(usageOf(metrics));

/** An execution that resumed from an older checkpoint may have used less in all than was counted. */
function usedSince(used: TokenCounts, counted: TokenCounts = {}): TokenCounts {
  const names = Object.keys(used) as (keyof TokenCounts)[]; // keys of an object that was built from a table
  const more = names.map((name) => [name, (used[name] ?? 0) - (counted[name] ?? 0)] as const);
  return Object.fromEntries(more.filter(([, tokens]) => tokens > 0));
}

/** DynamoDB limits an expression to 4 KB. */
const MAX_CHANGES = 100;
/** Above this the whole state is written: keys that are added one by one must not outgrow the item. */
const MAX_BYTES = 32_768;

type StateProgress = Pick<SessionProgress, "session_state" | "state_changes">;

/**
 * Only the keys of the state that came with the run or were changed by it are written, so that concurrent runs do not
 * overwrite each other's changes.
 */
function stateProgress(run: StoredRun, { output }: RunOutcome): StateProgress | undefined {
  const state = output.session_state ?? {};
  const changes = Object.fromEntries(changedEntries(run, state));
  const count = Object.keys(changes).length;
  if (count === 0) return undefined;
  const isSmall = count <= MAX_CHANGES && Buffer.byteLength(JSON.stringify(state)) <= MAX_BYTES;
  return isSmall ? { session_state: undefined, state_changes: changes } : { session_state: state };
}

function changedEntries({ kwargs, output }: StoredRun, state: Record<string, unknown>) {
  const requested = Object.keys(kwargs.session_state ?? {});
  const before = output.session_state ?? {};
  return Object.entries(state).filter(
    ([key, value]) => requested.includes(key) || JSON.stringify(value) !== JSON.stringify(before[key]),
  );
}
