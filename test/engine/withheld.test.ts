import * as v from "valibot";
import { describe, expect, test } from "vitest";
import type { PostHook } from "../../shared/engine/define/hook.ts";
import { defineTeam } from "../../shared/engine/define/team.ts";
import { executeSlice } from "../../shared/engine/loop/execute-slice.ts";
import { RunStopped } from "../../shared/engine/run/next-step.ts";
import { defineTool } from "../../shared/engine/tool/tool.ts";
import { anAgent, aRequest, eventsOf, runAgent, type TestRun, withPorts } from "./support/run-agent.ts";
import { watchedModel } from "./support/watched-model.ts";

const SECRET = "tulip";
const said: string[] = [];
const guard: PostHook = {
  name: "guard",
  check: (text) => {
    said.push(text);
    return text.includes(SECRET) ? { refused: "Withheld.", error_id: "secret" } : undefined;
  },
};
const text = (delta: string) => [
  { type: "text-start" as const, id: "1" },
  ...[...delta].map((one) => ({ type: "text-delta" as const, id: "1", delta: one })),
];
const finish = {
  type: "finish" as const,
  finishReason: { unified: "stop" as const, raw: "stop" },
  usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } } as never,
};
const calling = { type: "tool-call" as const, toolCallId: "c1", toolName: "note", input: "{}" };
const note = defineTool({
  name: "note",
  description: "Notes.",
  parameters: v.object({}),
  effect: "safe",
  execute: () => "noted",
});
/** Everything of a run that a client could see. */
const seen = ({ events, outcome: { output } }: TestRun) => JSON.stringify([events, { ...output, input: "" }]);

describe("an answer that a guard refuses", () => {
  const play = () => [{ type: "stream-start" as const, warnings: [] }, ...text(`It is ${SECRET}.`), finish];

  test("is in no event, no message and no output, which hold the reason instead", async () => {
    said.length = 0;
    const { models } = watchedModel(play);
    const run = await runAgent("?", { agent: anAgent({ post_hooks: [guard] }), models });
    expect(run.order).toEqual([
      "RunStarted",
      "ModelRequestStarted",
      "ModelRequestCompleted",
      "RunContentCompleted",
      "PostHookStarted",
      "RunError",
    ]);
    expect(seen(run)).not.toContain(SECRET);
    expect(run.outcome).toMatchObject({ status: "ERROR", error: "Withheld." });
    expect(run.outcome.output.messages?.at(-1)).toMatchObject({ role: "assistant", content: "Withheld." });
    expect(said).toEqual([`It is ${SECRET}.`]);
  });

  test("is in no span", async () => {
    const { models } = watchedModel(play);
    const ends: unknown[] = [];
    const span = { child: () => span, end: (end: unknown) => void ends.push(end) } as never;
    await runAgent("?", { agent: anAgent({ post_hooks: [guard] }), models, span });
    expect(ends.length).toBeGreaterThan(1);
    expect(JSON.stringify(ends)).not.toContain(SECRET);
  });

  test("is refused where it stands beside a call, which is not made, nor in any checkpoint", async () => {
    const { models } = watchedModel(() => [...text(`It is ${SECRET}.`), calling, finish]);
    const saved: unknown[] = [];
    let executed = 0;
    const tool = { ...note, execute: () => String(++executed) };
    const agent = anAgent({ post_hooks: [guard], tools: [tool] });
    const run = await withPorts({ models }, async (ports) => {
      const saveCheckpoint = async (state: unknown) => void saved.push(state);
      return (await executeSlice(agent, aRequest("?"), { ...ports, saveCheckpoint })) as TestRun["outcome"];
    });
    expect([run.outcome.status, executed]).toEqual(["ERROR", 0]);
    expect(seen(run) + JSON.stringify(saved)).not.toContain(SECRET);
  });

  test("is refused where it is the result of a tool", async () => {
    const recite = defineTool({
      name: "recite",
      description: "Recites.",
      parameters: v.object({}),
      effect: "keyed",
      stop_after_tool_call: true,
      execute: () => SECRET,
    });
    const ledger: unknown[] = [];
    const run = await runAgent("[[tool:recite {}]]", {
      agent: anAgent({ post_hooks: [guard], tools: [recite] }),
      ledger: {
        start: async () => ({ state: "started" }),
        startAgain: async () => ({ state: "started" }),
        end: async (...given) => void ledger.push(given),
      },
    });
    expect(run.outcome).toMatchObject({ status: "ERROR", error: "Withheld." });
    expect(ledger).toHaveLength(1);
    expect(seen(run) + JSON.stringify(ledger)).not.toContain(SECRET);
  });

  test("of a member is refused by the guard of its team", async () => {
    const member = anAgent({ id: "member" });
    const team = defineTeam({ id: "team", name: "Team", retries: 0, members: [member], post_hooks: [guard] });
    const task = JSON.stringify({ member_id: "member", task: `say ${SECRET}` });
    const run = await withPorts({}, async (ports) => {
      const request = aRequest(`[[tool:delegate_task_to_member ${task}]]`);
      return (await executeSlice(team, request, ports)) as TestRun["outcome"];
    });
    const [answer] = run.outcome.output.member_responses ?? [];
    expect(answer).toMatchObject({ status: "ERROR", content: "Withheld." });
    expect(JSON.stringify(answer?.messages?.at(-1))).not.toContain(SECRET);
  });

  test("is left out where the run was stopped before the guard had seen it", async () => {
    const stop = new AbortController();
    const { models } = watchedModel(() => {
      queueMicrotask(() => setTimeout(() => stop.abort(new RunStopped("cancelled", "Enough.")), 5));
      return text(`It is ${SECRET}`) as never;
    });
    const slow: PostHook = { ...guard, check: () => new Promise<undefined>(() => {}) };
    const run = await runAgent("?", { agent: anAgent({ post_hooks: [slow] }), models, signal: stop.signal });
    expect(seen(run)).not.toContain(SECRET);
  });
});

describe("a guard of the output", () => {
  test("is asked once about an answer, which is streamed after that", async () => {
    said.length = 0;
    const { models } = watchedModel(() => [...text("fine"), finish]);
    const order: string[] = [];
    const hook: PostHook = { name: "guard", check: () => void order.push("asked") };
    const agent = anAgent({ post_hooks: [hook] });
    await runAgent("?", { agent, models, onEvent: ({ event }) => order.push(event) });
    expect(order.filter((one, i) => one !== order[i - 1])).toEqual([
      "RunStarted",
      "ModelRequestStarted",
      "asked",
      "RunContent",
      "ModelRequestCompleted",
      "RunContentCompleted",
      "PostHookStarted",
      "PostHookCompleted",
      "RunCompleted",
    ]);
  });

  test("with stream_hold none sees it after the client, and only the record waits", async () => {
    const { models } = watchedModel(() => [...text(SECRET), finish]);
    const ends: string[] = [];
    const holdRecord = (run_id: string) => ({
      release: () => void ends.push(`released ${run_id}`),
      withhold: () => void ends.push(`withheld ${run_id}`),
    });
    const kept: unknown[] = [];
    const agent = anAgent({ post_hooks: [guard], stream_hold: "none", keep_withheld: "audit" });
    const keepWithheld = async (text: unknown) => void kept.push(text);
    const run = await runAgent("?", { agent, models, holdRecord, keepWithheld });
    expect(
      eventsOf(run, "RunContent")
        .map(({ content }) => content)
        .join(""),
    ).toBe(SECRET);
    expect(ends[0]).toBe("withheld run-1");
    expect(kept).toEqual([{ run_id: "run-1", hook: "guard", text: SECRET, error_id: "secret" }]);
    expect(JSON.stringify(run.outcome.output)).not.toContain(SECRET);
  });
});
