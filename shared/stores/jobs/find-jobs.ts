import { type JobFilter, matchesFilter, matchesIndexed } from "../../domain/jobs/job-filter.ts";
import type { Db } from "../db.ts";
import { mergeSorted } from "../listing/listed-rows.ts";
import type { StoredJob } from "./job-item.ts";
import { acceptedWithin, type IndexRow, statusShards } from "./job-keys.ts";
import { indexRows, readJobs } from "./list-jobs.ts";

/** Most jobs that one search reads, so that it stays within the time of a request. */
const FIND_DEPTH = 20_000;
/** Rows that are read at a time: as many as one batch read takes. */
const ROWS_AT_A_TIME = 100;

export type JobsMatched = {
  /** The oldest first. */
  readonly jobs: StoredJob[];
  /** Whether the search ended before every job was read. */
  readonly more: boolean;
};

/**
 * The oldest jobs that match a filter.
 *
 * @param limit  how many at most
 * @param now    epoch seconds
 */
export async function findJobs(db: Db, filter: JobFilter, limit: number, now: number): Promise<JobsMatched> {
  const jobs: StoredJob[] = [];
  let scanned = 0;
  for await (const ids of candidates(db, filter, now)) {
    const found = await readJobs(db, ids.rows);
    // The index may lag behind a row that has changed, and does not carry the error.
    jobs.push(...found.filter((job) => matchesFilter(job, filter)));
    scanned += ids.scanned;
    if (jobs.length > limit || scanned >= FIND_DEPTH) return { jobs: jobs.slice(0, limit), more: true };
  }
  return { jobs, more: false };
}

/** Ids of the jobs that match as far as the index shows, in batches, with how many rows were read for each. */
async function* candidates(
  db: Db,
  filter: JobFilter,
  now: number,
): AsyncGenerator<{ rows: string[]; scanned: number }> {
  const only = ["id", "created_at", "component_id", "user_id"];
  const shards = [...new Set(filter.statuses)].flatMap((status) => statusShards(db, status));
  const accepted = acceptedWithin(filter);
  if (!accepted) return;
  const streams = shards.map((shard) => indexRows(db, shard, { forward: true, now, only, accepted }));
  let rows = new Set<string>();
  let scanned = 0;
  for await (const row of mergeSorted(streams, wasAcceptedBefore)) {
    scanned += 1;
    if (matchesIndexed(row, filter)) rows.add(row.id);
    if (rows.size < ROWS_AT_A_TIME && scanned < FIND_DEPTH) continue;
    yield { rows: [...rows], scanned };
    rows = new Set();
    scanned = 0;
  }
  yield { rows: [...rows], scanned };
}

const wasAcceptedBefore = (a: IndexRow, b: IndexRow): boolean =>
  a.created_at === b.created_at ? a.id < b.id : a.created_at < b.created_at;
