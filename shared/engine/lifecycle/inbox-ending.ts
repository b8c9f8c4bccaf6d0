import { steeredIds } from "../../domain/runs/steered-ids.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import type { InboxEnding } from "../../stores/transactions/plan-rest.ts";
import type { RunOutcome } from "../run/run-outcome.ts";

/**
 * What becomes of messages that a run has not taken when it ends. A pause keeps them for later; those of a cancelled run, and
 * of a workflow whose steps are over, stay unread.
 *
 * @param budget  attempts of the run that answers the rest; undefined where the queue is off
 * @param now     epoch seconds
 */
export function inboxEnding(
  run: StoredRun,
  { status, inbox, output }: Pick<RunOutcome, "status" | "inbox" | "output">,
  budget: number | undefined,
  now: number,
): InboxEnding | undefined {
  const movesRest = (status === "COMPLETED" || status === "ERROR") && run.component_type !== "workflow";
  if (!movesRest) return undefined;
  const { settled = 0, given = [] } = inbox ?? {};
  // A message may have been given to a step that was cut off: then all of them are read again.
  const placed = given.length === 0 ? undefined : new Set(steeredIds(output));
  const hasAll = given.every((id) => placed?.has(id));
  return { run, output, failed: status === "ERROR", settled: hasAll ? settled : 0, budget, now };
}
