import { GetCommand } from "@aws-sdk/lib-dynamodb";
import type { RunStatus } from "../../schemas/runs/run.ts";
import type { Db } from "../db.ts";
import { queryPages } from "../query-pages.ts";
import type { RunAddress } from "./run-address.ts";
import { runKey, sessionRunsKey } from "./run-keys.ts";

/** Runs of a session that are looked at, counted from its newest. */
const LIVE_LOOK_DEPTH = 200;

/** What is read of a run to tell whether it is live. */
type Vital = { readonly status: RunStatus; readonly lease_until?: number };

const vitals = { ProjectionExpression: "run_id, #status, lease_until" };
const names = { ExpressionAttributeNames: { "#status": "status" } };

/** Waiting or being executed. A foreground run whose process must be gone is neither; a paused run rests. */
const isLive = ({ status, lease_until }: Vital, now: number): boolean =>
  status === "PENDING" || (status === "RUNNING" && (lease_until === undefined || lease_until >= now));

/**
 * The live runs of a session, the newest first, among its newest `LIVE_LOOK_DEPTH` runs (or a few more: pages end where they
 * end).
 *
 * @param now  epoch seconds
 */
export async function listLiveRuns(
  db: Db,
  owner: string | null,
  sessionId: string,
  now: number,
): Promise<string[]> {
  const pages = queryPages(db, {
    TableName: db.tables.runs,
    KeyConditionExpression: "pk = :pk AND begins_with(sk, :run)",
    ExpressionAttributeValues: { ":pk": sessionRunsKey(owner, sessionId), ":run": "run#" },
    ...vitals,
    ...names,
    ScanIndexForward: false,
    ConsistentRead: true,
    Limit: LIVE_LOOK_DEPTH,
  });
  const live: string[] = [];
  let looked = 0;
  for await (const { Items = [] } of pages) {
    const runs = Items as (Vital & { readonly run_id: string })[]; // as projected
    live.push(...runs.filter((run) => isLive(run, now)).map(({ run_id }) => run_id));
    looked += runs.length;
    if (looked >= LIVE_LOOK_DEPTH) break;
  }
  return live;
}

/** Whether one run is live; one that is gone is not. @param now epoch seconds */
export async function isRunLive(db: Db, at: RunAddress, now: number): Promise<boolean> {
  const { Item } = await db.client.send(
    new GetCommand({
      TableName: db.tables.runs,
      Key: runKey(at.owner, at.session_id, at.run_id),
      ...vitals,
      ...names,
      ConsistentRead: true,
    }),
  );
  return Item !== undefined && isLive(Item as Vital, now); // as projected
}
