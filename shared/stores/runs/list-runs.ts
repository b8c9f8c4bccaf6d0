import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../db.ts";
import { queryPages } from "../query-pages.ts";
import { runFrom, type StoredRun } from "./run-item.ts";
import { sessionRunsKey } from "./run-keys.ts";

/** Every run of a session, oldest first. @param now epoch seconds */
export async function listRuns(
  db: Db,
  owner: string | null,
  sessionId: string,
  now: number,
): Promise<StoredRun[]> {
  const runs: StoredRun[] = [];
  for await (const page of queryPages(db, runsOfSession(db, owner, sessionId))) {
    runs.push(...(page.Items ?? []).map((item) => runFrom(item, now)));
  }
  return runs;
}

/**
 * The latest completed runs of a session, oldest first: what a model is shown as history. Looks at a few more than
 * asked for, because unfinished and failed ones do not count.
 */
export async function listRecentRuns(
  db: Db,
  owner: string | null,
  sessionId: string,
  count: number,
  now: number,
): Promise<StoredRun[]> {
  const page = await db.client.send(
    new QueryCommand({
      ...runsOfSession(db, owner, sessionId),
      ScanIndexForward: false,
      Limit: count + RUNS_THAT_DO_NOT_COUNT,
    }),
  );
  const completed = (page.Items ?? [])
    .map((item) => runFrom(item, now))
    .filter((run) => run.status === "COMPLETED");
  return completed.slice(0, count).reverse();
}

const RUNS_THAT_DO_NOT_COUNT = 10;

const runsOfSession = (db: Db, owner: string | null, sessionId: string) => ({
  TableName: db.tables.runs,
  KeyConditionExpression: "pk = :pk AND begins_with(sk, :run)",
  ExpressionAttributeValues: { ":pk": sessionRunsKey(owner, sessionId), ":run": "run#" },
  ConsistentRead: true,
});
