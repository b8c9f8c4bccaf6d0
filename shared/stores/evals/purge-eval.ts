import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { asSeen, deleteItem, exists, updateItem, write } from "../../data/index.ts";
import type { EvalTrial } from "../../schemas/evals/eval-trial.ts";
import { isObject } from "../../schemas/values/json-values.ts";
import type { Db } from "../db.ts";
import { removePartition } from "../remove-partition.ts";
import { retryUntilWritten } from "../retry-until-written.ts";
import { changeEval } from "./change-eval.ts";
import { datasetEvalKey } from "./datasets/case-sources.ts";
import {
  evalFrom,
  evalKey,
  evalObjects,
  fitted,
  getEvalHead,
  partsPartition,
  type StoredEval,
  trialKey,
  versionEvalKey,
  wholeEval,
} from "./eval-item.ts";
import { listTrials } from "./list-trials.ts";

/**
 * Purges a removed evaluation with all its parts. Its tombstone is deleted last, so that a purge that breaks off is
 * found again.
 *
 * @returns whether there was such an evaluation
 */
export async function purgeEval(db: Db, id: string): Promise<boolean> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.evals, Key: evalKey(id), ConsistentRead: true }),
  );
  const record = Item && evalFrom(Item);
  if (record?.removed_at === undefined) return false;
  await db.objects.removeAll(evalObjects(id));
  await removePartition(db, "evals", partsPartition(id));
  const version = versionKey(record);
  if (version) await write(db, deleteItem("evals", version));
  if (record.dataset_id !== undefined)
    await write(db, deleteItem("evals", datasetEvalKey(record.dataset_id, id)));
  await write(db, deleteItem("evals", evalKey(id)));
  return true;
}

function versionKey({ id, agent_id, team_id, component_version, created_at }: StoredEval) {
  const component_id = agent_id ?? team_id;
  return component_id === null || component_version === undefined
    ? undefined
    : versionEvalKey(component_id, component_version, created_at, id);
}

/**
 * Removes what was said in one trial from its evaluation: the answer, the arguments of tool calls, and the judge's
 * reason. Scores, durations and the questions, which are the evaluation's own, stay. Idempotent.
 *
 * @param owner  of the trial's session; another user's evaluation is left alone
 */
export async function purgeTrial(
  db: Db,
  { id, number }: { readonly id: string; readonly number: number },
  owner: string | null,
): Promise<void> {
  const record = await getEvalHead(db, id);
  if (!record || record.user_id !== owner) return;
  // First, so that a worker which has read what was said cannot write it any more.
  await changeEval(db, id, {
    add: { purges: 1 },
    set: record.error === null ? {} : { error: PURGED },
    guard: exists,
  });
  const trials = await listTrials(db, id, 0, number + 1);
  const trial = trials.find((one) => one.number === number);
  if (!trial) return;
  await purgeItem(db, id, trial);
  if (!trial.verdict) return;
  // Results list the trials that have a verdict, in their order.
  const position = trials.filter(({ verdict }) => verdict).length - 1;
  await retryUntilWritten(
    () => purgeResult(db, id, position),
    () => new Error(`the results of evaluation ${id} change all the time`),
  );
}

export const PURGED = "It failed; why was removed with a session.";

/** Removes what was said in a trial from its own record. Idempotent. */
export async function purgeItem(
  db: Db,
  id: string,
  { number, tool_calls, verdict, fault }: EvalTrial,
): Promise<void> {
  const set = {
    output: "",
    input: undefined,
    tool_calls: tool_calls.map(({ name }) => ({ name, arguments: {} })),
    ...(verdict && { verdict: { ...verdict, reason: "" } }),
    ...(fault !== undefined && { fault: PURGED }),
  };
  await write(db, updateItem("evals", trialKey(id, number), { set, guard: exists }));
}

/** @returns undefined when the evaluation was written in between */
async function purgeResult(db: Db, id: string, position: number): Promise<true | undefined> {
  const head = await getEvalHead(db, id);
  if (!head) return true;
  const { eval_data } = await wholeEval(db, head);
  const results: readonly unknown[] = Array.isArray(eval_data.results) ? eval_data.results : [];
  const result = results[position];
  if (!isObject(result) || (result.output === "" && result.reason === "")) return true;
  // The input of a run that a user asked for was said in it; any other is the evaluation's own.
  const said = { output: "", reason: "", ...(head.online && { input: "" }) };
  const purged = results.map((one, i) => (i === position ? { ...result, ...said } : one));
  return replaceData(db, head, { ...eval_data, results: purged });
}

/** Replaces the results of an evaluation, and removes the object of those before. @returns undefined after a lost race */
export async function replaceData(
  db: Db,
  { id, eval_data: seen, large }: StoredEval,
  eval_data: StoredEval["eval_data"],
): Promise<true | undefined> {
  const { plain, large: spilled } = await fitted(db, id, { eval_data });
  const { eval_data: before, ...rest } = large ?? {};
  const changed = await changeEval(db, id, {
    set: { eval_data: plain.eval_data ?? {}, large: { ...rest, ...spilled } },
    guard: { eval_data: asSeen(seen), large: asSeen(large) },
  });
  if (!changed) return undefined;
  if (before && "key" in before) await db.objects.removeAll(before.key);
  return true;
}
