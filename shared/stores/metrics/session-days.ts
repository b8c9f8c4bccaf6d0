import { DAY_SECONDS, startOfDay, type UtcDay, utcDay } from "../../domain/utc-day.ts";
import type { Db } from "../db.ts";
import { openedKey } from "../listing/index-keys.ts";
import { listedRows } from "../listing/listed-rows.ts";
import { type SessionRow, sessionListing } from "../sessions/session-listing.ts";
import { type MetricsScope, sessionPartitions } from "./metrics-scope.ts";

/** The first day after a given one on which a session of the scope was created; undefined when there is none. */
export async function nextDayWithSessions(
  db: Db,
  scope: MetricsScope,
  after: UtcDay | undefined,
): Promise<UtcDay | undefined> {
  const since = after === undefined ? undefined : keyAt(startOfDay(after) + DAY_SECONDS);
  const firsts = await Promise.all(
    sessionPartitions(scope).map(async (partition) => {
      const range = { forward: true, perQuery: 1, ...(since !== undefined && { after: since }) };
      for await (const row of listedRows(db, sessionListing, partition, range)) return utcDay(row.created_at);
      return undefined;
    }),
  );
  return firsts.filter((day) => day !== undefined).sort()[0];
}

/** The sessions of a scope that were created on a day, in batches, as the index shows them. */
export async function* sessionsOfDay(
  db: Db,
  scope: MetricsScope,
  day: UtcDay,
  atATime: number,
): AsyncGenerator<SessionRow[], undefined> {
  const [from, to] = [keyAt(startOfDay(day)), keyAt(startOfDay(day) + DAY_SECONDS)];
  for (const partition of sessionPartitions(scope)) {
    let rows: SessionRow[] = [];
    const range = { forward: true, after: from, perQuery: atATime };
    for await (const row of listedRows(db, sessionListing, partition, range)) {
      if (row.opened >= to) break;
      rows.push(row);
      if (rows.length < atATime) continue;
      yield rows;
      rows = [];
    }
    if (rows.length > 0) yield rows;
  }
  return undefined;
}

/** Sorts before every session that was created at this moment or later. @param at epoch seconds */
const keyAt = (at: number): string => openedKey(at, "");
