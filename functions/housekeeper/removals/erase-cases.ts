import { epochSeconds } from "../../../shared/runtime/clock.ts";
import { eraseCasesOf } from "../../../shared/stores/evals/index.ts";
import { removeSessions } from "../../../shared/stores/sessions/remove-sessions.ts";
import type { RemoverDeps } from "./remover-deps.ts";

type Removed = Parameters<typeof eraseCasesOf>[1];

/**
 * Erases the cases that were taken from a removed session, wherever they are, and has the sessions removed in which evaluations
 * asked them: what was said there repeats them.
 */
export async function eraseCases(
  { db, clock, removals }: Pick<RemoverDeps, "db" | "clock" | "removals">,
  removed: Removed,
): Promise<void> {
  const now = epochSeconds(clock);
  const trials = await eraseCasesOf(db, removed, now);
  const owners = new Map(trials.map(({ session_id, owner }) => [session_id, owner]));
  const isTrial = ({
    session_id,
    user_id,
  }: {
    readonly session_id: string;
    readonly user_id: string | null;
  }) => owners.get(session_id) === user_id;
  const ids = await removeSessions(db, [...owners.keys()], isTrial, now);
  // A message that is lost is sent again by the sweeper, which finds the tombstone.
  await Promise.all(ids.map((session_id) => removals.send({ session_id, round: 0 })));
}
