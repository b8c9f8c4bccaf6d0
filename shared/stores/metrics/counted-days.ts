import { DAY_SECONDS, startOfDay, type UtcDay, utcDay } from "../../domain/utc-day.ts";
import type { Db } from "../db.ts";
import { type EvalRow, evalListing } from "../evals/list-evals.ts";
import { openedKey, type Partition } from "../index-keys.ts";
import { listedRows } from "../listing/listed-rows.ts";
import type { Indexed, Listed } from "../listing/listing.ts";
import { type SessionRow, sessionListing } from "../sessions/session-listing.ts";
import { listedPartitions, type MetricsScope } from "./metrics-scope.ts";

type Row = Listed & { readonly created_at: number };

/**
 * The first day after a given one on which a session or an evaluation of the scope was created; undefined when there is
 * none. A run in an old session can be judged on a day without a new one.
 */
export async function nextCountedDay(
  db: Db,
  scope: MetricsScope,
  after: UtcDay | undefined,
): Promise<UtcDay | undefined> {
  const since = after === undefined ? undefined : keyAt(startOfDay(after) + DAY_SECONDS);
  const firstOf = async (listing: Indexed<Row>, partition: Partition): Promise<UtcDay | undefined> => {
    const range = { forward: true, perQuery: 1, ...(since !== undefined && { after: since }) };
    for await (const row of listedRows(db, listing, partition, range)) return utcDay(row.created_at);
    return undefined;
  };
  const firsts = await Promise.all(
    listedPartitions(db, scope).flatMap((partition) => [
      firstOf(sessionListing, partition),
      firstOf(evalListing, partition),
    ]),
  );
  return firsts.filter((day) => day !== undefined).sort()[0];
}

/** How far the rows of a day were read: all partitions before this one, and of this one the rows up to a key. */
export type Place = { readonly partition: number; readonly after?: string | undefined };
type Batch<R> = { readonly rows: readonly R[] /** Where the next batch begins. */; readonly next: Place };

/** The sessions of a scope that were created on a day, in batches, as the index shows them. @param from where an earlier reading ended */
export const sessionsOfDay = (db: Db, scope: MetricsScope, day: UtcDay, atATime: number, from?: Place) =>
  rowsOfDay<SessionRow>(db, sessionListing, scope, day, atATime, from);

/** The same of its evaluations. */
export const evalsOfDay = (db: Db, scope: MetricsScope, day: UtcDay, atATime: number, from?: Place) =>
  rowsOfDay<EvalRow>(db, evalListing, scope, day, atATime, from);

async function* rowsOfDay<R extends Row>(
  db: Db,
  listing: Indexed<R>,
  scope: MetricsScope,
  day: UtcDay,
  atATime: number,
  from: Place = { partition: 0 },
): AsyncGenerator<Batch<R>, undefined> {
  const [first, end] = [keyAt(startOfDay(day)), keyAt(startOfDay(day) + DAY_SECONDS)];
  for (const [at, partition] of listedPartitions(db, scope).entries()) {
    if (at < from.partition) continue;
    let rows: R[] = [];
    const after = (at === from.partition && from.after) || first;
    for await (const row of listedRows(db, listing, partition, { forward: true, after, perQuery: atATime })) {
      if (row.opened >= end) break;
      rows.push(row);
      if (rows.length < atATime) continue;
      yield { rows, next: { partition: at, after: row.opened } };
      rows = [];
    }
    if (rows.length > 0) yield { rows, next: { partition: at + 1 } };
  }
  return undefined;
}

/** Sorts before every session that was created at this moment or later. @param at epoch seconds */
const keyAt = (at: number): string => openedKey(at, "");
