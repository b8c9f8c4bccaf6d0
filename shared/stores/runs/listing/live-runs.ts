import type { RunStatus } from "../../../schemas/runs/run.ts";
import { batchGet } from "../../batch-get.ts";
import { type Db, queryPages } from "../../db.ts";
import { type RunAddress, runKey, sessionRunsKey } from "../run-keys.ts";

/** How many runs of a session are read, from its newest back. */
const LIVE_LOOK_DEPTH = 200;

/** What decides whether a run is live. */
type Liveness = { readonly status: RunStatus; readonly lease_until?: number };

const liveness = { ProjectionExpression: "run_id, #status, lease_until" };
const names = { ExpressionAttributeNames: { "#status": "status" } };

/** Waiting or being executed. A foreground run whose process must have ended is not live, nor is a paused run. */
const isLive = ({ status, lease_until }: Liveness, now: number): boolean =>
  status === "PENDING" || (status === "RUNNING" && (lease_until === undefined || lease_until >= now));

/**
 * The live runs of a session, the newest first, among about its newest `LIVE_LOOK_DEPTH` runs: the last page is read
 * whole.
 *
 * @param now  epoch seconds
 */
export const listLiveRuns = (db: Db, owner: string | null, sessionId: string, now: number) =>
  newestRuns(db, owner, sessionId, (run) => isLive(run, now));

/** Those that have not ended, which are the live ones and the paused ones; else the same. */
export const listOpenRuns = (db: Db, owner: string | null, sessionId: string, now: number) =>
  newestRuns(db, owner, sessionId, (run) => run.status === "PAUSED" || isLive(run, now));

async function newestRuns(
  db: Db,
  owner: string | null,
  sessionId: string,
  isWanted: (run: Liveness) => boolean,
): Promise<string[]> {
  const pages = queryPages(db, {
    TableName: db.tables.runs,
    KeyConditionExpression: "pk = :pk AND begins_with(sk, :run)",
    ExpressionAttributeValues: { ":pk": sessionRunsKey(owner, sessionId), ":run": "run#" },
    ...liveness,
    ...names,
    ScanIndexForward: false,
    ConsistentRead: true,
    Limit: LIVE_LOOK_DEPTH,
  });
  const wanted: string[] = [];
  let scanned = 0;
  for await (const { Items = [] } of pages) {
    const runs = Items as (Liveness & { readonly run_id: string })[]; // as projected
    wanted.push(...runs.filter(isWanted).map(({ run_id }) => run_id));
    scanned += runs.length;
    if (scanned >= LIVE_LOOK_DEPTH) break;
  }
  return wanted;
}

/**
 * Those of some runs of a session that have not ended, in the order in which they are given: the live ones, and the paused ones,
 * which are live again as soon as their user continues them.
 *
 * @param now  epoch seconds
 */
export async function onlyOpen(
  db: Db,
  { owner, session_id }: Omit<RunAddress, "run_id">,
  runIds: readonly string[],
  now: number,
): Promise<{ readonly live: string[]; readonly paused: string[] }> {
  const keys = runIds.map((run_id) => runKey(owner, session_id, run_id));
  const rows = await batchGet(db, db.tables.runs, keys, ["run_id", "status", "lease_until"]);
  const runs = new Map((rows as (Liveness & { readonly run_id: string })[]).map((run) => [run.run_id, run])); // as projected
  const those = (is: (run: Liveness) => boolean) =>
    runIds.filter((id) => {
      const run = runs.get(id);
      return run !== undefined && is(run);
    });
  return { live: those((run) => isLive(run, now)), paused: those(({ status }) => status === "PAUSED") };
}
