import type { Db } from "../../shared/stores/db.ts";
import { runItem, type StoredRun } from "../../shared/stores/runs/run-item.ts";
import { sessionItem } from "../../shared/stores/sessions/session-item.ts";
import { putItems } from "./put-items.ts";
import { aJob, aSessionOf } from "./records.ts";

/** Puts many runs at once, with the sessions without which nothing lists them. */
export async function putRuns(db: Db, runs: readonly StoredRun[]): Promise<void> {
  const bySession = new Map(runs.map((run) => [run.session_id, run]));
  const sessions = [...bySession.values()].map(({ session_id, owner, output: { created_at } }) =>
    sessionItem(aSessionOf(aJob({ session_id, owner, user_id: owner, created_at }))),
  );
  await putItems(db, "sessions", sessions);
  await putItems(
    db,
    "runs",
    runs.map((run) => runItem(run)),
  );
}
