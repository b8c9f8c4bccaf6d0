import { write } from "../../data/index.ts";
import type { Db } from "../db.ts";
import { openedKey, type Partition } from "../index-keys.ts";
import { listedRows } from "./listed-rows.ts";
import type { Listed, Listing } from "./listing.ts";
import { getTally, replaceTally, type Tally } from "./tally.ts";

/** After this the indexes show every write. */
const SETTLING_SECONDS = 120;
/** The tally is advanced when at least this many records after it would be counted by every list. */
const ADVANCE_AFTER = 200;
/** Count keys may come from clients: a tally with more keys than this is not stored. */
const MAX_KEYS = 1_000;

/** Records after which a long count is saved: if it breaks off, the next one continues from there. */
const ROWS_AT_A_TIME = 10_000;

/**
 * How many records a partition holds, by what lists filter by.
 *
 * @param now  epoch seconds
 */
export async function countListed<Stored, Row extends Listed>(
  db: Db,
  listing: Listing<Stored, Row>,
  partition: Partition,
  now: number,
): Promise<Tally["counts"]> {
  let tally = await getTally(db, listing.table, partition);
  let fresh: Row[] = [];
  for await (const row of listedRows(db, listing, partition, { forward: true, after: tally.through })) {
    fresh.push(row);
    if (fresh.length % ROWS_AT_A_TIME === 0)
      ({ tally, fresh } = await advance(db, listing, partition, { tally, fresh }, now));
  }
  const { tally: reached, fresh: rest } = await advance(db, listing, partition, { tally, fresh }, now);
  return withRows(listing, reached.counts, rest);
}

/** A tally, and the rows after it. */
type Count<Row> = { readonly tally: Tally; readonly fresh: Row[] };

/** Saves the counts of records that are old enough. After a lost race they are counted again later. */
async function advance<Stored, Row extends Listed>(
  db: Db,
  listing: Listing<Stored, Row>,
  partition: Partition,
  count: Count<Row>,
  now: number,
): Promise<Count<Row>> {
  const { tally, fresh } = count;
  // A record that was just removed may still be in the index, and would be counted for ever.
  if (now - tally.changed_at < SETTLING_SECONDS) return count;
  const end = openedKey(now - (listing.settling_seconds ?? SETTLING_SECONDS), "");
  const settled = fresh.filter(({ opened }) => opened < end);
  const last = settled.at(-1);
  if (!last || settled.length < ADVANCE_AFTER) return count;
  const counts = withoutPast(listing, withRows(listing, tally.counts, settled), now);
  if (Object.keys(counts).length > MAX_KEYS) return count;
  const { changed_at, version } = tally;
  const next = { through: last.opened, counts, changed_at };
  const { written } = await write(db, replaceTally(listing.table, partition, tally, next));
  if (!written) return count;
  return { tally: { ...next, version: version + 1 }, fresh: fresh.slice(settled.length) };
}

function withRows<Stored, Row extends Listed>(
  { countKey }: Listing<Stored, Row>,
  counts: Tally["counts"],
  rows: readonly Row[],
): Tally["counts"] {
  const sums = new Map(Object.entries(counts));
  for (const row of rows) sums.set(countKey(row), (sums.get(countKey(row)) ?? 0) + 1);
  return Object.fromEntries(sums);
}

function withoutPast<Stored, Row extends Listed>(
  { isPast }: Listing<Stored, Row>,
  counts: Tally["counts"],
  now: number,
): Tally["counts"] {
  if (!isPast) return counts;
  return Object.fromEntries(Object.entries(counts).filter(([key]) => !isPast(key, now)));
}
