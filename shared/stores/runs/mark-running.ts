import { transact } from "../../data/transact.ts";
import { writeAndRead } from "../../data/write.ts";
import type { Update } from "../../data/writes.ts";
import type { Db } from "../db.ts";
import type { Publication } from "../outbox/change-event.ts";
import { getRun } from "./get-run.ts";
import { runFrom, type StoredRun } from "./run-item.ts";
import type { RunAddress } from "./run-keys.ts";
import { runUpdate } from "./run-update.ts";
import { wholeRun } from "./spill-run.ts";

/** Started, with the record as this attempt found it; or refused, with the record that was seen, if any. */
export type Marked =
  | { readonly started: true; readonly run: StoredRun }
  | { readonly started: false; readonly seen: StoredRun | undefined };

/**
 * Writes the attempt to a run record and sets it RUNNING.
 *
 * @param now       epoch seconds
 * @param hops      how often the attempt was handed off
 * @param publication  what is published of it, in the same transaction; one conditional write where there is no subscriber
 * @param revision  of its component in this code, null where none is declared; undefined leaves the recorded one
 */
export async function markRunning(
  db: Db,
  at: RunAddress,
  attempt: number,
  now: number,
  {
    hops = 0,
    revision,
    publication,
  }: {
    readonly hops?: number | undefined;
    readonly revision?: string | null;
    readonly publication?: Publication;
  } = {},
): Promise<Marked> {
  const change = { status: "RUNNING" as const, updated_at: now, ...(revision !== undefined && { revision }) };
  const starting = runUpdate(at, { by: "start", attempt, hops }, change);
  if (publication && publication.entries.length > 0)
    return markAndPublish(db, at, now, starting, publication);
  const result = await writeAndRead(db, starting);
  if (result.written) return { started: true, run: await wholeRun(db, runFrom(result.item, now)) };
  return { started: false, seen: result.seen && runFrom(result.seen, now) };
}

async function markAndPublish(
  db: Db,
  at: RunAddress,
  now: number,
  starting: Update,
  publication: Publication,
): Promise<Marked> {
  const result = await transact(db, { run: starting, publication: publication.entries });
  if (!result.written) return { started: false, seen: result.seen && runFrom(result.seen, now) };
  await publication.wake();
  const run = await getRun(db, at, now);
  return run ? { started: true, run } : { started: false, seen: undefined };
}
