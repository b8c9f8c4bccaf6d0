import { type Db, queryPages } from "../../db.ts";
import { unspillFields } from "../../objects/spill.ts";
import { runFrom, type StoredRun, wholeRun } from "../run-item.ts";
import { sessionRunsKey } from "../run-keys.ts";

/** Runs whose large fields are fetched at the same time. */
const FETCHED_TOGETHER = 8;

/** Every run of a session with its large fields, oldest first. @param now epoch seconds */
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
  const whole: StoredRun[] = [];
  for (let i = 0; i < runs.length; i += FETCHED_TOGETHER) {
    whole.push(...(await Promise.all(runs.slice(i, i + FETCHED_TOGETHER).map((run) => wholeRun(db, run)))));
  }
  return whole;
}

/**
 * The latest completed runs of a session with their messages, oldest first: the history that a model is shown. Reads
 * more runs than requested, because unfinished and failed ones do not count, nor those that `counts` refuses. Their
 * other large fields are not fetched.
 */
export async function listRecentRuns(
  db: Db,
  { owner, session_id }: Pick<StoredRun, "owner" | "session_id">,
  { count, counts }: { readonly count: number; readonly counts: (run: StoredRun) => boolean },
  now: number,
): Promise<StoredRun[]> {
  const Limit = count + RUNS_THAT_DO_NOT_COUNT;
  const newestFirst = { ...runsOfSession(db, owner, session_id), ScanIndexForward: false, Limit };
  const found: StoredRun[] = [];
  let scanned = 0;
  // A page ends after 1 MB, whatever the limit.
  for await (const { Items = [] } of queryPages(db, newestFirst)) {
    const runs = Items.map((item) => runFrom(item, now));
    found.push(...runs.filter((run) => run.status === "COMPLETED" && counts(run)));
    scanned += Items.length;
    if (found.length >= count || scanned >= Limit * MAX_PAGES) break;
  }
  const shown = found.slice(0, count).reverse();
  return Promise.all(shown.map((run) => withMessages(db, run)));
}

async function withMessages(db: Db, { output_large, ...run }: StoredRun): Promise<StoredRun> {
  return { ...run, output: await unspillFields(db, run.output, output_large, ["messages"]) };
}

const RUNS_THAT_DO_NOT_COUNT = 10;
/** A run of a team or a workflow may have many nested runs, which are among the items too. */
const MAX_PAGES = 10;

const runsOfSession = (db: Db, owner: string | null, sessionId: string) => ({
  TableName: db.tables.runs,
  KeyConditionExpression: "pk = :pk AND begins_with(sk, :run)",
  ExpressionAttributeValues: { ":pk": sessionRunsKey(owner, sessionId), ":run": "run#" },
  ConsistentRead: true,
});
