import { describe, expect, test } from "vitest";
import { planAttemptRetry } from "../../shared/domain/jobs/plan-retry-of-attempt.ts";
import { outcomeOfRun, SHOWN_CONTENT } from "../../shared/domain/runs/outcome-of-run.ts";
import { readCallAnswer } from "../../shared/domain/schedules/call-answer.ts";
import { missingSlots } from "../../shared/domain/schedules/missing-slots.ts";
import { planDueRun } from "../../shared/domain/schedules/plan-due-run.ts";
import { FIRING_TOLERANCE_SECONDS, planFiring } from "../../shared/domain/schedules/plan-firing.ts";
import { scheduleCall } from "../../shared/domain/schedules/schedule-call.ts";

const aSchedule = {
  method: "POST",
  endpoint: "/agents/assistant/runs",
  payload: { message: "hello" },
  user_id: "maria",
  enabled: true,
  overlap: "skip",
  managed_by: null,
  target_type: null,
  target_id: null,
} as const;

describe("the call of a run", () => {
  const formOf = (payload: Record<string, unknown>, change: object = {}) => {
    const call = scheduleCall({ ...aSchedule, payload, ...change }, "attempt-1");
    return Object.fromEntries(new URLSearchParams(call.body));
  };

  test("is a form under the attempt's key, at the path without a slash at its end", () => {
    const call = scheduleCall({ ...aSchedule, endpoint: "/agents/assistant/runs/" }, "attempt-1");
    expect(call).toMatchObject({
      kind: "run",
      method: "POST",
      rawPath: "/agents/assistant/runs",
      headers: { "content-type": "application/x-www-form-urlencoded", "idempotency-key": "attempt-1" },
    });
  });

  test("writes values as a form holds them", () => {
    const payload = {
      message: "a&b=ü",
      on: true,
      off: false,
      count: 3,
      list: [1, "x"],
      map: { a: null },
      none: null,
    };
    expect(formOf(payload)).toEqual({
      message: "a&b=ü",
      on: "true",
      off: "false",
      count: "3",
      list: '[1,"x"]',
      map: '{"a":null}',
      none: "null",
      user_id: "maria",
      stream: "false",
      background: "true",
    });
  });

  test("does not let the payload say how it runs, for whom, or in which version", () => {
    const payload = {
      stream: true,
      background: false,
      user_id: "x",
      version: 1,
      agno_component_version: 2,
      metadata: { version: 1, agno_component_version: 2, note: "kept" },
    };
    const forced = { user_id: "maria", stream: "false", background: "true" };
    expect(formOf(payload)).toEqual({ ...forced, metadata: '{"note":"kept"}' });
    expect(formOf({ metadata: "text" })).toEqual(forced);
    expect(formOf({ metadata: ["list"] })).toEqual(forced);
    expect(formOf({ user_id: "x" }, { user_id: null })).not.toHaveProperty("user_id");
  });
});

describe("any other call", () => {
  test.each([
    ["DELETE", "/sessions/s-1"],
    ["GET", "/agents/assistant/runs"],
    ["POST", "/agents/assistant/runs?x=1"],
    ["POST", "/agents/assistant/runs/r-1/cancel"],
  ] as const)("%s %s is made once, with a JSON body", (method, endpoint) => {
    const call = scheduleCall({ ...aSchedule, method, endpoint }, "attempt-1");
    expect(call).toMatchObject({ kind: "once", headers: { "content-type": "application/json" } });
    expect(call.body).toBe('{"message":"hello"}');
    expect(call.headers).not.toHaveProperty("idempotency-key");
  });

  test("has no body where there is no payload, and its query apart from its path", () => {
    const call = scheduleCall({ ...aSchedule, method: "GET", endpoint: "/a?b=c?d", payload: {} }, "1");
    expect(call).toEqual({
      kind: "once",
      method: "GET",
      rawPath: "/a",
      rawQueryString: "b=c?d",
      headers: {},
      body: undefined,
    });
  });
});

describe("an answer", () => {
  const answered = (status: number, body: string) => ({ answered: true, status, body }) as const;

  test.each([
    ["run", answered(202, '{"run_id":"r","session_id":"s","status":"PENDING"}'), "started"],
    ["run", answered(202, '{"run_id":"r"}'), "failed"],
    ["run", answered(200, "no JSON"), "failed"],
    ["run", answered(200, ""), "failed"],
    ["run", answered(404, '{"detail":"agent x not found"}'), "failed"],
    ["run", answered(302, ""), "failed"],
    ["once", answered(200, "no JSON"), "success"],
    ["once", answered(204, ""), "success"],
    ["once", answered(500, "boom"), "failed"],
    ["once", { answered: false, error: "no answer within 35 seconds" }, "failed"],
  ] as const)("of a %s: %j is %s", (kind, answer, outcome) => {
    expect(readCallAnswer(kind, answer)).toMatchObject({ outcome });
  });

  test("that failed is kept with its status and its text; without an answer there is no status", () => {
    expect(readCallAnswer("run", answered(422, "raw text"))).toEqual({
      outcome: "failed",
      status_code: 422,
      error: "raw text",
    });
    expect(readCallAnswer("run", { answered: false, error: "connection refused" })).toMatchObject({
      status_code: null,
    });
  });
});

describe("a slot", () => {
  const now = 1_000_000;

  test.each([
    ["in time", 0, now + 60, "start"],
    ["late by the tolerance", FIRING_TOLERANCE_SECONDS, now - 1, "start"],
    ["later, with a later one due", FIRING_TOLERANCE_SECONDS + 1, now, "miss"],
    ["later, with none due yet", 100_000, now + 1, "start"],
    ["later, with none to come", 100_000, null, "start"],
  ])("%s", (_, late, next, plan) => {
    expect(planFiring(aSchedule, now - late, next, now).plan).toBe(plan);
  });

  test.each([
    ["agent", "assistant", "start"],
    ["agent", "reporter", "refuse"],
    ["team", "assistant", "refuse"],
  ] as const)("of a managed schedule for %s %s: %s", (target_type, target_id, plan) => {
    const managed = { ...aSchedule, managed_by: "studio", target_type, target_id };
    expect(planFiring(managed, now, null, now).plan).toBe(plan);
  });
});

describe("an attempt", () => {
  const now = 1_000_000;

  test.each([
    ["that waits for nothing", {}, "run", "none"],
    ["that is being called", { stage: "call", due_at: now + 1, called: true }, "run", "none"],
    ["that was not called yet", { stage: "call", due_at: now }, "once", "call"],
    ["whose caller died", { stage: "call", due_at: now, called: true, started_at: now - 90 }, "run", "call"],
    [
      "whose caller died, with no time left",
      { stage: "call", due_at: now, called: true, started_at: now - 900 },
      "run",
      "time_out",
    ],
    [
      "whose caller died, that cannot be repeated",
      { stage: "call", due_at: now, called: true },
      "once",
      "in_doubt",
    ],
    ["whose run goes on", { stage: "run", due_at: now + 1 }, "run", "none"],
    ["whose run takes too long", { stage: "run", due_at: now }, "run", "time_out"],
    [
      "whose run ended by a clock ahead of ours",
      { stage: "run", due_at: now + 3, run_ended: "completed" },
      "run",
      "settle",
    ],
    ["that waits for the next one", { stage: "retry", due_at: now + 1 }, "run", "none"],
    ["whose wait is over", { stage: "retry", due_at: now }, "run", "retry"],
  ] as const)("%s needs %4$s", (_, run, kind, attention) => {
    expect(planDueRun(run, kind, 900, now)).toBe(attention);
  });

  test.each([
    [1, "running", true, true],
    [2, "running", true, true],
    [3, "running", true, false],
    [1, "paused", true, false],
    [1, "running", false, false],
  ] as const)(
    "number %i, %s, of a schedule that is enabled: %s, is tried again: %s",
    (attempt, status, enabled, retry) => {
      const schedule = { max_retries: 2, retry_delay_seconds: 7, enabled };
      expect(planAttemptRetry({ attempt, status }, schedule)).toEqual(
        retry ? { retry, after_seconds: 7 } : { retry },
      );
    },
  );
});

describe("a run that rests", () => {
  const output = {
    run_id: "r",
    session_id: "s",
    input: { input_content: "hello" },
    content: "answer",
    created_at: 1,
    status: "COMPLETED" as const,
  };

  test("shows its input and its output", () => {
    expect(outcomeOfRun("completed", output)).toEqual({
      end: "succeed",
      change: {
        status_code: 200,
        input: { input_content: "hello" },
        output: { content: "answer", content_type: "str" },
        requirements: null,
      },
    });
  });

  test("shows the beginning of a long one, and says that it is cut", () => {
    const { change } = outcomeOfRun("completed", { ...output, content: "x".repeat(SHOWN_CONTENT + 1) });
    expect(change.output_cut).toBe(true);
    expect(change.output?.content).toHaveLength(SHOWN_CONTENT);
  });

  test("without content has no output, and failed without a text all the same says why", () => {
    const { content: _, ...bare } = output;
    expect(outcomeOfRun("completed", bare).change.output).toBeNull();
    expect(outcomeOfRun("failed", undefined)).toMatchObject({
      end: "fail",
      change: { error: "The run failed." },
    });
    expect(outcomeOfRun("cancelled", undefined)).toMatchObject({
      change: { error: "the run was cancelled" },
    });
    expect(outcomeOfRun("paused", undefined)).toMatchObject({ end: "pause", change: { requirements: [] } });
  });
});

describe("slots without a message", () => {
  const schedule = { cron_expr: "*/5 * * * *", timezone: "UTC", created_at: 0, updated_at: null };
  const from = 1_800_000_000;

  test("are those of the schedule's times that are not on record", () => {
    const onRecord = new Set([from + 300, from + 900]);
    expect(missingSlots(schedule, onRecord, from, from + 1200)).toEqual([from + 600, from + 1200]);
  });

  test("are not asked for from before the schedule's last change", () => {
    expect(missingSlots({ ...schedule, updated_at: from + 700 }, new Set(), from, from + 1200)).toEqual([
      from + 900,
      from + 1200,
    ]);
  });
});
