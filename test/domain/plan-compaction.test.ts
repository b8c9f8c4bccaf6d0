import { expect, test } from "vitest";
import { planCompaction, planFold } from "../../shared/domain/sessions/plan-compaction.ts";
import type { Message } from "../../shared/schemas/runs/run.ts";

const said = (content: string): Message => ({
  id: content,
  role: "user",
  content,
  from_history: false,
  stop_after_tool_call: false,
  created_at: 0,
});
const runs = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ run_id: `run-${i}`, messages: [said(`message ${i}`)] }));
const before = {
  summary: "s",
  through_run_id: "run-0",
  messages_compacted: 3,
  tokens_before: 50,
  tokens_after: 10,
  created_at: 1,
};

test.each([
  [0, undefined, "no_history"],
  [2, undefined, "nothing_to_fold"],
  [0, before, "already_compacted"],
  [2, before, "already_compacted"],
] as const)("%i runs after %j decline with %s", (count, earlier, status) => {
  expect(planFold(runs(count), earlier)).toMatchObject({ status, compacted: false, record: null });
});

test("all but the last two runs are folded", () => {
  expect(planFold(runs(5), undefined)).toMatchObject({
    through_run_id: "run-2",
    messages: [{ id: "message 0" }, { id: "message 1" }, { id: "message 2" }],
  });
});

test("a summary that is as long as what it stands for is declined, and so is none", () => {
  const fold = { messages: [said("x".repeat(400))], through_run_id: "run-0" };
  expect(planCompaction(fold, undefined, "y".repeat(401), 5).status).toBe("not_worth_it");
  expect(planCompaction(fold, undefined, "", 5).status).toBe("summary_failed");
  expect(planCompaction(fold, before, "y".repeat(40), 5)).toMatchObject({
    status: "compacted",
    record: { messages_compacted: 4, tokens_before: 118, tokens_after: 18, created_at: 5 },
  });
});
