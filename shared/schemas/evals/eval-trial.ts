import * as v from "valibot";
import { RunMetrics, RunStatus } from "../runs/run.ts";

/** A judge's verdict on an answer. */
export const Verdict = v.object({
  /** 1 to 10; null if the judge only decides whether it passes. */
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

/** One run of the evaluated component, with its results. */
export const EvalTrial = v.object({
  /** Counted from 0 over all cases of the evaluation. */
  number: v.number(),
  run_id: v.string(),
  session_id: v.string(),
  run_status: RunStatus,
  /** Of a run that a user asked for: its message; cut if it is long. */
  input: v.optional(v.string()),
  /** Its answer or its error; cut if it is long. */
  output: v.string(),
  tool_calls: v.array(CalledTool),
  /** How long the run took, to the microsecond. */
  seconds: v.number(),
  /** By how much the process's memory grew during the run. */
  memory_mib: v.number(),
  /** Absent if there is no judge, or the judge gave no usable answer. */
  verdict: v.optional(Verdict),
  /** Why there is no verdict although a judge was needed; public. */
  fault: v.optional(v.string()),
  /** Of the run and of the judge. */
  metrics: RunMetrics,
  /** The judge's part of that; absent if no judge answered. */
  judge: v.optional(RunMetrics),
});
export type EvalTrial = v.InferOutput<typeof EvalTrial>;
