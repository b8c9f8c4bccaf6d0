import type { StoredRun } from "../stores/runs/run-item.ts";
import type { SessionProgress, StateChange } from "../stores/sessions/session-writes.ts";
import type { RunOutcome } from "./run-request.ts";

/**
 * What a run adds to its session when it ends, or pauses after it changed the session's state. Of the state only the
 * keys that the run was given or has changed are written, so that runs side by side do not take each other's back.
 *
 * @param now  epoch seconds
 */
export function sessionProgress(
  run: StoredRun,
  outcome: RunOutcome,
  now: number,
): SessionProgress | undefined {
  const session_state = changedKeys(run, outcome);
  if (outcome.status === "PAUSED") {
    // Its sums follow when it has ended.
    return session_state && { metrics: undefined, session_state, now };
  }
  const summary = outcome.status === "COMPLETED" ? outcome.session_summary : undefined;
  return {
    metrics: outcome.output.metrics,
    session_state,
    ...(summary && { session_summary: summary }),
    now,
  };
}

function changedKeys(run: StoredRun, { output }: RunOutcome): StateChange | undefined {
  const given = Object.keys(run.kwargs.session_state ?? {});
  const before = run.output.session_state ?? {};
  const whole = output.session_state ?? {};
  const changed = Object.entries(whole).filter(
    ([key, value]) => given.includes(key) || JSON.stringify(value) !== JSON.stringify(before[key]),
  );
  return changed.length > 0 ? { changed: Object.fromEntries(changed), whole } : undefined;
}
