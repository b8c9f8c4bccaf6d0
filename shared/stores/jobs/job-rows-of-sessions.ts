import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { type JobFilter, matchesIndexed } from "../../domain/jobs/job-filter.ts";
import type { JobStatus } from "../../schemas/queue/queue-job.ts";
import { batchGet } from "../batch-get.ts";
import type { Db } from "../db.ts";
import { listRunIds } from "../runs/listing/list-run-ids.ts";
import { sessionKey } from "../sessions/session-item.ts";
import { type IndexRow, jobKey } from "./job-keys.ts";

type Filter = JobFilter & { readonly session_ids: readonly string[] };

/** Jobs that are read at a time. */
const JOBS_AT_A_TIME = 800;

/** What filters and sorts need of a job: never its payload. */
const FIELDS = [
  "id",
  "status",
  "session_id",
  "attempt",
  "component_id",
  "user_id",
  "available_at",
  "created_at",
  "updated_at",
  "completed_at",
  "expires_at",
];

/**
 * The jobs of some sessions, in no particular order. A job has the id of its run, and the runs of a session are in one
 * partition, so that neither an index nor a walk through the queue is needed.
 *
 * @param now  epoch seconds
 * @decided the jobs of a session that is removed with its runs are no longer found by it: nothing names them any more
 */
export async function jobRowsOfSessions(db: Db, filter: Filter, now: number): Promise<IndexRow[]> {
  const found = await Promise.all(
    [...new Set(filter.session_ids)].map((sessionId) => rowsOfSession(db, sessionId, filter, now)),
  );
  return found.flat();
}

async function rowsOfSession(db: Db, sessionId: string, filter: Filter, now: number): Promise<IndexRow[]> {
  const owner = await ownerOf(db, sessionId);
  if (owner === undefined) return [];
  const rows: IndexRow[] = [];
  for await (const ids of listRunIds(db, owner, sessionId, JOBS_AT_A_TIME)) {
    const items = (await batchGet(db, db.tables.jobs, ids.map(jobKey), FIELDS)) as Found[]; // as projected
    rows.push(...items.filter((row) => matches(row, filter, now)));
  }
  return rows;
}

type Found = IndexRow & { readonly status: JobStatus; readonly expires_at?: number };

const matches = (row: Found, filter: Filter, now: number): boolean =>
  (row.expires_at === undefined || row.expires_at > now) &&
  filter.statuses.includes(row.status) &&
  matchesIndexed(row, filter);

/** Who owns a session, or a removed one whose runs may still be there; undefined when there is no such session. */
async function ownerOf(db: Db, sessionId: string): Promise<string | null | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({
      TableName: db.tables.sessions,
      Key: sessionKey(sessionId),
      ProjectionExpression: "user_id",
      ConsistentRead: true,
    }),
  );
  return Item && ((Item.user_id as string | null | undefined) ?? null); // as projected
}
