import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { openRequirements } from "../../../shared/domain/runs/open-requirements.ts";
import { executeSlice } from "../../../shared/engine/loop/execute-slice.ts";
import { applyAnswers } from "../../../shared/engine/pause/apply-answers.ts";
import type { LedgerEntry, ToolLedger } from "../../../shared/engine/ports/engine-ports.ts";
import type { SlicePorts } from "../../../shared/engine/run/execution.ts";
import { RunStopped } from "../../../shared/engine/run/next-step.ts";
import type { RunState } from "../../../shared/engine/run/run-state.ts";
import { stateFromRun } from "../../../shared/engine/run/state-from-run.ts";
import { defineMcpTools } from "../../../shared/engine/tool/mcp/define-mcp-tools.ts";
import type { McpServer } from "../../../shared/engine/tool/mcp/mcp-server.ts";
import { callAnswerSchema } from "../../../shared/pauses/ask-call.ts";
import type { ToolAnswer } from "../../../shared/schemas/runs/pause-answers.ts";
import type { RunOutput } from "../../../shared/schemas/runs/run.ts";
import { startMcpToolServer } from "../../support/mcp-tool-server.ts";
import { anAgent, aRequest, START_SECONDS, scripted } from "../support/run-agent.ts";

/** Calls that are not over with their first answer: the server asks a person, or makes a task of them. */
let server: Awaited<ReturnType<typeof startMcpToolServer>>;
beforeEach(async () => {
  await server?.stop();
  server = await startMcpToolServer();
});
afterAll(() => server.stop());

/** What outlives a process: the ledger, what is kept beside the run, and its last checkpoint. */
function aStore() {
  const entries = new Map<string, LedgerEntry>();
  const kept = new Map<string, string>();
  const saved: RunState[] = [];
  const ledger: ToolLedger = {
    start: async (key) => {
      const known = entries.get(key);
      if (known) return known;
      entries.set(key, { state: "open", starts: 1 });
      return { state: "started" };
    },
    startAgain: async (key, starts) => {
      entries.set(key, { state: "open", starts: starts + 1 });
      return { state: "started" };
    },
    end: async (key, answer) => void entries.set(key, { state: "ended", answer, changes: undefined }),
  };
  return {
    saved,
    kept,
    ports: {
      ledger,
      results: {
        put: async (id: string, text: string) => kept.set(id, text).size > 0,
        get: async (id: string) => kept.get(id),
      },
      saveCheckpoint: async (state: RunState) => void saved.push(structuredClone(state)),
    },
  };
}

/** A process of its own: it knows of the server what it finds out itself. */
function aProcess(
  store: ReturnType<typeof aStore>,
  settings: Partial<Extract<McpServer, { readonly url: string }>> = {},
) {
  const agent = anAgent({ tool_sources: [defineMcpTools({ url: server.url, name: "bank", ...settings })] });
  let ids = 0;
  return (input: string, more: Partial<SlicePorts> = {}, from?: RunState) =>
    executeSlice(
      agent,
      aRequest(input),
      {
        models: scripted(),
        clock: { now: () => START_SECONDS * 1000, sleep: async (_ms, signal) => signal?.throwIfAborted() },
        newId: () => `id-${++ids}`,
        signal: new AbortController().signal,
        emit: () => undefined,
        ...store.ports,
        ...more,
      },
      from,
    );
}

const outputOf = (outcome: Awaited<ReturnType<typeof executeSlice>>): RunOutput => {
  if (outcome.status === "YIELDED") throw new Error("the run has yielded");
  return outcome.output as RunOutput;
};
const answered = (output: RunOutput, answer: Partial<ToolAnswer>): RunState => {
  const tool_call_id = output.tools?.at(-1)?.tool_call_id ?? "";
  const tools = applyAnswers(output.tools ?? [], [{ tool_call_id, ...answer } as ToolAnswer]);
  return stateFromRun(output, tools, START_SECONDS * 1000);
};
const filled = (values: Record<string, unknown>) => ({
  user_input_schema: Object.entries(values).map(([name, value]) => ({ name, value })) as never,
});
const lastCall = (outcome: Awaited<ReturnType<typeof executeSlice>>) => outputOf(outcome).tools?.at(-1);

describe("a server that asks a person within a call", () => {
  test("pauses the run, which names it; another process answers, with what it wants back", async () => {
    const store = aStore();
    const paused = await aProcess(store)("[[tool:ask {}]]");
    expect(paused.status).toBe("PAUSED");
    const output = outputOf(paused);
    expect(output.content).toBe("Waiting for what the MCP server bank asks in ask.");
    const [open] = openRequirements(output).calls;
    expect(open?.requirement.confirmation_note).toBe("The MCP server bank asks: Which account?");
    expect(open && callAnswerSchema(open)).toMatchObject({
      properties: {
        values: {
          properties: { account: { type: "string", description: "Account" }, amount: { type: "integer" } },
          required: ["account", "amount"],
        },
      },
    });
    // What is for the server alone is in no answer.
    expect(JSON.stringify(output)).not.toContain("byte for byte");
    const resumed = await aProcess(store)(
      "",
      { continues: true },
      answered(output, filled({ account: "a-1", amount: "250" })),
    );
    const took = 'took {"action":"accept","content":{"account":"a-1","amount":250}}';
    expect(lastCall(resumed)).toMatchObject({ result: took, tool_args: {} });
    const calls = server.state.seen.filter(({ method }) => method === "tools/call");
    expect(calls.map(({ params }) => params.requestState)).toEqual([undefined, "a state, byte for byte"]);
    expect(calls.map(({ params }) => params.arguments)).toEqual([{}, {}]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
  });

  test("is not called again where the person refuses; the tool is refused", async () => {
    const store = aStore();
    const paused = outputOf(await aProcess(store)("[[tool:ask {}]]"));
    const resumed = await aProcess(store)("", { continues: true }, answered(paused, { confirmed: false }));
    expect(lastCall(resumed)).toMatchObject({
      tool_call_error: true,
      result: expect.stringContaining("refused to answer what the MCP server bank asks"),
    });
    expect(server.methods().filter((method) => method === "tools/call ask")).toHaveLength(1);
  });

  test("is called once more at most for each answer, whatever dies: then a person decides", async () => {
    const store = aStore();
    const paused = outputOf(await aProcess(store)("[[tool:ask {}]]"));
    const state = answered(paused, filled({ account: "a-1", amount: 1 }));
    const died = { ...store.ports.ledger, end: async () => Promise.reject(new RunStopped("lost", "killed")) };
    await aProcess(store)("", { ledger: died }, state).catch(() => undefined);
    const again = await aProcess(store)("", {}, state);
    expect(again.status).toBe("PAUSED");
    expect(lastCall(again)).toMatchObject({ in_doubt: 1 });
    expect(server.methods().filter((method) => method === "tools/call ask")).toHaveLength(2);
  });

  test("with a page has the person open it and say so", async () => {
    const store = aStore();
    const paused = outputOf(await aProcess(store)("[[tool:open_page {}]]"));
    expect(paused.requirements?.[0]?.confirmation_note).toContain("https://login.example/there");
    const resumed = await aProcess(store)("", {}, answered(paused, { confirmed: true }));
    expect(lastCall(resumed)).toMatchObject({ result: "opened: accept" });
  });

  test("is refused where its source declines, and is not said to be able to ask", async () => {
    const call = lastCall(await aProcess(aStore(), { elicitation: "decline" })("[[tool:ask {}]]"));
    expect(call?.tool_call_error).toBe(true);
    const { _meta: meta } = server.state.seen.at(-1)?.params ?? {};
    expect(JSON.stringify(meta)).not.toContain("elicitation");
  });
});

describe("a task of a server", () => {
  test("is asked for at its interval until it has ended", async () => {
    server.state.task.asksLeft = 2;
    const slept: number[] = [];
    const clock = { now: () => START_SECONDS * 1000, sleep: async (ms: number) => void slept.push(ms) };
    const run = await aProcess(aStore())("[[tool:slow {}]]", { clock });
    expect(lastCall(run)).toMatchObject({ result: "slowly done", tool_call_error: false });
    expect(server.methods().slice(2)).toEqual(["tools/call slow", ...Array(3).fill("tasks/get task-1")]);
    expect(slept.reduce((sum, ms) => sum + ms, 0)).toBe(3 * 2_000);
  });

  test("survives its worker, and the call is not made again", async () => {
    server.state.task.asksLeft = 1;
    const store = aStore();
    const lost = new AbortController();
    const dies = {
      now: () => START_SECONDS * 1000,
      sleep: async () => lost.abort(new RunStopped("lost", "killed")),
    };
    const died = aProcess(store)("[[tool:slow {}]]", { signal: lost.signal, clock: dies });
    await expect(died).rejects.toThrow("killed");
    const state = store.saved.at(-1);
    expect(state?.tools[0]).toMatchObject({ result: null, remote_call: { follows: true } });
    const run = await aProcess(store)("", {}, state);
    expect(lastCall(run)).toMatchObject({ result: "slowly done" });
    expect(server.methods().filter((method) => method === "tools/call slow")).toHaveLength(1);
  });

  test("is left to another process where this one has to yield", async () => {
    server.state.task.asksLeft = 1;
    const store = aStore();
    const yielded = await aProcess(store)("[[tool:slow {}]]", {
      shouldYield: () => server.methods().includes("tools/call slow"),
    });
    if (yielded.status !== "YIELDED") throw new Error("the run has not yielded");
    expect(lastCall(await aProcess(store)("", {}, yielded.state))).toMatchObject({ result: "slowly done" });
    expect(server.methods().filter((method) => method === "tools/call slow")).toHaveLength(1);
  });

  test("is cancelled with its run, once", async () => {
    server.state.task.asksLeft = 100;
    const stop = new AbortController();
    let sleeps = 0;
    const clock = {
      now: () => START_SECONDS * 1000,
      sleep: async (_ms: number, signal?: AbortSignal) => {
        sleeps += 1;
        if (sleeps === 3) stop.abort(new RunStopped("cancelled", "enough"));
        signal?.throwIfAborted();
      },
    };
    const run = await aProcess(aStore())("[[tool:slow {}]]", { clock, signal: stop.signal });
    expect(run.status).toBe("CANCELLED");
    expect(server.methods().filter((method) => method === "tasks/cancel task-1")).toHaveLength(1);
  });

  test("that asks a person pauses the run, and is given the answer", async () => {
    server.state.task.end = "input_required";
    const store = aStore();
    const paused = outputOf(await aProcess(store)("[[tool:slow {}]]"));
    expect(paused.requirements?.[0]?.confirmation_note).toBe("The MCP server bank asks: Which account?");
    const resumed = await aProcess(store)("", {}, answered(paused, filled({ account: "a-1", amount: 2 })));
    expect(lastCall(resumed)).toMatchObject({ result: "slowly done" });
    const update = server.state.seen.find(({ method }) => method === "tasks/update")?.params;
    expect(update).toMatchObject({
      inputResponses: { pay: { action: "accept", content: { account: "a-1", amount: 2 } } },
    });
  });

  test("that fails is an error of the tool", async () => {
    server.state.task.end = "failed";
    expect(lastCall(await aProcess(aStore())("[[tool:slow {}]]"))).toMatchObject({
      tool_call_error: true,
      result: "The task failed: it broke",
    });
  });
});

test("what destroys something is not called twice after a kill, although its server calls it idempotent", async () => {
  const store = aStore();
  const died = { ...store.ports.ledger, end: async () => Promise.reject(new RunStopped("lost", "killed")) };
  await expect(aProcess(store)("[[tool:wipe {}]]", { ledger: died })).rejects.toThrow("killed");
  const again = await aProcess(store)("", {}, store.saved.at(-1));
  expect(again.status).toBe("PAUSED");
  expect(lastCall(again)).toMatchObject({ tool_name: "wipe", in_doubt: 1 });
  expect(server.methods().filter((method) => method === "tools/call wipe")).toHaveLength(1);
});
