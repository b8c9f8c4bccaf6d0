import { hasError, type JobFilter, matchesIndexed } from "../../domain/jobs/job-filter.ts";
import { ServiceError } from "../../errors.ts";
import type { JobSortField } from "../../schemas/queue/queue-job.ts";
import { batchGet } from "../batch-get.ts";
import { type Db, queryPages } from "../db.ts";
import { mergeSorted } from "../listing/listed-rows.ts";
import { countJobs } from "./counters.ts";
import { jobFrom, type StoredJob } from "./job-item.ts";
import { type Accepted, acceptedWithin, type IndexRow, jobKey, statusShards } from "./job-keys.ts";
import { jobRowsOfSessions } from "./job-rows-of-sessions.ts";

export type JobsQuery = JobFilter & {
  readonly page: number;
  readonly limit: number;
  readonly sort_by: JobSortField;
  readonly sort_order: "asc" | "desc";
  /** Jobs of any of these sessions only. */
  readonly session_ids?: readonly string[] | undefined;
};

export type JobsFound = { readonly jobs: StoredJob[]; readonly total: number };

/** Sorts other than by acceptance, and filters beside the status, read every key; beyond this many they are refused. */
const SORT_DEPTH = 100_000;
/** Most jobs whose errors one list reads. */
const ERRORS_DEPTH = 20_000;
const KEYS_PER_QUERY = 250;

/**
 * One page of jobs and the exact number of all that match. By acceptance (the default) it reads the keys up to the
 * page's end and the rows of the page, however many jobs there are. Jobs of sessions are found by the runs of these
 * sessions, whatever else is in the queue; those of a user or a component by all keys of the asked statuses within the
 * bounds of time. For a part of the error it reads the errors of all that match otherwise.
 *
 * @param now  epoch seconds
 * @throws ServiceError BAD_REQUEST when a sort other than by acceptance, or a filter, would have to read too many keys
 */
export async function listJobs(db: Db, query: JobsQuery, now: number): Promise<JobsFound> {
  const { rows, total } = await matchingRows(db, query, now);
  const offset = (query.page - 1) * query.limit;
  const ids = rows.slice(offset, offset + query.limit).map((row) => row.id);
  const jobs = await readJobs(db, ids);
  // The index may lag behind a row that has changed: such a row no longer matches.
  return { jobs: jobs.filter((job) => query.statuses.includes(job.status)), total };
}

type Rows = { readonly rows: readonly IndexRow[]; readonly total: number };

/** The matching rows in order, up to the end of the page at least, and how many match in all. */
async function matchingRows(db: Db, query: JobsQuery, now: number): Promise<Rows> {
  const { sort_by, sort_order } = query;
  const inOrder = bySortField(sort_by, sort_order);
  if (query.session_ids) {
    const rows = await jobRowsOfSessions(db, { ...query, session_ids: query.session_ids }, now);
    const matching = await withError(db, rows, query);
    return { rows: matching.sort(inOrder), total: matching.length };
  }
  if (isNarrowed(query)) {
    const matching = await withError(db, await narrowedRows(db, query, now), query);
    return { rows: matching.sort(inOrder), total: matching.length };
  }
  const counts = await countJobs(db, query.statuses, now);
  const total = Object.values(counts).reduce((sum, n) => sum + n, 0);
  const offset = (query.page - 1) * query.limit;
  if (offset >= total) return { rows: [], total };
  const shards = query.statuses
    .filter((status) => counts[status] !== 0)
    .flatMap((status) => statusShards(db, status));
  if (sort_by === "created_at") {
    return { rows: await rowsByAcceptance(db, shards, query, offset + query.limit, now), total };
  }
  if (total > SORT_DEPTH) throw tooMany(`sorting by ${sort_by}`, "sort by created_at");
  const all = await allRows(db, shards, { now, only: [sort_by] });
  return { rows: all.sort(inOrder), total };
}

/** Whether anything beside the status is filtered by: the counters do not show how many match then. */
const isNarrowed = (query: JobsQuery): boolean =>
  [query.user_id, query.component_id, query.created_after, query.created_before, query.error_contains].some(
    (value) => value !== undefined,
  );

/** The rows that match as far as the index shows. */
async function narrowedRows(db: Db, query: JobsQuery, now: number): Promise<IndexRow[]> {
  const accepted = acceptedWithin(query);
  if (!accepted) return [];
  const shards = query.statuses.flatMap((status) => statusShards(db, status));
  const only = ["component_id", "user_id", query.sort_by];
  const rows = await allRows(db, shards, { now, only, accepted });
  return rows.filter((row) => matchesIndexed(row, query));
}

/** Those of some rows whose jobs have the error that is filtered by. */
async function withError(db: Db, rows: readonly IndexRow[], query: JobsQuery): Promise<IndexRow[]> {
  if (query.error_contains === undefined) return [...rows];
  if (rows.length > ERRORS_DEPTH) throw tooMany("error_contains", NARROWER, ERRORS_DEPTH);
  const keys = rows.map(({ id }) => jobKey(id));
  const items = await batchGet(db, db.tables.jobs, keys, ["id", "error"]);
  const errors = new Map(items.map(({ id, error }) => [id, typeof error === "string" ? error : null]));
  return rows.filter(({ id }) => hasError({ error: errors.get(id) ?? null }, query));
}

const NARROWER = "name a session_id, or bounds of the acceptance";

const tooMany = (what: string, instead: string, depth = SORT_DEPTH): ServiceError =>
  new ServiceError(
    "BAD_REQUEST",
    `${what} reads every job of these statuses, and there are more than ${depth}; narrow the status filter or ${instead}`,
  );

/** The first `need` rows in order of acceptance, and all further rows of the same second as the last of them. */
async function rowsByAcceptance(
  db: Db,
  shards: readonly string[],
  { sort_order }: JobsQuery,
  need: number,
  now: number,
): Promise<IndexRow[]> {
  const forward = sort_order === "asc";
  const perQuery = Math.min(need + 1, KEYS_PER_QUERY);
  const only = ["id", "created_at"];
  const streams = shards.map((shard) => indexRows(db, shard, { forward, perQuery, now, only }));
  const precedes = (a: IndexRow, b: IndexRow) =>
    forward ? a.created_at < b.created_at : a.created_at > b.created_at;
  const merged: IndexRow[] = [];
  for await (const row of mergeSorted(streams, precedes)) {
    if (merged.length >= need && row.created_at !== merged[merged.length - 1]?.created_at) break;
    merged.push(row);
  }
  return distinct(merged).sort(bySortField("created_at", sort_order));
}

/** @throws ServiceError BAD_REQUEST where there are too many */
async function allRows(
  db: Db,
  shards: readonly string[],
  { only, ...options }: { now: number; only: readonly string[]; accepted?: Accepted },
): Promise<IndexRow[]> {
  const needed = [...new Set(["id", "created_at", ...only])];
  const rows: IndexRow[] = [];
  const readShard = async (shard: string) => {
    for await (const row of indexRows(db, shard, { forward: true, only: needed, ...options })) {
      rows.push(row);
      if (rows.length > SORT_DEPTH) throw tooMany("this filter", NARROWER);
    }
  };
  await Promise.all(shards.map(readShard));
  return distinct(rows);
}

/** A job that changes its status while it is listed may be found in two partitions. */
function distinct(rows: readonly IndexRow[]): IndexRow[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

/** Nulls stay together after everything else; `updated_at` falls back to acceptance; ties go by id. */
function bySortField(field: JobSortField, order: "asc" | "desc") {
  const sign = order === "asc" ? 1 : -1;
  const sortValue = (row: IndexRow) =>
    (field === "updated_at" ? (row.updated_at ?? row.created_at) : row[field]) ?? null;
  return (a: IndexRow, b: IndexRow): number => {
    const [x, y] = [sortValue(a), sortValue(b)];
    if (x !== y) {
      if (x === null) return 1;
      if (y === null) return -1;
      return x < y ? -sign : sign;
    }
    return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
  };
}

/** Rows of one partition of the index; pages are read as they are consumed. */
export async function* indexRows(
  db: Db,
  shard: string,
  options: {
    forward: boolean;
    now: number;
    perQuery?: number;
    only?: readonly string[];
    accepted?: Accepted;
  },
): AsyncGenerator<IndexRow, undefined> {
  const { accepted } = options;
  const pages = queryPages(db, {
    TableName: db.tables.jobs,
    IndexName: "by_status",
    KeyConditionExpression: `status_shard = :shard${accepted ? " AND accepted BETWEEN :from AND :to" : ""}`,
    FilterExpression: "attribute_not_exists(expires_at) OR expires_at > :now",
    ExpressionAttributeValues: {
      ":shard": shard,
      ":now": options.now,
      ...(accepted && { ":from": accepted.from, ":to": accepted.to }),
    },
    ScanIndexForward: options.forward,
    ...(options.only && {
      ProjectionExpression: options.only.map((name) => `#${name}`).join(", "),
      ExpressionAttributeNames: Object.fromEntries(options.only.map((name) => [`#${name}`, name])),
    }),
    ...(options.perQuery && { Limit: options.perQuery }),
  });
  for await (const page of pages) yield* (page.Items ?? []) as IndexRow[];
  return undefined;
}

/** Reads jobs by id, in the order of the ids. Missing ones are left out. */
export async function readJobs(db: Db, ids: readonly string[]): Promise<StoredJob[]> {
  const items = await batchGet(db, db.tables.jobs, ids.map(jobKey));
  const byId = new Map(items.map(jobFrom).map((job) => [job.id, job]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** When the longest-waiting queued job was accepted, in epoch seconds. */
export async function oldestQueued(db: Db, now: number): Promise<number | undefined> {
  const firsts = await Promise.all(
    statusShards(db, "queued").map((shard) =>
      indexRows(db, shard, { forward: true, now, perQuery: 1 }).next(),
    ),
  );
  const times = firsts.flatMap((first) => (first.done ? [] : [first.value.created_at]));
  return times.length === 0 ? undefined : Math.min(...times);
}
