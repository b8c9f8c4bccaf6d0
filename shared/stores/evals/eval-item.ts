import * as v from "valibot";
import { asSeen, type Guard } from "../../data/guard.ts";
import type { Item } from "../../data/item.ts";
import { EvalData, EvalStatus, EvalTotals, EvalType } from "../../schemas/evals/eval-run.ts";
import { RunMetrics } from "../../schemas/runs/run.ts";
import type { Db } from "../db.ts";
import { indexKeys } from "../listing/index-keys.ts";
import { spillFields } from "../objects/spill.ts";
import { Large } from "../objects/spilled.ts";
import { unspillFields } from "../objects/unspill.ts";
import { evalKey, evalObjects } from "./eval-keys.ts";

/** Version of the stored shape; raised with every change of it. */
export const EVAL_SHAPE = 3;

/** A run that somebody asked for and that is judged afterwards, and what that may cost. */
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
