import { describe, expect, onTestFinished, test } from "vitest";
import type { PostHook } from "../../../shared/engine/define/hook.ts";
import { defineRemoteAgent, defineTeam } from "../../../shared/engine/define/index.ts";
import { executeSlice } from "../../../shared/engine/loop/execute-slice.ts";
import type { SlicePorts } from "../../../shared/engine/run/execution.ts";
import { guardedCalls } from "../../../shared/outbound/guarded-calls.ts";
import { systemClock } from "../../../shared/runtime/clock.ts";
import { aRequest, scripted } from "../support/run-agent.ts";
import { type Asked, events, rawAgent } from "./raw-agent.ts";

/** An agent elsewhere whose words pass a guard here, which lets no tulip through. */
const guard: PostHook = {
  name: "guard",
  check: (text) => (text.includes("tulip") ? { refused: "Withheld.", error_id: "flower" } : undefined),
};

/** What a run of it shows to anybody: its end, its events, its checkpoints and its spans. */
async function run(
  answer: (asked: Asked) => void,
  { around, message = "hello", ...more }: { around?: boolean; message?: string } & Partial<SlicePorts> = {},
) {
  const there = await rawAgent(answer);
  onTestFinished(() => there.stop());
  const remote = defineRemoteAgent({
    ...{ id: "partner", name: "Partner", card: there.card, retries: 0 },
    ...(!around && { post_hooks: [guard] }),
  });
  const agent = around
    ? defineTeam({ id: "team", name: "Team", members: [remote], post_hooks: [guard] })
    : remote;
  const seen: unknown[] = [];
  const texts: string[] = [];
  const span = (): NonNullable<SlicePorts["span"]> => ({
    child: (start) => {
      seen.push(start);
      return span();
    },
    end: (end) => {
      seen.push(end);
    },
  });
  let ids = 0;
  const outcome = await executeSlice(
    agent,
    aRequest(message),
    {
      ...{ models: scripted(), clock: systemClock, newId: () => `id-${++ids}`, span: span() },
      ...{ signal: new AbortController().signal, callOut: guardedCalls([there.host]) },
      saveCheckpoint: async (state) => {
        seen.push(JSON.parse(JSON.stringify(state)));
      },
      emit: (event) => {
        seen.push(event);
        if (event.event === "RunContent") texts.push(String(event.content));
      },
      ...more,
    },
    undefined,
  );
  return { outcome, texts, shown: JSON.stringify([seen, outcome]) };
}

const says =
  (...sent: readonly object[]) =>
  ({ send, response }: Asked) => {
    for (const one of sent) send(one);
    response.end();
  };
const working = events.task("TASK_STATE_WORKING");
const done = events.status("TASK_STATE_COMPLETED");

describe("of an agent elsewhere under a guard of the output", () => {
  test("an answer that passes is emitted as a whole", async () => {
    const { outcome, texts } = await run(
      says(working, events.text("A ", false), events.text("rose.", true), done),
    );
    expect(outcome).toMatchObject({ status: "COMPLETED", output: { content: "A rose." } });
    expect(texts).toEqual(["A rose."]);
  });

  test.each([
    ["an answer in pieces", [working, events.text("A tu", false), events.text("lip.", true), done]],
    ["an answer in its last status", [working, events.status("TASK_STATE_COMPLETED", "A tulip.")]],
    ["a question", [working, events.status("TASK_STATE_INPUT_REQUIRED", "A tulip?")]],
    ["why it failed", [working, events.status("TASK_STATE_FAILED", "No tulip here")]],
    ["why it refused", [events.task("TASK_STATE_WORKING"), events.status("TASK_STATE_REJECTED", "A tulip!")]],
    [
      "what it had said when it failed",
      [working, events.text("A tulip.", false), events.status("TASK_STATE_FAILED", "late")],
    ],
  ])("%s that is refused is shown nowhere", async (_what, sent) => {
    const { outcome, shown, texts } = await run(says(...sent));
    expect(outcome).toMatchObject({ status: "ERROR", error: "Withheld.", output: { content: "Withheld." } });
    expect(shown).not.toContain("tulip");
    expect(texts).toEqual([]);
  });

  test("what it has said until another process follows it is in no checkpoint", async () => {
    const { outcome, shown } = await run(
      ({ send }) => {
        send(working);
        send(events.text("A tulip.", false));
      },
      { shouldYield: () => true },
    );
    expect(outcome.status).toBe("YIELDED");
    expect(shown).not.toContain("tulip");
  });

  test("the guard of a team counts for a member elsewhere", async () => {
    const call = JSON.stringify({ member_id: "partner", task: "name a flower" });
    const { outcome, shown } = await run(
      says(working, events.text("A tu", false), events.text("lip.", true), done),
      { around: true, message: `[[tool:delegate_task_to_member ${call}]]` },
    );
    expect(outcome).toMatchObject({
      status: "COMPLETED",
      output: { member_responses: [{ status: "ERROR" }] },
    });
    expect(shown).toContain("Withheld.");
    expect(shown).not.toContain("tulip");
  });
});
