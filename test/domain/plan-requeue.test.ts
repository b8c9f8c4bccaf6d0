import { describe, expect, test } from "vitest";
import { planRequeue } from "../../shared/domain/jobs/plan-requeue.ts";
import { aJob, T0 } from "../support/records.ts";

const GRACE = 60;
const failed = (changed = {}) =>
  aJob({ status: "failed", error: "boom", attempt: 1, completed_at: T0, ...changed });

describe("requeueing", () => {
  test("a job that failed inside the lock grace needs force", () => {
    expect(() =>
      planRequeue(failed(), { force: false, clear_cancellation: false }, T0 + GRACE - 1, GRACE),
    ).toThrow(expect.objectContaining({ code: "CONFLICT" }));
    expect(planRequeue(failed(), { force: true, clear_cancellation: false }, T0 + 1, GRACE)).toEqual({
      max_attempts: 2,
      attempt_ceiling: 2,
      clearsCancellation: false,
    });
  });

  test("a job that failed before the grace needs nothing", () => {
    expect(
      planRequeue(failed(), { force: false, clear_cancellation: false }, T0 + GRACE, GRACE),
    ).toMatchObject({ max_attempts: 2 });
  });

  test("a cancelled job never meets that gate", () => {
    const job = aJob({ status: "cancelled", completed_at: T0 });
    expect(planRequeue(job, { force: false, clear_cancellation: false }, T0, GRACE)).toMatchObject({
      max_attempts: 2,
      attempt_ceiling: 1,
    });
  });

  test("raises the budget by one and allows exactly one more execution", () => {
    const job = failed({ attempt: 1, max_attempts: 3 });
    expect(planRequeue(job, { force: true, clear_cancellation: false }, T0, GRACE)).toMatchObject({
      max_attempts: 4,
      attempt_ceiling: 2,
    });
  });

  test.each([
    aJob(),
    aJob({ status: "running", locked_by: "w", locked_at: T0 }),
    aJob({ status: "paused" }),
    aJob({ status: "completed", completed_at: T0 }),
  ])("is refused for a job that is $status", (job) => {
    expect(() => planRequeue(job, { force: true, clear_cancellation: false }, T0 + 999, GRACE)).toThrow(
      expect.objectContaining({ code: "BAD_REQUEST" }),
    );
  });
});
