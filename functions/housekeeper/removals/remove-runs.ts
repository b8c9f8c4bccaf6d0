import { listRunIds } from "../../../shared/stores/runs/listing/list-run-ids.ts";
import type { Tombstone } from "../../../shared/stores/sessions/tombstone.ts";
import type { RemoverDeps } from "./remover-deps.ts";
import { removeRunData } from "./session-data.ts";
import { stopRun } from "./stop-run.ts";

/** Runs that are removed side by side. */
const AT_A_TIME = 10;

type Removed = "all" | "some_are_executed" | "out_of_time";

/**
 * Stops and removes the runs of a removed session, with all that was said in them. For a run that is being executed only
 * the cancellation is requested: its record stays until its worker has ended it, because a worker may write events as
 * long as it lives.
 *
 * @param until  epoch milliseconds at which it breaks off
 */
export async function removeRuns(
  deps: RemoverDeps,
  { user_id: owner, session_id }: Tombstone,
  until: number,
): Promise<Removed> {
  let executed = 0;
  for await (const runIds of listRunIds(deps.db, owner, session_id, AT_A_TIME)) {
    if (deps.clock.now() >= until) return "out_of_time";
    await Promise.all(
      runIds.map(async (run_id) => {
        const stopped = await stopRun(deps, { owner, session_id, run_id });
        if (stopped) await removeRunData(deps, stopped);
        else executed += 1;
      }),
    );
  }
  return executed > 0 ? "some_are_executed" : "all";
}
