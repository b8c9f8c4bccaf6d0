import { anyOf, atMost, isNew } from "../../data/guard.ts";
import { write } from "../../data/write.ts";
import { putItem, type Write } from "../../data/writes.ts";
import type { Db } from "../db.ts";
import { runItem, type StoredRun } from "./run-item.ts";
import { spillRun } from "./spill-run.ts";

/** Most nested runs in the transaction of a run's end: items are below 100 KB, and a transaction has 4 MB. */
const MAX_IN_TRANSACTION = 20;
const WRITTEN_TOGETHER = 8;

/**
 * Prepares ended nested runs to be written with the end of their run. If there are too many for the transaction, the
 * first of them are written now, but not over the record of a later attempt.
 *
 * @returns the writes of the transaction
 */
export async function nestedPuts(db: Db, runs: readonly StoredRun[]): Promise<Write[]> {
  const early = runs.slice(0, Math.max(0, runs.length - MAX_IN_TRANSACTION));
  for (let i = 0; i < early.length; i += WRITTEN_TOGETHER) {
    await Promise.all(early.slice(i, i + WRITTEN_TOGETHER).map((run) => putEarly(db, run)));
  }
  const items = await Promise.all(runs.slice(early.length).map((run) => spillRun(db, run)));
  return items.map((run) => putItem("runs", runItem(run)));
}

async function putEarly(db: Db, run: StoredRun): Promise<void> {
  const item = runItem(await spillRun(db, run));
  await write(db, putItem("runs", item, anyOf(isNew, { attempt: atMost(run.attempt) })));
}
