import * as v from "valibot";
import { maxChars } from "../values/max-chars.ts";
import { ScoringStrategy } from "./eval-plan.ts";

const Text = v.pipe(v.string(), maxChars(20_000));

/** How a share of the runs of a component is judged after they have ended. */
export const OnlineEvaluation = v.strictObject({
  /** 0 to 1: the share of its completed runs. */
  sample_ratio: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  /** What the judge looks for. */
  criteria: v.pipe(Text, v.minLength(1)),
  additional_guidelines: v.optional(Text),
  scoring_strategy: v.optional(ScoringStrategy, "binary"),
  threshold: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10)), 7),
  /** Most evaluations of a day (UTC); no limit when absent. */
  daily_evaluations: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  /** Dollars that judges may cost in a day: none is begun once it is spent. */
  daily_cost: v.optional(v.pipe(v.number(), v.minValue(0))),
});
export type OnlineEvaluation = v.InferOutput<typeof OnlineEvaluation>;
