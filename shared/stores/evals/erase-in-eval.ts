import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { transact } from "../../data/index.ts";
import type { EvalPlan } from "../../schemas/evals/eval-plan.ts";
import { isObject } from "../../schemas/values/json-values.ts";
import type { Db } from "../db.ts";
import { packJson, spillBytes } from "../objects/spill.ts";
import { publishChanges } from "../outbox/change-event.ts";
import { retryUntilWritten } from "../retry-until-written.ts";
import { type CaseOrigin, erasedCase } from "./datasets/case-sources.ts";
import { removeStale, replacePacked } from "./datasets/replace-packed.ts";
import { evalChange } from "./eval-change.ts";
import {
  evalObjects,
  getEvalHead,
  planIn,
  planKey,
  type StoredEval,
  trialSession,
  wholeEval,
} from "./eval-item.ts";
import { evalWork } from "./eval-work.ts";
import { listTrials } from "./list-trials.ts";
import { PURGED, purgeItem, replaceData } from "./purge-eval.ts";

const ERASED = "A case of it was erased with the session that it was taken from; evaluate again.";

/**
 * Erases the cases of a removed session in an evaluation: in its plan, in the results of their trials, and in its own. One that
 * is under way fails. Idempotent.
 *
 * @param now  epoch seconds
 * @returns    the sessions of those trials
 */
export async function eraseInEval(
  db: Db,
  id: string,
  source_key: string,
  now: number,
): Promise<CaseOrigin[]> {
  const numbers = await retryUntilWritten(
    () => eraseInPlan(db, id, source_key, now),
    () => new Error(`evaluation ${id} changes all the time`),
  );
  const record = numbers.length === 0 ? undefined : await getEvalHead(db, id);
  if (!record) return [];
  const trials = await listTrials(db, id, Math.min(...numbers), Math.max(...numbers) + 1);
  for (const trial of trials) if (numbers.includes(trial.number)) await purgeItem(db, id, trial);
  // Results list what was asked only where there is one case.
  if (record.cases === 1) {
    await retryUntilWritten(
      () => eraseResults(db, id),
      () => new Error(`the results of evaluation ${id} change all the time`),
    );
  }
  return numbers.map((number) => ({ owner: record.user_id, session_id: trialSession(id, number) }));
}

/** @returns the numbers of the trials of erased cases; undefined after a lost race */
async function eraseInPlan(
  db: Db,
  id: string,
  source_key: string,
  now: number,
): Promise<number[] | undefined> {
  const record = await getEvalHead(db, id);
  const key = planKey(id);
  const { Item: item } = await db.client.send(
    new GetCommand({ TableName: db.tables.evals, Key: key, ConsistentRead: true }),
  );
  if (!record || !item) return [];
  const plan = await planIn(db, item);
  const each = plan.warmup_runs + plan.num_iterations;
  const numbers = plan.cases.flatMap((one, at) =>
    one.source_key === source_key ? Array.from({ length: each }, (_, i) => at * each + i) : [],
  );
  const isLeft = plan.cases.some((one) => one.source_key === source_key && !one.erased);
  if (!isLeft) {
    await removeStale(db, { ...item, ...key });
    return numbers;
  }
  // First, so that a worker which has read the case cannot write what came of it any more.
  if (!(await stop(db, record, now))) return undefined;
  const cases = plan.cases.map((one) => (one.source_key === source_key ? erasedCase(one) : one));
  const packed = () => packedPlan(db, id, { ...plan, cases });
  return (await replacePacked(db, { ...item, ...key }, "plan", packed)) && numbers;
}

const packedPlan = async (db: Db, id: string, plan: EvalPlan) =>
  spillBytes(db, evalObjects(id), await packJson(plan));

/** @returns whether it was as it had been read */
async function stop(db: Db, record: StoredEval, now: number): Promise<boolean> {
  const { id, status, error } = record;
  const add = { purges: 1 };
  if (status !== "running") {
    const set = error === null ? {} : { error: PURGED };
    return (await evalWork.change(db, id, { set, add }, { status })).changed;
  }
  const set = { status: "failed", error: ERASED, updated_at: now } as const;
  const change = { ...evalWork.released({ set, due: null }), add };
  const publication = await publishChanges(db, [evalChange("evaluation.failed", record, now)]);
  const { written } = await transact(db, {
    evaluation: evalWork.update(id, change, { status }),
    publication: publication.entries,
  });
  if (written) await publication.wake();
  return written;
}

const SAID = ["input", "output", "expected_output", "criteria", "reason"];

/** @returns undefined when the evaluation was written in between */
async function eraseResults(db: Db, id: string): Promise<true | undefined> {
  const head = await getEvalHead(db, id);
  if (!head) return true;
  const { eval_data } = await wholeEval(db, head);
  const results: readonly unknown[] = Array.isArray(eval_data.results) ? eval_data.results : [];
  const said = (one: unknown) => (isObject(one) ? SAID.filter((name) => one[name]) : []);
  if (results.every((one) => said(one).length === 0)) return true;
  const erased = results.map((one) => ({
    ...(isObject(one) && one),
    ...Object.fromEntries(said(one).map((name) => [name, ""])),
  }));
  return replaceData(db, head, { ...eval_data, results: erased });
}
