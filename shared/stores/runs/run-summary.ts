import * as v from "valibot";
import { batchGet } from "../batch-get.ts";
import type { Db } from "../db.ts";
import { Large } from "../objects/spilled.ts";
import { unspillFields } from "../objects/unspill.ts";
import { sessionKey } from "../sessions/session-keys.ts";
import { isLost, LOST_PROCESS, StoredRun } from "./run-item.ts";
import { runKey } from "./run-keys.ts";
import type { RunRow } from "./run-place.ts";

const Output = v.object({
  ...v.pick(StoredRun.entries.output, [
    "input",
    "content",
    "model",
    "model_provider",
    "metrics",
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
  "output.model",
  "output.model_provider",
  ...["input_tokens", "output_tokens", "total_tokens", "cost", "duration"].map(
    (name) => `output.metrics.${name}`,
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

/**
 * The runs of some index rows, in their order. Left out are those that are gone, and those whose session is being
 * removed, or is another user's by now.
 *
 * @param matches  which of them are wanted; of the others no object is fetched
 * @param now      epoch seconds; a foreground run whose process must have ended reads as ERROR
 * @throws ServiceError when an object is missing or damaged
 */
export async function readSummaries(
  db: Db,
  rows: readonly RunRow[],
  matches: (run: Pick<RunSummary, "status">) => boolean,
  now: number,
): Promise<{ readonly row: RunRow; readonly run: RunSummary }[]> {
  const keys = rows.map(({ owner, session_id, run_id }) => runKey(owner, session_id, run_id));
  const sessionIds = [...new Set(rows.map(({ session_id }) => session_id))];
  const [runItems, sessionItems] = await Promise.all([
    batchGet(db, db.tables.runs, keys, runFields),
    batchGet(db, db.tables.sessions, sessionIds.map(sessionKey), Object.keys(Session.entries)),
  ]);
  const runs = new Map(runItems.map((item) => [item.run_id, headFrom(item, now)]));
  const sessions = new Map(sessionItems.map((item) => [item.session_id, v.parse(Session, item)]));
  const found = rows.map(async (row) => {
    const head = runs.get(row.run_id);
    const session = sessions.get(row.session_id);
    if (!head || !session || session.deleted_at !== undefined || session.user_id !== head.owner) return [];
    if (!matches(head)) return [];
    const { output_large, lease_until: _, ...run } = head;
    const output = await unspillFields(db, run.output, output_large, ["content"]);
    return [{ row, run: { ...run, output, session_name: session.session_name ?? session.derived_name } }];
  });
  return (await Promise.all(found)).flat();
}

function headFrom(item: unknown, now: number): RunHead {
  const { output_large, ...head } = v.parse(RunHead, item);
  if (isLost(head, now))
    return { ...head, status: "ERROR", output: { ...head.output, content: LOST_PROCESS } };
  return { ...head, ...(output_large && { output_large }) };
}
