import * as v from "valibot";
import { EvalType } from "./eval-run.ts";

/**
 * What a version of a component needs before it is published: a passing evaluation of exactly that version. `true` takes
 * any that can pass.
 */
const asked = {
  eval_type: v.optional(EvalType),
  /** The evaluation has to use this dataset. */
  dataset_id: v.optional(v.string()),
  /** The judge's mean score, 1 to 10; 7 for `accuracy` when absent. */
  min_score: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(10))),
  /** 0 to 100; 100 when absent. */
  min_pass_rate: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(100))),
};

export const EvalGate = v.union([v.boolean(), v.strictObject(asked)]);
export type EvalGate = v.InferOutput<typeof EvalGate>;

/**
 * The same of a skill, which is evaluated in use: what needs to pass is an evaluation of a version of this agent or team that links
 * exactly that version of the skill.
 */
export const SkillGate = v.union([
  v.literal(false),
  v.strictObject({ ...asked, agent_id: v.string() }),
  v.strictObject({ ...asked, team_id: v.string() }),
]);
export type SkillGate = v.InferOutput<typeof SkillGate>;
