import * as v from "valibot";
import { EvalType } from "./eval-run.ts";

/**
 * What a version of a component needs before it is published: a passing evaluation of exactly that version. `true` takes
 * any that can pass.
 */
export const EvalGate = v.union([
  v.boolean(),
  v.strictObject({
    eval_type: v.optional(EvalType),
    /** The evaluation has to use this dataset. */
    dataset_id: v.optional(v.string()),
    /** The judge's mean score, 1 to 10; 7 for `accuracy` when absent. */
    min_score: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(10))),
    /** 0 to 100; 100 when absent. */
    min_pass_rate: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(100))),
  }),
]);
export type EvalGate = v.InferOutput<typeof EvalGate>;
