import { describe, expect, test } from "vitest";
import { checkToolCalls } from "../../shared/evals/check-tool-calls.ts";
import { evalData } from "../../shared/evals/eval-data.ts";
import { deviation, quantile } from "../../shared/evals/statistics.ts";
import type { EvalPlan } from "../../shared/schemas/evals/eval-plan.ts";
import type { EvalTrial, Verdict } from "../../shared/schemas/evals/eval-trial.ts";

const plan = (changed: Partial<EvalPlan> = {}): EvalPlan => ({
  cases: [{ input: "question", expected_output: "answer" }],
  num_iterations: 1,
  warmup_runs: 0,
  scoring_strategy: "binary",
  threshold: 7,
  allow_additional_tool_calls: false,
  ...changed,
});

const trial = (number: number, changed: Partial<EvalTrial> = {}): EvalTrial => ({
  number,
  run_id: `run-${number}`,
  session_id: `session-${number}`,
  run_status: "COMPLETED",
  output: "said",
  tool_calls: [],
  seconds: 1,
  memory_mib: 0,
  metrics: {},
  ...changed,
});

const scored = (score: number): Verdict => ({ score, passed: null, reason: "so" });
const found = (changed: Partial<EvalPlan>, trials: EvalTrial[]) => ({
  id: "eval-1",
  plan: plan(changed),
  trials,
  withResults: true,
});

describe("statistics of scores", () => {
  test("are those of a sample", () => {
    const scores = [2, 4, 4, 4, 5, 5, 7, 9];
    const trials = scores.map((score, i) => trial(i, { verdict: scored(score) }));
    const data = evalData("accuracy", found({ num_iterations: 8 }, trials));
    expect(data).toMatchObject({ avg_score: 5, mean_score: 5, min_score: 2, max_score: 9 });
    expect(data.std_dev_score).toBeCloseTo(Math.sqrt(32 / 7), 12);
    expect(deviation([3])).toBe(0);
  });

  test("leave trials without a verdict out", () => {
    const trials = [trial(0, { verdict: scored(4) }), trial(1)];
    const data = evalData("accuracy", found({ num_iterations: 2 }, trials));
    expect(data).toMatchObject({ avg_score: 4, std_dev_score: 0 });
    expect(data.results).toHaveLength(1);
  });
});

describe("times", () => {
  test("are those of the runs that count", () => {
    const trials = [9, 9, 1, 2, 3, 4].map((seconds, number) => trial(number, { seconds, memory_mib: 1 }));
    const data = evalData("performance", found({ warmup_runs: 2, num_iterations: 4 }, trials));
    expect(data.runs).toHaveLength(4);
    expect(data.result).toMatchObject({
      avg_run_time: 2.5,
      min_run_time: 1,
      max_run_time: 4,
      median_run_time: 2.5,
      std_dev_memory_usage: 0,
    });
  });

  test("have the inclusive 95th percentile; one value stands for itself, none for 0", () => {
    const values = Array.from({ length: 101 }, (_, i) => i);
    expect(quantile(values, 0.95)).toBe(95);
    expect(quantile([1, 2], 0.95)).toBeCloseTo(1.95, 12);
    expect(quantile([7], 0.95)).toBe(7);
    expect(quantile([], 0.95)).toBe(0);
  });
});

describe("tool calls", () => {
  const calls = [
    { name: "add", arguments: { a: 1, b: { c: [1, 2] } } },
    { name: "add", arguments: { a: 2 } },
    { name: "log", arguments: {} },
  ];

  test("are listed one by one where they were expected, and once where they are missing", () => {
    expect(checkToolCalls(calls, { expected_tool_calls: ["add", "say", "say"] }, false)).toMatchObject({
      passed_tool_calls: ["add", "add"],
      failed_tool_calls: ["log"],
      missing_tool_calls: ["say"],
    });
  });

  test("are compared in depth, whatever the order of members", () => {
    const checked = (wanted: Record<string, unknown>) =>
      checkToolCalls(
        calls,
        { expected_tool_calls: ["add", "log"], expected_tool_call_arguments: { add: wanted } },
        false,
      ).passed_argument_checks;
    expect(checked({ b: { c: [1, 2] } })).toEqual(["add"]);
    expect(checked({ b: { c: [2, 1] } })).toEqual([]);
    expect(checked({ b: { c: { 0: 1, 1: 2 } } })).toEqual([]);
    // Each call alone has one of the two.
    expect(checked({ a: 2, b: { c: [1, 2] } })).toEqual([]);
  });

  test("that never came are not checked for their arguments", () => {
    const expected = { expected_tool_calls: ["say"], expected_tool_call_arguments: { say: { a: 1 } } };
    expect(checkToolCalls([], expected, false)).toMatchObject({
      missing_tool_calls: ["say"],
      passed_argument_checks: [],
      failed_argument_checks: [],
    });
  });
});
