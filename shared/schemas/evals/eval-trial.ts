import * as v from "valibot";
import { RunMetrics, RunStatus } from "../runs/run.ts";

/** What a judge says of an answer. */
export const Verdict = v.object({
  /** 1 to 10; null where the judge only says whether it passes. */
  score: v.nullable(v.number()),
  passed: v.nullable(v.boolean()),
  reason: v.string(),
});
export type Verdict = v.InferOutput<typeof Verdict>;

export const CalledTool = v.object({
  name: v.string(),
  arguments: v.record(v.string(), v.unknown()),
});
export type CalledTool = v.InferOutput<typeof CalledTool>;

/** One run of the evaluated component, and what was found of it. */
export const EvalTrial = v.object({
  /** Counted from 0 over all cases of the evaluation. */
  number: v.number(),
  run_id: v.string(),
  session_id: v.string(),
  run_status: RunStatus,
  /** What it answered, or the error that it ended with; cut where it is long. */
  output: v.string(),
  tool_calls: v.array(CalledTool),
  /** How long the run took. */
  seconds: v.number(),
  /** By how much the process grew meanwhile. */
  memory_mib: v.number(),
  /** Absent where nobody judged, or the judge gave no usable answer. */
  verdict: v.optional(Verdict),
  /** Of the run and of the judge. */
  metrics: RunMetrics,
});
export type EvalTrial = v.InferOutput<typeof EvalTrial>;
