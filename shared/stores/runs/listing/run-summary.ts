import * as v from "valibot";
import { errorText } from "../../../domain/runs/outcome-of-run.ts";
import { mentionsAll } from "../../../domain/runs/run-search.ts";
import type { RunVerdict } from "../../../schemas/runs/run-verdict.ts";
import { batchGet, type Taken } from "../../batch-get.ts";
import type { Db } from "../../db.ts";
import { onlineOutcomes } from "../../evals/online-outcomes.ts";
import { commentsOn, runsJudgedAs } from "../../feedback/index.ts";
import { Large, unspillFields } from "../../objects/spill.ts";
import { sessionKey } from "../../sessions/session-item.ts";
import { isLost, LOST_PROCESS, StoredRun } from "../run-item.ts";
import { type RunRow, runKey } from "../run-keys.ts";
import { callFields, hasCalled, meetsFigures, type RunConditions } from "./run-conditions.ts";

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

/** A run and the index row that it was found by. */
export type FoundRun = { readonly row: RunRow; readonly run: RunSummary };

/**
 * The runs of some index rows that are wanted, in their order. Left out are those that are gone, and those whose session
 * is being removed, or is another user's by now. Objects and sessions are read of the wanted runs only: a session's item
 * may be large.
 *
 * @param now    epoch seconds; a foreground run whose process must have ended reads as ERROR
 * @param taken  grows by what the runs and their objects take to read
 * @throws ServiceError when an object is missing or damaged
 */
export async function readSummaries(
  db: Db,
  rows: readonly RunRow[],
  wanted: RunConditions,
  now: number,
  taken: Taken = { units: 0, bytes: 0 },
): Promise<FoundRun[]> {
  const runs = await readRuns(db, rows, wanted, now, taken);
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

type ReadRun = { readonly row: RunRow; readonly run: Omit<RunSummary, "session_name"> };

async function readRuns(
  db: Db,
  rows: readonly RunRow[],
  wanted: RunConditions,
  now: number,
  taken: Taken,
): Promise<ReadRun[]> {
  const { error_contains, tool, terms, judged, verdict } = wanted;
  const keys = rows.map(({ owner, session_id, run_id }) => runKey(owner, session_id, run_id));
  const items = await batchGet(db, db.tables.runs, keys, fieldsFor(wanted), taken);
  const byId = new Map(items.map((item) => [item.run_id, item]));
  const read = rows.map(async (row): Promise<ReadRun[]> => {
    const item = byId.get(row.run_id);
    const head = item && headFrom(item, now);
    if (!item || !head || !meetsFigures(head, wanted)) return [];
    const { output_large, lease_until: _, ...run } = head;
    taken.bytes += bytesOf(output_large);
    if (tool !== undefined && !(await hasCalled(db, item, tool))) return [];
    const texts = terms ? (["content", "input"] as const) : (["content"] as const);
    const output = await unspillFields(db, run.output, output_large, texts);
    return hasError(errorText(output), error_contains) ? [{ row, run: { ...run, output } }] : [];
  });
  const all = (await Promise.all(read)).flat();
  const ids = judged && (await runsJudgedAs(db, idsOf(all), judged));
  const found = ids ? all.filter(({ run }) => ids.has(run.run_id)) : all;
  const runs = verdict === undefined ? found : await withVerdict(db, found, verdict);
  return terms ? mentioning(db, runs, terms) : runs;
}

async function withVerdict(db: Db, runs: readonly ReadRun[], verdict: RunVerdict): Promise<ReadRun[]> {
  const outcomes = await onlineOutcomes(db, idsOf(runs));
  const wanted = verdict === "passed" ? "passed" : "not passed";
  return runs.filter(({ run }) => outcomes.get(run.run_id) === wanted);
}

/** What is read of each run: of its texts and calls no more than the conditions ask about. */
const fieldsFor = ({ tool, terms }: RunConditions): readonly string[] => [
  ...runFields,
  ...(terms ? ["output_large.input"] : []),
  ...(tool === undefined ? [] : callFields.flatMap((name) => [`output.${name}`, `output_large.${name}`])),
];

const bytesOf = (large: Large = {}): number =>
  Object.values(large).reduce((sum, field) => sum + (field instanceof Uint8Array ? 0 : field.bytes), 0);

const idsOf = (runs: readonly ReadRun[]): string[] => runs.map(({ run }) => run.run_id);

/** Those that are found by their own texts, or together with what was said about them. */
async function mentioning(db: Db, runs: readonly ReadRun[], terms: readonly string[]): Promise<ReadRun[]> {
  const texts = new Map(runs.map(({ run }) => [run.run_id, textsOf(run)]));
  const isFound = ({ run }: ReadRun) => mentionsAll(terms, texts.get(run.run_id) ?? []);
  const others = idsOf(runs.filter((one) => !isFound(one)));
  for (const [id, comments] of await commentsOn(db, others)) texts.get(id)?.push(...comments);
  return runs.filter(isFound);
}

function textsOf({ output: { input, content, error } }: Pick<RunSummary, "output">): string[] {
  const answer = typeof content === "string" ? content : JSON.stringify(content ?? "");
  return [input.input_content, answer, error ?? ""];
}

const hasError = (error: string, text: string | undefined): boolean =>
  text === undefined || error.includes(text);

function headFrom(item: unknown, now: number): RunHead {
  const { output_large, ...head } = v.parse(RunHead, item);
  if (isLost(head, now))
    return { ...head, status: "ERROR", output: { ...head.output, content: LOST_PROCESS } };
  return { ...head, ...(output_large && { output_large }) };
}
