import { ServiceError } from "../../errors.ts";
import type { JobSortField, JobStatus } from "../../schemas/queue/queue-job.ts";
import { batchGet } from "../batch-get.ts";
import type { Db } from "../db.ts";
import { queryPages } from "../query-pages.ts";
import { countJobs } from "./counters.ts";
import type { IndexRow } from "./index-row.ts";
import { jobFrom, type StoredJob } from "./job-item.ts";
import { jobKey, statusShards } from "./job-keys.ts";
import { jobRowsOfSessions } from "./job-rows-of-sessions.ts";
import { mergeSorted } from "./merge-sorted.ts";

export type JobsQuery = {
  readonly statuses: readonly JobStatus[];
  readonly page: number;
  readonly limit: number;
  readonly sort_by: JobSortField;
  readonly sort_order: "asc" | "desc";
  /** Jobs of any of these sessions only. */
  readonly session_ids?: readonly string[] | undefined;
  readonly user_id?: string | undefined;
};

export type JobsFound = { readonly jobs: StoredJob[]; readonly total: number };

/** Sorts other than by acceptance, and the jobs of one user, read every key; beyond this many they are refused. */
const SORT_DEPTH = 100_000;
const KEYS_PER_QUERY = 250;

/**
 * One page of jobs and the exact number of all that match. By acceptance (the default) it reads the keys up to the
 * page's end and the rows of the page, however many jobs there are. Jobs of sessions are found by the runs of these
 * sessions, whatever else is in the queue; those of a user by all keys of the asked statuses.
 *
 * @param now  epoch seconds
 * @throws ServiceError BAD_REQUEST when a sort other than by acceptance, or a user, would have to read too many keys
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
  if (query.session_ids) {
    const rows = await jobRowsOfSessions(db, { ...query, session_ids: query.session_ids }, now);
    return { rows: rows.sort(bySortField(sort_by, sort_order)), total: rows.length };
  }
  const counts = await countJobs(db, query.statuses, now);
  const total = Object.values(counts).reduce((sum, n) => sum + n, 0);
  const shards = query.statuses
    .filter((status) => counts[status] !== 0)
    .flatMap((status) => statusShards(db, status));
  if (query.user_id !== undefined) {
    const rows = await rowsBySort(db, shards, query, total, now);
    return { rows, total: rows.length };
  }
  const offset = (query.page - 1) * query.limit;
  if (offset >= total) return { rows: [], total };
  const rows =
    sort_by === "created_at"
      ? await rowsByAcceptance(db, shards, query, offset + query.limit, now)
      : await rowsBySort(db, shards, query, total, now);
  return { rows, total };
}

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

async function rowsBySort(
  db: Db,
  shards: readonly string[],
  { sort_by, sort_order, user_id }: JobsQuery,
  total: number,
  now: number,
): Promise<IndexRow[]> {
  if (total > SORT_DEPTH) {
    const [what, instead] =
      user_id === undefined
        ? [`sorting by ${sort_by}`, "sort by created_at"]
        : ["listing by user_id", "name a session_id"];
    throw new ServiceError(
      "BAD_REQUEST",
      `${what} reads every job of these statuses, and there are ${total}; narrow the status filter below ${SORT_DEPTH} or ${instead}`,
    );
  }
  const all = await Promise.all(shards.map((shard) => allRows(db, shard, sort_by, now)));
  const rows = distinct(all.flat()).filter((row) => user_id === undefined || row.user_id === user_id);
  return rows.sort(bySortField(sort_by, sort_order));
}

async function allRows(db: Db, shard: string, sortBy: JobSortField, now: number): Promise<IndexRow[]> {
  const rows: IndexRow[] = [];
  const only = [...new Set(["id", "created_at", "user_id", sortBy])];
  for await (const row of indexRows(db, shard, { forward: true, now, only })) rows.push(row);
  return rows;
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
  options: { forward: boolean; now: number; perQuery?: number; only?: readonly string[] },
): AsyncGenerator<IndexRow, undefined> {
  const pages = queryPages(db, {
    TableName: db.tables.jobs,
    IndexName: "by_status",
    KeyConditionExpression: "status_shard = :shard",
    FilterExpression: "attribute_not_exists(expires_at) OR expires_at > :now",
    ExpressionAttributeValues: { ":shard": shard, ":now": options.now },
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
