import type { RunStatus } from "../../../schemas/runs/run.ts";
import type { Db } from "../../db.ts";
import { queryPages } from "../../query-pages.ts";
import { runFrom, type StoredRun, wholeRun } from "../run-item.ts";
import { sessionRunsKey } from "../run-keys.ts";

export type RunsFilter = {
  /** Inclusive bounds on `created_at`, epoch seconds. */
  readonly created_after?: number | undefined;
  readonly created_before?: number | undefined;
  /** All statuses when absent. */
  readonly statuses?: ReadonlySet<RunStatus> | undefined;
};

export type RunsWanted = RunsFilter & {
  /** What is shown of a run instead of its record; undefined leaves it out. */
  readonly show?: (run: StoredRun) => Promise<StoredRun | undefined>;
  /** Limit on the size of the runs together; each is measured as it will be shown. */
  readonly maxBytes: number;
  readonly weigh: (run: StoredRun) => number;
};

export type RunsBetween = {
  /** The oldest first. */
  readonly runs: StoredRun[];
  /** Whether older ones were left out because of the limit. */
  readonly cut: boolean;
};

/** Clocks of two processes differ by less than this. */
const SKEW_SECONDS = 60;

/**
 * The newest runs of a session within bounds, as many as fit into `maxBytes`. Reads from the newest back and stops at
 * the limit, so a long session costs no more than a full answer.
 *
 * @param now  epoch seconds
 */
export async function listRunsBetween(
  db: Db,
  owner: string | null,
  sessionId: string,
  wanted: RunsWanted,
  now: number,
): Promise<RunsBetween> {
  const { show, maxBytes, weigh } = wanted;
  const newest: StoredRun[] = [];
  let bytes = 0;
  for await (const whole of runsFromNewest(db, owner, sessionId, wanted, now)) {
    const run = show ? await show(whole) : whole;
    if (!run) continue;
    bytes += weigh(run);
    if (bytes > maxBytes && newest.length > 0) return { runs: newest.reverse(), cut: true };
    newest.push(run);
  }
  return { runs: newest.reverse(), cut: false };
}

/** The runs of a session with their large fields, the newest first, read as they are consumed. */
export async function* runsFromNewest(
  db: Db,
  owner: string | null,
  sessionId: string,
  { created_after, created_before, statuses }: RunsFilter,
  now: number,
): AsyncGenerator<StoredRun, undefined> {
  // DynamoDB refuses a range whose end is before its start.
  if ((created_after ?? 0) > (created_before ?? Number.POSITIVE_INFINITY)) return undefined;
  const pages = queryPages(db, {
    TableName: db.tables.runs,
    KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
    ExpressionAttributeValues: {
      ":pk": sessionRunsKey(owner, sessionId),
      ":from": created_after === undefined ? "run#" : `run#${idPrefixAt(created_after - SKEW_SECONDS)}`,
      ":to": created_before === undefined ? "run#~" : `run#${idPrefixAt(created_before + SKEW_SECONDS)}~`,
    },
    ScanIndexForward: false,
    ConsistentRead: true,
  });
  for await (const { Items = [] } of pages) {
    for (const head of Items.map((item) => runFrom(item, now))) {
      const { created_at } = head.output;
      if (created_at < (created_after ?? created_at) || created_at > (created_before ?? created_at)) continue;
      if (!statuses || statuses.has(head.status)) yield wholeRun(db, head);
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
