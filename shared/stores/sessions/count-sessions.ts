import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../db.ts";
import { openedKey, type Partition } from "../listing/index-keys.ts";
import { pastConflicts } from "../transact.ts";
import { type SessionRow, sessionRows } from "./session-rows.ts";
import { countKey, getTally, replaceTally, type Tally } from "./tally.ts";

/** The indexes have caught up with every write after this. */
export const SETTLING_SECONDS = 120;
/** Sessions that are counted again and again before the tally takes them in. */
const ADVANCE_AFTER = 200;
/** Component ids are the clients' own: a tally of more of them than this is not kept. */
const MAX_KEYS = 1_000;

/** Sessions after which a long count is remembered on its way: if it is broken off, the next one goes on from there. */
const ROWS_AT_A_TIME = 10_000;

/**
 * How many sessions a partition holds, by type and component.
 *
 * @param now  epoch seconds
 */
export async function countSessions(db: Db, partition: Partition, now: number): Promise<Tally["counts"]> {
  let tally = await getTally(db, partition);
  let fresh: SessionRow[] = [];
  for await (const row of sessionRows(db, partition, { forward: true, after: tally.through })) {
    fresh.push(row);
    if (fresh.length % ROWS_AT_A_TIME === 0)
      ({ tally, fresh } = await advance(db, partition, { tally, fresh }, now));
  }
  const counted = await advance(db, partition, { tally, fresh }, now);
  return withRows(counted.tally.counts, counted.fresh);
}

/** A tally, and the sessions after it. */
type Count = { readonly tally: Tally; readonly fresh: SessionRow[] };

/** Remembers what will not change any more by itself. Whoever comes second counts once more, no harm done. */
async function advance(db: Db, partition: Partition, count: Count, now: number): Promise<Count> {
  const { tally, fresh } = count;
  // A session that was just removed may still show in the index, and would be counted for ever.
  if (now - tally.changed_at < SETTLING_SECONDS) return count;
  const end = openedKey(now - SETTLING_SECONDS, "");
  const settled = fresh.filter(({ opened }) => opened < end);
  const last = settled.at(-1);
  if (!last || settled.length < ADVANCE_AFTER) return count;
  const counts = withRows(tally.counts, settled);
  if (Object.keys(counts).length > MAX_KEYS) return count;
  const { changed_at, version } = tally;
  const next = { through: last.opened, counts, changed_at };
  const { Put } = replaceTally(db, partition, tally, next);
  try {
    await pastConflicts(() => db.client.send(new PutCommand(Put)));
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return count;
    throw error;
  }
  return { tally: { ...next, version: version + 1 }, fresh: fresh.slice(settled.length) };
}

function withRows(counts: Tally["counts"], rows: readonly SessionRow[]): Tally["counts"] {
  const sums = new Map(Object.entries(counts));
  for (const row of rows) sums.set(countKey(row), (sums.get(countKey(row)) ?? 0) + 1);
  return Object.fromEntries(sums);
}
