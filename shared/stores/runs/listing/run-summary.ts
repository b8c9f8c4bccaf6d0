import * as v from "valibot";
import { errorOf } from "../../../domain/runs/outcome-of-run.ts";
import type { RunStatus } from "../../../schemas/runs/run.ts";
import { batchGet } from "../../batch-get.ts";
import type { Db } from "../../db.ts";
import { Large, unspillFields } from "../../objects/spill.ts";
import { sessionKey } from "../../sessions/session-item.ts";
import { isLost, LOST_PROCESS, StoredRun } from "../run-item.ts";
import { type RunRow, runKey } from "../run-keys.ts";

const Output = v.object({
  ...v.pick(StoredRun.entries.output, [
    "input",
    "content",
    "error",
    "model",
    "model_provider",
    "metrics",
    "total_metrics",
    "created_at",
  ]).entries,
});

/** What a list over all sessions reads of a run: neither its messages nor its form. */
const RunHead = v.object({
  ...v.pick(StoredRun, [
    "run_id",
    "session_id",
    "owner",
    "component_type",
    "component_id",
    "component_version",
    "status",
    "updated_at",
    "attempt",
    "queued",
    "schedule_run",
    "lease_until",
  ]).entries,
  output: Output,
  output_large: v.optional(Large),
});
type RunHead = v.InferOutput<typeof RunHead>;

export type RunSummary = Omit<RunHead, "output_large" | "lease_until"> & {
  /** That of its session: a user's, or else the beginning of the first message. */
  readonly session_name: string | undefined;
};

const runFields = [
  ...Object.keys(RunHead.entries).filter((name) => name !== "output" && name !== "output_large"),
  "output.created_at",
  "output.input.input_content",
  "output.content",
  "output.error",
  "output.model",
  "output.model_provider",
  ...["metrics", "total_metrics"].flatMap((of) =>
    ["input_tokens", "output_tokens", "total_tokens", "cost", "duration"].map(
      (name) => `output.${of}.${name}`,
    ),
  ),
  "output_large.content",
];

const Session = v.object({
  session_id: v.string(),
  user_id: v.nullable(v.string()),
  session_name: v.optional(v.string()),
  derived_name: v.optional(v.string()),
  deleted_at: v.optional(v.number()),
});

/** Which runs are wanted; all when absent. */
export type Wanted = {
  readonly statuses: ReadonlySet<RunStatus> | undefined;
  /** A part of the error's text, case-sensitive; only failed runs have an error. */
  readonly error_contains: string | undefined;
};

/** A run and the index row that it was found by. */
export type FoundRun = { readonly row: RunRow; readonly run: RunSummary };

/**
 * The runs of some index rows that are wanted, in their order. Left out are those that are gone, and those whose session
 * is being removed, or is another user's by now. Objects and sessions are read of the wanted runs only: a session's item
 * may be large.
 *
 * @param now  epoch seconds; a foreground run whose process must have ended reads as ERROR
 * @throws ServiceError when an object is missing or damaged
 */
export async function readSummaries(
  db: Db,
  rows: readonly RunRow[],
  wanted: Wanted,
  now: number,
): Promise<FoundRun[]> {
  const runs = await readRuns(db, rows, wanted, now);
  const sessionIds = [...new Set(runs.map(({ run }) => run.session_id))];
  const items = await batchGet(
    db,
    db.tables.sessions,
    sessionIds.map(sessionKey),
    Object.keys(Session.entries),
  );
  const sessions = new Map(items.map((item) => [item.session_id, v.parse(Session, item)]));
  return runs.flatMap(({ row, run }) => {
    const session = sessions.get(run.session_id);
    if (!session || session.deleted_at !== undefined || session.user_id !== run.owner) return [];
    return [{ row, run: { ...run, session_name: session.session_name ?? session.derived_name } }];
  });
}

async function readRuns(
  db: Db,
  rows: readonly RunRow[],
  { statuses, error_contains }: Wanted,
  now: number,
): Promise<{ readonly row: RunRow; readonly run: Omit<RunSummary, "session_name"> }[]> {
  const keys = rows.map(({ owner, session_id, run_id }) => runKey(owner, session_id, run_id));
  const items = await batchGet(db, db.tables.runs, keys, runFields);
  const heads = new Map(items.map((item) => [item.run_id, headFrom(item, now)]));
  const read = rows.map(async (row) => {
    const head = heads.get(row.run_id);
    if (!head || (statuses && !statuses.has(head.status))) return [];
    const { output_large, lease_until: _, ...run } = head;
    const output = await unspillFields(db, run.output, output_large, ["content"]);
    return hasError(errorOf(output), error_contains) ? [{ row, run: { ...run, output } }] : [];
  });
  return (await Promise.all(read)).flat();
}

const hasError = (content: unknown, text: string | undefined): boolean =>
  text === undefined || (typeof content === "string" && content.includes(text));

function headFrom(item: unknown, now: number): RunHead {
  const { output_large, ...head } = v.parse(RunHead, item);
  if (isLost(head, now))
    return { ...head, status: "ERROR", output: { ...head.output, content: LOST_PROCESS } };
  return { ...head, ...(output_large && { output_large }) };
}
