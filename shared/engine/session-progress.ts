import { derivedName } from "../domain/derived-name.ts";
import type { StoredRun } from "../stores/runs/run-item.ts";
import type { SessionProgress } from "../stores/sessions/session-writes.ts";
import type { RunOutcome } from "./run-request.ts";

/**
 * What a run adds to its session once it has ended; a paused run adds it later. The session's state is written only
 * by a run that was given one or has changed it, so that runs side by side do not take each other's back.
 *
 * @param now  epoch seconds
 */
export function sessionProgress(
  run: StoredRun,
  outcome: RunOutcome,
  now: number,
): SessionProgress | undefined {
  if (outcome.status === "PAUSED") return undefined;
  const before = JSON.stringify(run.output.session_state ?? {});
  const after = outcome.output.session_state ?? {};
  const changed = run.kwargs.session_state !== undefined || JSON.stringify(after) !== before;
  return {
    metrics: outcome.output.metrics,
    session_state: changed ? after : undefined,
    derived_name: derivedName(run.output.input.input_content),
    now,
  };
}
