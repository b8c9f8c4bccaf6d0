import { describe, expect, test } from "vitest";
import { tokenProgress } from "../../shared/engine/lifecycle/record-ending.ts";
import type { RunOutcome } from "../../shared/engine/run/run-outcome.ts";
import type { CountedUsage, RunMetrics } from "../../shared/schemas/runs/run.ts";
import { aJob, aRunOf } from "../support/records.ts";

const tokens = (input_tokens: number) => ({ input_tokens, total_tokens: input_tokens });
const run = aRunOf(aJob({}), {});

/** What is added to the session, and what the record has then, after attempts one after the other. */
function afterAttempts(attempts: readonly { from?: number; used: number }[]) {
  let record = run;
  let added = 0;
  for (const { from, used } of attempts) {
    const output = { ...run.output, status: "ERROR" as const, metrics: tokens(used) };
    const outcome: RunOutcome = { status: "ERROR", output, error: "x", cause: "model" };
    const began = from === undefined ? {} : { began_with: from === 0 ? {} : tokens(from) };
    const progress = tokenProgress(record, { ...outcome, ...began }, 0);
    added += progress.metrics.total_tokens ?? 0;
    record = { ...record, ...progress };
  }
  const { counted, counted_before } = record;
  return { added, counted: counted?.total_tokens, before: counted_before?.total_tokens };
}

describe("what a run adds to the sums of its session is what it spent, once", () => {
  test("in one attempt, in parts over a pause", () => {
    expect(afterAttempts([{ from: 0, used: 30 }])).toEqual({ added: 30, counted: 30, before: undefined });
    expect(
      afterAttempts([
        { from: 0, used: 30 },
        { from: 30, used: 80 },
      ]),
    ).toEqual({ added: 80, counted: 80, before: undefined });
  });

  test("and what an attempt spent after the step that the next one resumes from", () => {
    // 50, then 40 more from 30 on: 90, of which the last attempt shows 70.
    expect(
      afterAttempts([
        { from: 0, used: 50 },
        { from: 30, used: 70 },
      ]),
    ).toEqual({ added: 90, counted: 70, before: 20 });
  });

  test("and all of an attempt after which the next one begins anew", () => {
    expect(
      afterAttempts([
        { from: 0, used: 50 },
        { from: 0, used: 40 },
        { from: 0, used: 10 },
      ]),
    ).toEqual({ added: 100, counted: 10, before: 90 });
  });

  test("where it is not known what an execution began with, only what is new", () => {
    expect(afterAttempts([{ from: 0, used: 50 }, { used: 70 }])).toEqual({
      added: 70,
      counted: 70,
      before: undefined,
    });
  });
});

describe("what a run adds to the cost of its session", () => {
  /** A dollar for 1,000 tokens. */
  const priced = (used: number): RunMetrics => ({ ...tokens(used), cost: used / 1_000 });
  const addedBy = (parts: readonly RunMetrics[], began_with?: CountedUsage, counted: CountedUsage = {}) => {
    const [metrics, ...rest] = parts;
    const members = rest.map((one) => ({
      ...run.output,
      status: "COMPLETED" as const,
      input: { input_content: "" },
      metrics: one,
    }));
    const output = {
      ...run.output,
      status: "COMPLETED" as const,
      ...(metrics && { metrics }),
      ...(members.length > 0 && { member_responses: members }),
    };
    const outcome: RunOutcome = { status: "COMPLETED", output, ...(began_with && { began_with }) };
    const { cost_nanos, priced_tokens, total_tokens } = tokenProgress(
      { ...run, counted },
      outcome,
      0,
    ).metrics;
    return { cost_nanos, priced_tokens, total_tokens };
  };

  test("is that of all runs within it", () => {
    expect(addedBy([priced(30), priced(12)])).toEqual({
      cost_nanos: 42_000_000,
      priced_tokens: 42,
      total_tokens: 42,
    });
  });

  test("is that of the tokens whose price is known, and says how many these are", () => {
    expect(addedBy([priced(30), tokens(12)])).toEqual({
      cost_nanos: 30_000_000,
      priced_tokens: 30,
      total_tokens: 42,
    });
    expect(addedBy([tokens(12)])).toEqual({ total_tokens: 12 });
  });

  test("is what is new since a pause, and all that was spent over attempts", () => {
    const [at30, at50] = [30, 50].map((used) => ({
      ...tokens(used),
      cost_nanos: used * 1_000_000,
      priced_tokens: used,
    }));
    expect(addedBy([priced(80)], at30, at30)).toMatchObject({ cost_nanos: 50_000_000, priced_tokens: 50 });
    // 50, then 40 more from 30 on.
    expect(addedBy([priced(70)], at30, at50)).toMatchObject({ cost_nanos: 40_000_000, priced_tokens: 40 });
  });
});
