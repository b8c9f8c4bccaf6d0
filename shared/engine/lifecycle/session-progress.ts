import { derivedName } from "../../domain/derived-name.ts";
import type { RunMetrics } from "../../schemas/runs/run.ts";
import type { StoredOutput } from "../../schemas/runs/stored-output.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import type { SessionProgress } from "../../stores/sessions/session-writes.ts";
import { metricsWithin, sumOfMetrics } from "../run/metrics.ts";
import type { RunOutcome } from "../run/run-outcome.ts";

/**
 * What a run adds to its session when it ends, or pauses after it changed the session's state.
 *
 * @param now  epoch seconds
 */
export function sessionProgress(
  run: StoredRun,
  outcome: RunOutcome,
  now: number,
): SessionProgress | undefined {
  const state = stateProgress(run, outcome);
  const derived_name = derivedName(run.output.input.input_content);
  if (outcome.status === "PAUSED") {
    // Its usage is added when it ends.
    return state && { metrics: undefined, ...state, derived_name, now };
  }
  const summary = outcome.status === "COMPLETED" ? outcome.session_summary : undefined;
  return {
    metrics: usedBy(outcome.output),
    session_state: undefined,
    ...state,
    ...(summary && { summary }),
    derived_name,
    now,
  };
}

/** A workflow's own metrics include those of all runs within it; a team's do not include its members'. */
export const usedBy = (output: StoredOutput): RunMetrics | undefined =>
  output.member_responses ? sumOfMetrics(metricsWithin(output)) : output.metrics;

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
