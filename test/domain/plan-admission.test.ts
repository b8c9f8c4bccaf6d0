import { describe, expect, test } from "vitest";
import { planAdmission } from "../../shared/domain/jobs/plan-admission.ts";
import { sessionPolicies } from "../../shared/schemas/sessions/session-policy.ts";

const live = ["run-3", "run-2"];

describe("entering a session where runs are live", () => {
  test("in parallel disturbs no run and waits for none", () => {
    expect(planAdmission("parallel", live)).toEqual({ interrupts: [], waits_for: [] });
  });

  test("in the queue waits for them all", () => {
    expect(planAdmission("queue", live)).toEqual({ interrupts: [], waits_for: live });
  });

  test("is refused by reject, which names the newest of them", () => {
    expect(() => planAdmission("reject", live)).toThrow(
      expect.objectContaining({ code: "CONFLICT", message: expect.stringContaining("run-3") }),
    );
  });

  test("by interrupt stops them all and starts when they have stopped", () => {
    expect(planAdmission("interrupt", live)).toEqual({ interrupts: live, waits_for: live });
  });
});

test.each(sessionPolicies)("entering a session at rest by %s is free", (policy) => {
  expect(planAdmission(policy, [])).toEqual({ interrupts: [], waits_for: [] });
});
