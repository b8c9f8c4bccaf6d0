import { write } from "../../data/write.ts";
import { putItem } from "../../data/writes.ts";
import type { ForegroundSlot } from "../budgets/foreground-slots.ts";
import type { Db } from "../db.ts";
import { watchEntries } from "../outbox/lease-watch.ts";
import { publishStart } from "../outbox/publish-start.ts";
import { runItem, type StoredRun } from "../runs/run-item.ts";
import { spillRun } from "../runs/spill-run.ts";
import { enterSession, type SessionEntry, spillEntry } from "../sessions/session-writes.ts";
import { commitStart } from "./commit-start.ts";
import type { Started } from "./started.ts";

type RunStart = {
  /** Absent where the user has no limit. */
  readonly slot?: ForegroundSlot | undefined;
  /** Epoch seconds; needed with a slot, and where it is told. */
  readonly now?: number;
  /** Whether receivers are told; of the trials of an evaluation nothing is. */
  readonly isPublished?: boolean;
};

/**
 * Writes the record of a foreground run that starts, together with its entry in the session and the slot of its user.
 * `changed` says that the session was created, or a turn in it was claimed, concurrently.
 */
export async function startRun(
  db: Db,
  run: StoredRun,
  entry: SessionEntry,
  { slot, now = 0, isPublished = false }: RunStart = {},
): Promise<Started> {
  const [spilled, fitted, watch, publication] = await Promise.all([
    spillRun(db, run),
    spillEntry(db, entry),
    watchEntries(db, run),
    publishStart(db, isPublished ? run : undefined, now),
  ]);
  const session = enterSession(fitted);
  const put = putItem("runs", runItem(spilled));
  if (!session && !slot && watch.length === 0 && publication.entries.length === 0) {
    await write(db, put);
    return { written: true };
  }
  return commitStart(db, { writes: () => [put, session], slot, watch, publication, now });
}
