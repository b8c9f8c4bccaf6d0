import * as v from "valibot";

const text = v.string();
const names = v.array(text);
/** Null where no trial was scored. */
const score = v.nullable(v.number());
const scores = { avg_score: score, min_score: score, max_score: score, std_dev_score: score };
const judged = { input: text, output: text, score, reason: text };

const AccuracyResults = v.object({
  results: v.array(v.object({ ...judged, expected_output: text })),
  ...scores,
  mean_score: score,
});

const JudgeResults = v.object({
  run_id: text,
  results: v.array(v.object({ ...judged, criteria: text, passed: v.nullable(v.boolean()) })),
  ...scores,
  /** From 0 to 100. */
  pass_rate: v.number(),
});

const measured = v.nullable(v.number());

/** Times in seconds, to the microsecond; memory in MiB. The percentiles other than p95 are ours. */
const PerformanceResults = v.object({
  result: v.object({
    avg_run_time: measured,
    min_run_time: measured,
    max_run_time: measured,
    std_dev_run_time: measured,
    median_run_time: measured,
    p50_run_time: measured,
    p90_run_time: measured,
    p95_run_time: measured,
    p99_run_time: measured,
    avg_memory_usage: measured,
    min_memory_usage: measured,
    max_memory_usage: measured,
    std_dev_memory_usage: measured,
    median_memory_usage: measured,
    p50_memory_usage: measured,
    p90_memory_usage: measured,
    p95_memory_usage: measured,
    p99_memory_usage: measured,
  }),
  runs: v.array(v.object({ runtime: v.number(), memory: v.number() })),
});

/** Names of tools. */
const ReliabilityResults = v.object({
  eval_status: v.picklist(["PASSED", "FAILED"]),
  passed_tool_calls: names,
  failed_tool_calls: names,
  additional_tool_calls: names,
  missing_tool_calls: names,
  passed_argument_checks: names,
  failed_argument_checks: names,
});

/** The results of an evaluation by its type; none while it goes on. */
export const EvalResults = v.union([
  AccuracyResults,
  JudgeResults,
  PerformanceResults,
  ReliabilityResults,
  v.strictObject({}),
]);
