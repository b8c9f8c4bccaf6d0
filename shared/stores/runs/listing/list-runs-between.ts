import { type RunStatus, runStatuses } from "../../../schemas/runs/run.ts";
import { type Db, queryPages } from "../../db.ts";
import { runFrom, StoredRun, wholeRun } from "../run-item.ts";
import { sessionRunsKey } from "../run-keys.ts";

export type RunsFilter = {
  /** Inclusive bounds on `created_at`, epoch seconds. */
  readonly created_after?: number | undefined;
  readonly created_before?: number | undefined;
  /** Only runs before this one; it need not exist. */
  readonly before_run_id?: string | undefined;
  /** All statuses when absent. */
  readonly statuses?: ReadonlySet<RunStatus> | undefined;
};

/** What is shown of a run, and its size in the answer. */
export type Shown<Value> = { readonly value: Value; readonly bytes: number };

export type RunsWanted<Value> = RunsFilter & {
  /** What is shown of a run; undefined leaves it out. */
  readonly show: (run: StoredRun) => Promise<Shown<Value> | undefined>;
  /** Most runs; as many as fit when absent. */
  readonly limit?: number | undefined;
  /** Limit on the size of what is shown. */
  readonly maxBytes: number;
};

export type RunsBetween<Value> = {
  /** The oldest first. */
  readonly shown: Value[];
  /** The oldest run that is shown, where older ones were left out because of a limit. */
  readonly cutAt: StoredRun | undefined;
};

/** Clocks of two processes differ by less than this. */
const SKEW_SECONDS = 60;
/** Runs whose large fields are fetched at the same time. */
const FETCHED_TOGETHER = 8;

/**
 * The newest runs of a session within bounds, as many as `limit` and `maxBytes` allow. Reads from the newest back and
 * stops at the limit, so a long session costs no more than a full answer.
 *
 * @param now  epoch seconds
 */
export async function listRunsBetween<Value>(
  db: Db,
  owner: string | null,
  sessionId: string,
  wanted: RunsWanted<Value>,
  now: number,
): Promise<RunsBetween<Value>> {
  const { show, limit = Number.POSITIVE_INFINITY, maxBytes } = wanted;
  const newest: Value[] = [];
  let oldest: StoredRun | undefined;
  let bytes = 0;
  // One more than is shown says whether there are older ones.
  for await (const run of runsFromNewest(db, owner, sessionId, wanted, now, limit + 1)) {
    const shown = await show(run);
    if (!shown) continue;
    bytes += shown.bytes;
    const isFull = newest.length >= limit || (bytes > maxBytes && newest.length > 0);
    if (isFull) return { shown: newest.reverse(), cutAt: oldest };
    newest.push(shown.value);
    oldest = run;
  }
  return { shown: newest.reverse(), cutAt: undefined };
}

/** What a run's record has for its execution alone: no list shows it, and it may be most of the record. */
const unshown: ReadonlySet<string> = new Set<keyof StoredRun>([
  "kwargs_large",
  "task_token",
  "callback",
  "state_written",
  "checkpoint",
  "last_events",
]);
const shownFields = Object.keys(StoredRun.entries).filter((name) => !unshown.has(name));
const projection = {
  ProjectionExpression: shownFields.map((_, i) => `#f${i}`).join(", "),
  ExpressionAttributeNames: Object.fromEntries(shownFields.map((name, i) => [`#f${i}`, name])),
};

/**
 * The runs of a session with the large fields of their output, the newest first, read as they are consumed. What only an
 * execution needs is not read.
 *
 * @param expected  how many are consumed, if that is known: no page reads many more
 */
export async function* runsFromNewest(
  db: Db,
  owner: string | null,
  sessionId: string,
  { created_after, created_before, before_run_id, statuses }: RunsFilter,
  now: number,
  expected = Number.POSITIVE_INFINITY,
): AsyncGenerator<StoredRun, undefined> {
  const from = created_after === undefined ? "run#" : `run#${idPrefixAt(created_after - SKEW_SECONDS)}`;
  const until = created_before === undefined ? "run#~" : `run#${idPrefixAt(created_before + SKEW_SECONDS)}~`;
  const isBounded = before_run_id !== undefined && `run#${before_run_id}` < until;
  const to = isBounded ? `run#${before_run_id}` : until;
  // DynamoDB refuses a range whose end is before its start.
  if ((created_after ?? 0) > (created_before ?? Number.POSITIVE_INFINITY) || from > to) return undefined;
  const leavesOut = statuses !== undefined && statuses.size < runStatuses.length;
  const pages = queryPages(db, {
    TableName: db.tables.runs,
    KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
    ExpressionAttributeValues: { ":pk": sessionRunsKey(owner, sessionId), ":from": from, ":to": to },
    ...projection,
    ScanIndexForward: false,
    ConsistentRead: true,
    // The run that bounds the page is read with it. A filter may leave out any number of runs.
    ...(Number.isFinite(expected) && !leavesOut && { Limit: expected + 1 }),
  });
  const isWanted = ({ run_id, status, output: { created_at } }: StoredRun): boolean =>
    run_id !== before_run_id &&
    created_at >= (created_after ?? created_at) &&
    created_at <= (created_before ?? created_at) &&
    (!statuses || statuses.has(status));
  for await (const { Items = [] } of pages) {
    for (let i = 0; i < Items.length; i += FETCHED_TOGETHER) {
      const heads = Items.slice(i, i + FETCHED_TOGETHER).map((item) => runFrom(item, now));
      yield* await Promise.all(heads.filter(isWanted).map((head) => wholeRun(db, head)));
    }
  }
  return undefined;
}

/** Run ids begin with their time in milliseconds, twelve hexadecimal digits with a dash after the eighth. */
function idPrefixAt(seconds: number): string {
  const millis = Math.min(Math.max(0, seconds) * 1000, 0xffff_ffff_ffff);
  const hex = millis.toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}
