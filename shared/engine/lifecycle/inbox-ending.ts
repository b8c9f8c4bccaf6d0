import type { StoredRun } from "../../stores/runs/run-item.ts";
import type { InboxEnding } from "../../stores/transactions/plan-rest.ts";
import type { RunOutcome } from "../run/run-outcome.ts";
import { steeredIds } from "../run/steered-ids.ts";

/**
 * What becomes of messages that a run has not taken when it ends. A pause keeps them for later; those of a cancelled run, and
 * of a workflow whose steps are over, stay unread.
 *
 * @param budget  attempts of the run that answers the rest; undefined where the queue is off
 */
export function inboxEnding(
  run: StoredRun,
  { status, settled = 0, output }: Pick<RunOutcome, "status" | "settled" | "output">,
  budget: number | undefined,
): InboxEnding | undefined {
  const movesRest = (status === "COMPLETED" || status === "ERROR") && run.component_type !== "workflow";
  if (!movesRest) return undefined;
  return { run, settled, placed: new Set(steeredIds(output)), budget };
}
