import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defineAgent } from "../../shared/engine/define/agent.ts";
import { defineTeam } from "../../shared/engine/define/team.ts";
import { executeSlice } from "../../shared/engine/loop/execute-slice.ts";
import { connectMemories, DEFAULT_OWNER } from "../../shared/engine/recall/connect-books.ts";
import { RunStopped } from "../../shared/engine/run/next-step.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import type { Db } from "../../shared/stores/db.ts";
import { recordsOf } from "../../shared/stores/owned/get-owned.ts";
import { memoryKind } from "../../shared/stores/owned/memory-item.ts";
import { forgetful } from "../engine/support/forgetful.ts";
import { aRequest, eventsOf, runAgent, withPorts } from "../engine/support/run-agent.ts";
import { breakingDb } from "../support/breaking-db.ts";
import { startStores, type TestStores } from "../support/stores.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

const agent = defineAgent({
  id: "companion",
  name: "Companion",
  enable_agentic_memory: true,
  update_memory_on_run: true,
});
const TWO = "[[remember:Sails.]] [[remember:Lives in Oslo.]]";

const remember = (
  input: string,
  user_id: string,
  db: Db = stores.db,
  more: Parameters<typeof runAgent>[1] = {},
) =>
  runAgent(input, {
    agent,
    request: aRequest(input, { user_id, run_id: `run-of-${user_id}` }),
    memories: connectMemories(db, user_id, systemClock),
    ...more,
  });
const memoriesOf = async (user: string) =>
  (await recordsOf(stores.db, memoryKind, user)).map(({ memory }) => memory).sort();

describe("a run that is executed again", () => {
  test("remembers nothing twice, whatever the model says the second time", async () => {
    await remember(TWO, "twice");
    await remember(TWO, "twice");
    await remember("[[remember:Sails a lot.]] [[remember:Lives in Oslo now.]]", "twice");
    expect(await memoriesOf("twice")).toEqual(["Lives in Oslo.", "Sails."]);
  });

  test.each(["before", "after"] as const)(
    "remembers all, once, when it died %s any of its writes",
    async (when) => {
      for (const atWrite of [1, 2]) {
        const user = `died-${when}-${atWrite}`;
        const dying = breakingDb(stores.db, atWrite, when);
        const { outcome } = await remember(TWO, user, dying.db);
        expect(outcome.status).toBe("COMPLETED");
        await remember(TWO, user);
        expect(await memoriesOf(user), user).toEqual(["Lives in Oslo.", "Sails."]);
      }
    },
  );

  test("remembers what its tool was asked to once, too", async () => {
    const input = '[[tool:update_user_memory {"task":"[[remember:Prefers trains.]]"}]]';
    await remember(input, "tool-twice");
    const { outcome } = await remember(input, "tool-twice");
    expect(outcome.output.content).toBe("Remembered: Prefers trains.");
    expect(await memoriesOf("tool-twice")).toEqual(["Prefers trains."]);
  });
});

describe("what cannot be kept", () => {
  test("fails no run, and is not said to be kept", async () => {
    const lines: string[] = [];
    const dead = breakingDb(stores.db, 1);
    const run = await remember(TWO, "unlucky", dead.db, { warn: (line) => void lines.push(line) });
    expect(run.outcome.status).toBe("COMPLETED");
    expect(eventsOf(run, "MemoryUpdateCompleted")[0]).not.toHaveProperty("memories");
    expect(lines).toEqual(["memories could not be saved"]);
  });

  test("is shown to the model that asked for it", async () => {
    const dead = breakingDb(stores.db, 1);
    const input = '[[tool:update_user_memory {"task":"[[remember:Sails.]]"}]]';
    const { outcome } = await remember(input, "unlucky-tool", dead.db);
    expect(outcome.output.tools?.[0]).toMatchObject({
      tool_call_error: true,
      result: "Nothing could be remembered just now.",
    });
    expect(await memoriesOf("unlucky-tool")).toEqual([]);
  });

  test("because the model fails leaves run and memories as they are", async () => {
    const run = await remember(TWO, "forgetful", stores.db, { models: forgetful("add_memory") });
    expect(run.outcome.status).toBe("COMPLETED");
    expect(eventsOf(run, "MemoryUpdateCompleted")[0]).not.toHaveProperty("memories");
    expect(await memoriesOf("forgetful")).toEqual([]);
  });

  test("because memories cannot be read does not stop the answer", async () => {
    const book = connectMemories(stores.db, "unread", systemClock);
    const lines: string[] = [];
    const run = await remember("Hello", "unread", stores.db, {
      memories: { ...book, list: () => Promise.reject(new Error("no store")) },
      warn: (line) => void lines.push(line),
    });
    expect(run.outcome.output.content).toBe("You said: Hello");
    expect(lines).toContain("memories could not be read");
  });
});

test("a run that was lost keeps nothing more", async () => {
  const lost = new AbortController();
  const book = connectMemories(stores.db, "lost", systemClock);
  const running = remember(TWO, "lost", stores.db, {
    signal: lost.signal,
    memories: {
      ...book,
      async add(...args) {
        const kept = await book.add(...args);
        lost.abort(new RunStopped("lost", "another process has it"));
        return kept;
      },
    },
  });
  await expect(running).rejects.toMatchObject({ kind: "lost" });
  expect(await memoriesOf("lost")).toEqual(["Sails."]);
});

test("an unowned run remembers for the name that stands for no user", async () => {
  const request = aRequest("[[remember:Is shy.]]", { user_id: null, run_id: "nobodys" });
  await runAgent("", { agent, request, memories: connectMemories(stores.db, null, systemClock) });
  expect(await memoriesOf(DEFAULT_OWNER)).toEqual(["Is shy."]);
});

test("memories are shown to an agent that does not make any, when it wants them", async () => {
  await remember(TWO, "shown");
  const contextOf = async (add_memories_to_context?: boolean) => {
    const reader = defineAgent({
      id: "reader",
      name: "Reader",
      ...(add_memories_to_context !== undefined && { add_memories_to_context }),
    });
    const { outcome } = await remember("Hello", "shown", stores.db, { agent: reader });
    return outcome.output.messages?.find(({ role }) => role === "user")?.context ?? "";
  };
  expect(await contextOf(true)).toContain("- Sails.");
  expect(await contextOf(false)).toBe("");
  expect(await contextOf()).toBe("");
});

test("a team remembers as its leader, and emits it in the order of the wire", async () => {
  const team = defineTeam({ id: "crew", name: "Crew", members: [], update_memory_on_run: true });
  const request = aRequest("[[remember:Sails.]]", { user_id: "team-user" });
  const memories = connectMemories(stores.db, "team-user", systemClock);
  const run = await withPorts({ memories }, async (ports) => {
    const outcome = await executeSlice(team, request, ports);
    if (outcome.status === "YIELDED") throw new Error("the run yielded without a request");
    return outcome;
  });
  expect(run.order.slice(-4)).toEqual([
    "TeamRunContentCompleted",
    "TeamMemoryUpdateStarted",
    "TeamMemoryUpdateCompleted",
    "TeamRunCompleted",
  ]);
  expect(await memories.list(5)).toMatchObject([{ memory: "Sails.", team_id: "crew", agent_id: null }]);
});

test("what remembering uses counts against the run's budget", async () => {
  const limited = { ...agent, max_tokens_per_run: 700, max_output_tokens: 100 };
  const run = await remember(TWO, "poor", stores.db, { agent: limited });
  expect(run.outcome.status).toBe("COMPLETED");
  expect(await memoriesOf("poor")).toEqual([]);
});
