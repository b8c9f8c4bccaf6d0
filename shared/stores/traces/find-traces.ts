import * as v from "valibot";
import { type IndexBounds, indexBoundsOf } from "../../domain/traces/index-bounds-of.ts";
import { matchesTrace } from "../../domain/traces/matches-trace.ts";
import { dayOf, firstDay, startOfDay } from "../../domain/traces/retention.ts";
import type { TraceFilter } from "../../domain/traces/trace-filter.ts";
import { fitsKey } from "../../schemas/values/key-text.ts";
import { batchGet } from "../batch-get.ts";
import type { Db } from "../db.ts";
import { allPartitions, failedPartitions, openedKey, ownerPartition, type Partition } from "../index-keys.ts";
import { countListed } from "../listing/count-listed.ts";
import { listedRows, rowsByCreation } from "../listing/listed-rows.ts";
import { getSession } from "../sessions/session-item.ts";
import { readTrace } from "./read-trace.ts";
import {
  type ComponentField,
  componentPartitions,
  factsOf,
  StoredTrace,
  sessionPartition,
  startKey,
  type TraceRow,
  traceIdOf,
  traceKey,
  traceListing,
} from "./trace-item.ts";

export type TracesQuery = {
  /** Whose traces; undefined for everybody's. */
  readonly owner: string | undefined;
  readonly filter: TraceFilter | undefined;
  /** Days that a trace is stored. */
  readonly retentionDays: number;
  /** Epoch seconds. */
  readonly now: number;
};

/**
 * The first rows that match, the newest start first, and how many match in all.
 *
 * If the filter selects exactly the rows of index partitions, it reads the index up to the page's end, and for the count
 * the rows of about the last day, which the tallies do not include yet. For any other filter it reads all rows between
 * the bounds of start_time.
 *
 * @param need  rows
 * @throws ServiceError BAD_REQUEST when it would have to read more than `LIST_DEPTH` rows
 */
export async function findTraces(
  db: Db,
  query: TracesQuery,
  need: number,
): Promise<{ readonly rows: TraceRow[]; readonly total: number }> {
  const reach = indexBoundsOf(query.filter);
  if (!isPossible(reach)) return { rows: [], total: 0 };
  const place = await placeOf(db, query.owner, reach);
  if (!place.isExact) {
    const rows = await matchingTraces(db, query);
    return { rows: rows.slice(0, need), total: rows.length };
  }
  const listing = traceListing(query.retentionDays);
  const counts = await Promise.all(
    place.partitions.map((partition) => countListed(db, listing, partition, query.now)),
  );
  const first = firstDay(query.now, query.retentionDays);
  const total = counts
    .flatMap((of) => Object.entries(of))
    .reduce((sum, [day, count]) => (Number(day) >= first ? sum + count : sum), 0);
  const rows = await rowsByCreation(db, listing, place.partitions, {
    forward: false,
    need,
    counted: total,
    matches: () => true,
    after: earliest(query, reach),
  });
  return { rows, total: Math.max(total, rows.length) };
}

/** All rows that match, the newest start first. @throws as `findTraces` */
export async function matchingTraces(db: Db, query: TracesQuery): Promise<TraceRow[]> {
  const { owner, filter, retentionDays } = query;
  const reach = indexBoundsOf(filter);
  if (!isPossible(reach)) return [];
  const matches = (row: TraceRow) =>
    (owner === undefined || row.user_id === owner) &&
    (filter === undefined || matchesTrace(factsOf(row), filter));
  const { trace_id, run_id } = reach.equal;
  const id = trace_id ?? (run_id === undefined ? undefined : traceIdOf(run_id));
  if (id !== undefined) return (await rowOf(db, id, query)).filter(matches);
  const { partitions } = await placeOf(db, owner, reach);
  return rowsByCreation(db, traceListing(retentionDays), partitions, {
    forward: false,
    need: Number.POSITIVE_INFINITY,
    matches,
    after: earliest(query, reach),
    ...(reach.to !== undefined && { through: openedKey(Math.floor(reach.to / 1000) + 1, "") }),
  });
}

/** An id that is too long for a key matches nothing. */
const isPossible = ({ equal }: IndexBounds): boolean => Object.values(equal).every(fitsKey);

type Place = {
  readonly partitions: readonly Partition[];
  /** Whether exactly the rows of these partitions match. */
  readonly isExact: boolean;
};

async function placeOf(db: Db, owner: string | undefined, reach: IndexBounds): Promise<Place> {
  const { equal, isWhole, isFailed } = reach;
  const matchesAll = isWhole && Object.keys(equal).length === 0;
  if (equal.session_id !== undefined) {
    const sessionOwner = owner ?? (await ownerOfSession(db, equal.session_id));
    if (sessionOwner !== undefined) {
      return { partitions: [sessionPartition(sessionOwner, equal.session_id)], isExact: isWhole };
    }
  }
  if (owner !== undefined) return { partitions: [ownerPartition(owner)], isExact: matchesAll };
  if (equal.user_id !== undefined) {
    return { partitions: [ownerPartition(equal.user_id)], isExact: isWhole };
  }
  // Before the component: a component with most of the runs has many more traces than have failed.
  if (isFailed) return { partitions: failedPartitions(), isExact: false };
  const field = componentFields.find((name) => equal[name] !== undefined);
  if (field !== undefined) {
    const partitions = componentPartitions(field, equal[field] ?? "", db.runIndexShards);
    return { partitions, isExact: isWhole };
  }
  return { partitions: allPartitions(db.runIndexShards), isExact: matchesAll };
}

const componentFields: readonly ComponentField[] = ["agent_id", "team_id", "workflow_id"];

/** @returns undefined if the session does not exist */
const ownerOfSession = async (db: Db, sessionId: string): Promise<string | null | undefined> =>
  (await getSession(db, sessionId))?.user_id;

function earliest({ now, retentionDays }: TracesQuery, { from }: IndexBounds): string {
  const oldest = startOfDay(firstDay(now, retentionDays));
  return openedKey(Math.floor(Math.max(from ?? 0, oldest) / 1000), "");
}

async function rowOf(
  db: Db,
  traceId: string,
  { owner, now, retentionDays }: TracesQuery,
): Promise<TraceRow[]> {
  const { trace } = await readTrace(db, traceId, owner, now);
  if (!trace || dayOf(trace.start_ms) < firstDay(now, retentionDays)) return [];
  return [{ ...trace, ...traceKey(trace), opened: startKey(trace.start_ms, trace.trace_id) }];
}

/** The traces of some rows, in their order; missing ones are left out. */
export async function tracesAt(db: Db, rows: readonly TraceRow[]): Promise<StoredTrace[]> {
  const keys = rows.map(({ pk, sk }) => ({ pk, sk }));
  const items = await batchGet(db, db.tables.traces, keys);
  const byId = new Map(items.map((item) => [item.trace_id, v.parse(StoredTrace, item)]));
  return rows.flatMap(({ trace_id }) => byId.get(trace_id) ?? []);
}

/** The traces of a session, also those that are too old for lists. */
export const tracesOfSession = (
  db: Db,
  owner: string | null,
  sessionId: string,
): AsyncGenerator<TraceRow, undefined> =>
  listedRows(db, traceListing(Number.POSITIVE_INFINITY), sessionPartition(owner, sessionId), {
    forward: true,
  });
