import { describe, expect, test } from "vitest";
import { tokenProgress } from "../../shared/engine/lifecycle/record-ending.ts";
import type { RunOutcome } from "../../shared/engine/run/run-outcome.ts";
import type { TokenCounts } from "../../shared/schemas/runs/run.ts";
import { aJob, aRunOf } from "../support/records.ts";

const tokens = (input_tokens: number): TokenCounts => ({ input_tokens, total_tokens: input_tokens });
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
