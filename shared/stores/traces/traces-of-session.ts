import type { Db } from "../db.ts";
import { listedRows } from "../listing/listed-rows.ts";
import { sessionPartition } from "./trace-keys.ts";
import { type TraceRow, traceListing } from "./trace-row.ts";

/** The traces of a session, also those that are too old for lists. */
export const tracesOfSession = (
  db: Db,
  owner: string | null,
  sessionId: string,
): AsyncGenerator<TraceRow, undefined> =>
  listedRows(db, traceListing(Number.POSITIVE_INFINITY), sessionPartition(owner, sessionId), {
    forward: true,
  });
