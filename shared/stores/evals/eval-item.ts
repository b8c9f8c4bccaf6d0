import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { asSeen, type Guard, type Item } from "../../data/index.ts";
import { derivedId } from "../../runtime/ids.ts";
import { EvalPlan } from "../../schemas/evals/eval-plan.ts";
import { EvalData, EvalStatus, EvalTotals, EvalType } from "../../schemas/evals/eval-run.ts";
import { RunMetrics } from "../../schemas/runs/run.ts";
import { dueIndex } from "../../work/index.ts";
import { batchGet } from "../batch-get.ts";
import type { Db } from "../db.ts";
import { indexKeys } from "../index-keys.ts";
import { Large, Spilled, spillFields, unpackJson, unspillBytes, unspillFields } from "../objects/spill.ts";

/** Version of the stored shape; raised with every change of it. */
export const EVAL_SHAPE = 4;

/** A run that a user asked for and that is judged afterwards, and what that may cost. */
const Online = v.object({
  session_id: v.string(),
  run_id: v.string(),
  daily_evaluations: v.optional(v.number()),
  /** Dollars. */
  daily_cost: v.optional(v.number()),
});

/** An evaluation as it is stored. Its plan and each of its trials are items of their own. */
export const StoredEval = v.object({
  id: v.string(),
  eval_type: EvalType,
  name: v.nullable(v.string()),
  agent_id: v.nullable(v.string()),
  team_id: v.nullable(v.string()),
  /** The version of a stored component that it started with; it is used until its end. */
  component_version: v.optional(v.number()),
  /** Id of what that version held then: a draft may be edited meanwhile. Absent if another model ran in its place. */
  component_digest: v.optional(v.string()),
  dataset_id: v.optional(v.string()),
  dataset_version: v.optional(v.number()),
  online: v.optional(Online),
  /** Of such a one: it is counted in the budget of a day. */
  admitted: v.optional(v.boolean()),
  evaluated_component_name: v.nullable(v.string()),
  model_id: v.nullable(v.string()),
  model_provider: v.nullable(v.string()),
  eval_data: EvalData,
  eval_input: v.record(v.string(), v.unknown()),
  /** The two above, if the item has no room for them. */
  large: v.optional(Large),
  user_id: v.nullable(v.string()),
  status: EvalStatus,
  error: v.nullable(v.string()),
  cases: v.number(),
  trials: v.number(),
  done: v.number(),
  metrics: v.optional(RunMetrics),
  totals: v.optional(EvalTotals),
  /** The judge's model, and what its calls have used so far. */
  judge_model: v.optional(v.object({ id: v.string(), provider: v.string() })),
  judge_calls: v.optional(v.number()),
  judge_input_tokens: v.optional(v.number()),
  judge_output_tokens: v.optional(v.number()),
  /** Whole billionths of a dollar; absent if the model has no price. */
  judge_cost_nanos: v.optional(v.number()),
  /** The worker that has leased it, and until when it counts as alive; epoch seconds. */
  worker: v.optional(v.string()),
  lease_until: v.optional(v.number()),
  /** How often what was said was removed from it: results that were computed before must not be written. */
  purges: v.optional(v.number()),
  /** How often it was claimed since a trial was last recorded. */
  stalls: v.number(),
  /** It was removed and no reader finds it; its parts still have to be purged. Epoch seconds. */
  removed_at: v.optional(v.number()),
  /** Epoch seconds. */
  created_at: v.number(),
  updated_at: v.number(),
});
export type StoredEval = v.InferOutput<typeof StoredEval>;

/** An evaluation that one worker has leased. */
export type LeasedEval = StoredEval & { readonly worker: string };

export const evalItem = (record: StoredEval): Item => ({
  ...evalKey(record.id),
  ...record,
  ...indexKeys(record),
  shape: EVAL_SHAPE,
});

/** @throws when the item is not an evaluation of a shape that this code reads */
export const evalFrom = (item: Item): StoredEval =>
  // Large fields are put back by `wholeEval`.
  v.parse(StoredEval, { eval_data: {}, eval_input: {}, ...item });

/** The evaluation with all that belongs to it. */
export const wholeEval = (db: Db, record: StoredEval): Promise<StoredEval> =>
  unspillFields(db, record, record.large);

/** Fields of an evaluation as an item can hold them. */
export const fitted = (db: Db, id: string, fields: Partial<Pick<StoredEval, "eval_data" | "eval_input">>) =>
  spillFields(db, evalObjects(id), fields);

/** Nothing was removed from an evaluation since it was read. */
export const unpurged = ({ purges }: Pick<StoredEval, "purges">): Guard => ({ purges: asSeen(purges) });

export const evalKey = (id: string) => ({ pk: `eval#${id}`, sk: "eval" });

/** The parts of one evaluation: not in its own partition, so that its record is found as long as any part is left. */
export const partsPartition = (id: string): string => `parts#${id}`;

/** Its plan. */
export const planKey = (id: string) => ({ pk: partsPartition(id), sk: "plan" });

export const trialKey = (id: string, number: number) => ({ pk: partsPartition(id), sk: trialSort(number) });

/** The session of a trial's run. @param number counted from 0 */
export const trialSession = (id: string, number: number): string => `eval_${id}_${number + 1}`;

/** The trial whose run is in a session; undefined for all other sessions. */
export function trialOfSession(
  sessionId: string,
): { readonly id: string; readonly number: number } | undefined {
  const [, id, count] = /^eval_(.+)_(\d{1,6})$/.exec(sessionId) ?? [];
  return id === undefined ? undefined : { id, number: Number(count) - 1 };
}

/** Sorts by number. */
export const trialSort = (number: number): string => `trial#${String(number).padStart(6, "0")}`;

/** Where the evaluations of one version of a stored component are found, the newest last. */
export const versionEvalsPartition = (component_id: string, version: number): string =>
  `version-evals#${component_id}#${version}`;

export const versionEvalKey = (component_id: string, version: number, created_at: number, id: string) => ({
  pk: versionEvalsPartition(component_id, version),
  sk: `${String(created_at).padStart(12, "0")}#${id}`,
});

/** Prefix of the objects of an evaluation. */
export const evalObjects = (id: string): string => `evals/${id}/`;

/** The only partition of the index by_due: evaluations are few, and each is in it only until it has ended. */
const DUE = "due";

/** Unfinished evaluations, and removed evaluations and datasets of which something is left. */
export const evalDue = dueIndex<string>({
  table: "evals",
  partition: "due_key",
  partitions: [DUE],
  keyOf: (id) => ({ partition: DUE, sort: id }),
  storesTime: false,
  perRound: 500,
});

/** The evaluation that judges a run after its end: a run has one at most, which is found by the run's id. */
export const onlineEvalId = (run_id: string): string => derivedId(`evaluation of run ${run_id}`);

/** An evaluation with its large fields; undefined for one that is being removed. */
export async function getEval(db: Db, id: string): Promise<StoredEval | undefined> {
  const record = await getEvalHead(db, id);
  return record && wholeEval(db, record);
}

/** The same without its large fields, for checks of its status. */
export async function getEvalHead(db: Db, id: string): Promise<StoredEval | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.evals, Key: evalKey(id), ConsistentRead: true }),
  );
  const record = Item && evalFrom(Item);
  return record?.removed_at === undefined ? record : undefined;
}

/** Reads evaluations by id, in the order of the ids, without their large fields. Missing ones are left out. */
export async function readEvals(db: Db, ids: readonly string[]): Promise<StoredEval[]> {
  const items = await batchGet(db, db.tables.evals, ids.map(evalKey));
  const present = items.map(evalFrom).filter(({ removed_at }) => removed_at === undefined);
  const byId = new Map(present.map((record) => [record.id, record]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** The plan of an evaluation as it is stored: packed. */
const StoredPlan = v.object({ plan: Spilled });

/** The plan of an evaluation; undefined once it is removed. */
export async function getPlan(db: Db, id: string): Promise<EvalPlan | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.evals, Key: planKey(id), ConsistentRead: true }),
  );
  return Item && planIn(db, Item);
}

/** The plan that an item holds. @throws ServiceError when its object is missing or damaged */
export const planIn = async (db: Db, item: Item): Promise<EvalPlan> =>
  v.parse(EvalPlan, await unpackJson(await unspillBytes(db, v.parse(StoredPlan, item).plan)));
