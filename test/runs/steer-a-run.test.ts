import * as v from "valibot";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectInbox } from "../../shared/engine/lifecycle/inbox.ts";
import { Reply } from "../../shared/http/handler.ts";
import { createComponentRun, sendComponentMessage } from "../../shared/runs/index.ts";
import { sendRunMessage } from "../../shared/runs/messages/send-run-message.ts";
import type { AcceptedRun } from "../../shared/schemas/runs/run.ts";
import type { StoredOutput } from "../../shared/schemas/runs/stored-output.ts";
import { listInbox, putMessage } from "../../shared/stores/runs/inbox-item.ts";
import type { StoredRun } from "../../shared/stores/runs/run-item.ts";
import { getSession } from "../../shared/stores/sessions/session-item.ts";
import { breakingDb } from "../support/breaking-db.ts";
import { queueWorld } from "../support/queue-world.ts";
import { registry } from "../support/registry/index.ts";
import { interruptedModels, MARIA, saidTo, say, statesOf } from "../support/steering.ts";
import { startStores, type TestStores } from "../support/stores.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

const runIn = (world: ReturnType<typeof queueWorld>, run_id: string, session_id: string) =>
  world.run({ run_id, session_id });

/** The run that answers what came too late for another one. */
async function restOf(world: ReturnType<typeof queueWorld>, run: { run_id: string; session_id: string }) {
  const moved = (await listInbox(stores.db, run.run_id)).flatMap(({ moved_to }) => moved_to ?? []);
  expect(new Set(moved).size).toBeLessThanOrEqual(1);
  return moved[0] === undefined ? undefined : runIn(world, moved[0], run.session_id);
}

test("what is said before the first model call is in the run once, behind its input", async () => {
  const world = queueWorld(stores.db);
  const run = await world.submit("hello");
  expect(await say(world, run, "one")).toMatchObject({ state: "unread" });
  await world.deliver(run.run_id);
  expect(saidTo(await world.run(run))).toEqual([
    "user: hello",
    "user: say one",
    "assistant: You said: say one",
  ]);
  expect(await statesOf(world, run)).toEqual({ one: "taken" });
  expect(await say(world, run, "late")).toMatchObject({ late: true });
});

test("what is said while a tool works stands behind its result; during the last answer, behind that", async () => {
  const world = queueWorld(stores.db);
  const run = await world.submit("[[tool:get_time {}]] hello");
  await world.deliver(run.run_id, {
    models: interruptedModels(world.models, async (call) => call <= 3 && say(world, run, `at ${call}`)),
  });
  const said = saidTo(await world.run(run));
  expect(said.map((line) => line.replace(/^tool: .*/, "tool"))).toEqual([
    "user: [[tool:get_time {}]] hello",
    "assistant: ",
    "tool",
    "user: say at 1",
    "assistant: You said: say at 1",
    "user: say at 2",
    "assistant: You said: say at 2",
    "user: say at 3",
    "assistant: You said: say at 3",
  ]);
  expect(await statesOf(world, run)).toEqual({ "at 1": "taken", "at 2": "taken", "at 3": "taken" });
});

test("a look that fails in its middle loses nothing: the next one has all that it had begun to take", async () => {
  const world = queueWorld(stores.db);
  const run = await world.submit("hello");
  await say(world, run, "one");
  await say(world, run, "two");
  const ids = (messages: readonly { message_id: string }[]) => messages.map(({ message_id }) => message_id);
  for (const [atWrite, when] of [
    [2, "before"],
    [1, "after"],
  ] as const) {
    const breaking = breakingDb(stores.db, atWrite, when);
    let db = breaking.db;
    const client = new Proxy(stores.db.client, { get: (_, name) => Reflect.get(db.client, name) });
    const inbox = connectInbox({ ...stores.db, client }, run.run_id, { placed: [], isNew: false });
    await expect(inbox.take()).rejects.toThrow("process");
    expect(inbox.look()).toEqual({ settled: 0, given: [] });
    db = stores.db; // the same execution, with a store that works again
    if (when === "after") expect(ids(await inbox.take())).toEqual(["one", "two"]);
  }
  const inbox = connectInbox(stores.db, run.run_id, { placed: ["one"], isNew: false });
  expect(ids(await inbox.take())).toEqual(["two"]);
  expect(inbox.look()).toEqual({ settled: 2, given: ["two"] });
});

test("what a run has looked at, and never had, becomes a new run when it ends", async () => {
  const world = queueWorld(stores.db, { EXECUTION_TIMEOUT_SECONDS: 3600 });
  const run = await world.submit("hello");
  await say(world, run, "one");
  const stored = await world.run(run);
  if (!stored) throw new Error("no run");
  // Its worker took the message, and died before it had a checkpoint.
  await connectInbox(stores.db, run.run_id, { placed: [], isNew: false }).take();
  await world.deliver(run.run_id, { findRunnable: async () => undefined });
  expect((await world.run(run))?.status).toBe("ERROR");
  expect((await restOf(world, run))?.output.input).toEqual({ input_content: "say one" });
  expect(await statesOf(world, run)).toEqual({ one: "moved" });
});

test("a worker that dies for good leaves what its run has there, and makes one new run of the rest", async () => {
  const world = queueWorld(stores.db);
  const run = await world.submit("[[tool:get_time {}]] hello");
  const breaking = breakingDb(stores.db);
  const models = interruptedModels(world.models, async (call) => {
    await say(world, run, `at ${call}`);
    if (call < 2) return;
    breaking.kill();
    throw new Error("killed");
  });
  await world.deliver(run.run_id, { db: breaking.db, models }).catch(() => undefined);
  expect(await statesOf(world, run)).toEqual({ "at 1": "taken", "at 2": "unread" });
  world.queue.sent.splice(0);
  world.clock.advance(120_000);
  await world.sweep();
  expect((await world.run(run))?.status).toBe("ERROR");
  const rest = await restOf(world, run);
  expect(rest?.output.input).toEqual({ input_content: "say at 2" });
  expect(rest?.output.metadata).toEqual({ steered_from: run.run_id });
  expect(await statesOf(world, run)).toEqual({ "at 1": "taken", "at 2": "moved" });
  expect(world.queue.sent.map(({ job_id }) => job_id)).toContain(rest?.run_id);
  await world.deliver(rest?.run_id ?? "");
  expect((await world.run({ ...run, run_id: rest?.run_id ?? "" }))?.status).toBe("COMPLETED");
});

test("the run of the rest takes its turn in the session: it waits for those that came before it", async () => {
  const world = queueWorld(stores.db);
  const run = await world.submit("[[fail:broken]] hello");
  const next = await world.submit("next", { session_id: run.session_id, session_policy: "queue" });
  const before = await getSession(stores.db, run.session_id);
  await world.deliver(run.run_id, {
    models: interruptedModels(world.models, async () => {
      await say(world, run, "late");
    }),
    // The run fails with its first call, before it looks again.
  });
  const rest = await restOf(world, run);
  expect((await world.job(rest?.run_id ?? ""))?.waits_for).toEqual([next.run_id]);
  expect((await getSession(stores.db, run.session_id))?.turn).toBe((before?.turn ?? 0) + 1);
  await world.deliver(rest?.run_id ?? "");
  expect((await world.job(rest?.run_id ?? ""))?.status).toBe("queued");
  await world.deliver(next.run_id);
  await world.deliverAll();
  expect((await world.run({ ...run, run_id: rest?.run_id ?? "" }))?.status).toBe("COMPLETED");
});

test("what is said to a member's run is that member's while it works; to one that has ended, its leader's", async () => {
  const world = queueWorld(stores.db);
  const component = { kind: "team" as const, id: "support-team" };
  const task = JSON.stringify({ member_id: "assistant", task: "[[tool:get_time {}]] look" });
  const asked = { ...world.request(`[[tool:delegate_task_to_member ${task}]]`), component };
  const accepted = await createComponentRun(asked, world);
  if (!(accepted instanceof Reply)) throw new Error("not accepted");
  const { run_id, session_id } = accepted.body as AcceptedRun;
  const memberOf = async () =>
    (await world.events(run_id)).find(({ run_id: id, event }) => id !== run_id && event === "RunStarted")
      ?.run_id;
  const sayTo = async (member: string, message_id: string) => {
    const body = { message: `say ${message_id}`, message_id, session_id, if_ended: "reject" as const };
    return sendComponentMessage({ ...asked, headers: {}, params: { run_id: member }, body }, world);
  };
  let member: string | undefined;
  const models = interruptedModels(world.models, async (call) => {
    if (call === 2) {
      // Events are written a moment after they happened.
      while (member === undefined) {
        world.clock.advance(500);
        await new Promise((done) => setTimeout(done, 10));
        member = await memberOf();
      }
      expect(await sayTo(member, "m")).toMatchObject({ run_id, delivery: "steered" });
    }
    // The member has ended when its leader is called again.
    if (call === 4) await sayTo(member ?? "", "l");
  });
  await world.deliver(run_id, { models });
  const run = await world.run({ run_id, session_id });
  const saidIn = (output: Pick<StoredOutput, "messages">) =>
    saidTo({ output } as StoredRun).filter((line) => line.includes("say "));
  expect(run?.output.member_responses?.map(saidIn)).toEqual([["user: say m", "assistant: You said: say m"]]);
  expect(saidTo(run).filter((line) => line.startsWith("user: say"))).toEqual(["user: say l"]);
  expect(await statesOf(world, { run_id, session_id })).toEqual({ m: "taken", l: "taken" });
  await expect(sayTo("unknown", "x")).rejects.toThrow("not found");
});

test("what is said to a team that routes is its live member's", async () => {
  const world = queueWorld(stores.db);
  const team = registry.teams.find(({ id }) => id === "support-team");
  if (!team) throw new Error("no team");
  const task = JSON.stringify({ member_id: "assistant", task: "[[tool:get_time {}]] look" });
  const asked = world.request(`[[tool:delegate_task_to_member ${task}]]`);
  const accepted = await createComponentRun(
    { ...asked, component: { kind: "team" as const, id: "support-team" } },
    world,
  );
  if (!(accepted instanceof Reply)) throw new Error("not accepted");
  const run = accepted.body as AcceptedRun;
  // The leader is called first, then its member.
  const models = interruptedModels(world.models, async (call) => call === 2 && say(world, run, "m"));
  await world.deliver(run.run_id, { models, findRunnable: async () => ({ ...team, mode: "route" }) });
  const { output } = (await world.run(run)) ?? {};
  const saidIn = (one: Pick<StoredOutput, "messages">) =>
    saidTo({ output: one } as StoredRun).filter((line) => line.includes("say "));
  expect(output?.member_responses?.map(saidIn)).toEqual([["user: say m", "assistant: You said: say m"]]);
  expect(await statesOf(world, run)).toEqual({ m: "taken" });
});

test("a message for which there is no budget is kept, and the run asks as usual", async () => {
  const world = queueWorld(stores.db);
  const run = await world.submit("[[tool:get_time {}]] hello");
  const agent = world.agent("assistant");
  if (!agent) throw new Error("no agent");
  const small = { ...agent, max_tokens_per_run: 6_000, max_output_tokens: 100 };
  const content = `say it ${"in many words ".repeat(3_000)}`;
  const models = interruptedModels(world.models, async (call) => {
    if (call === 1) await say(world, run, "long", { content });
  });
  await world.deliver(run.run_id, { models, findRunnable: async () => small });
  const paused = await world.run(run);
  expect(paused?.status).toBe("PAUSED");
  expect(paused?.output.tools?.at(-1)).toMatchObject({ tool_name: "budget", requires_confirmation: true });
  expect(saidTo(paused).at(-1)).toContain("user: say it in many words");
  expect(await statesOf(world, run)).toEqual({ long: "taken" });
});

test("to a run whose input has a schema nothing can be said", async () => {
  const world = queueWorld(stores.db);
  const run = await world.submit("hello");
  const [agent, stored] = [world.agent("assistant"), await world.run(run)];
  if (!agent || !stored) throw new Error("no run");
  const strict = { ...agent, input_schema: v.object({ order: v.string() }) };
  const sent = { message_id: "m", content: "hello", media: {}, if_ended: "run" } as const;
  const ended = async () => ({ message_id: "m", state: "moved", late: true }) as const;
  await expect(sendRunMessage(world, MARIA, strict, stored, sent, ended)).rejects.toMatchObject({
    code: "UNPROCESSABLE",
  });
  expect(await statesOf(world, run)).toEqual({});
});

test("an inbox is read to its end, however long its messages are", async () => {
  const world = queueWorld(stores.db);
  const run = await world.submit("hello");
  const at = { owner: "maria", ...run };
  for (let seq = 1; seq <= 90; seq += 1) {
    const noise = Array.from({ length: 15_000 }, (_, i) =>
      String.fromCharCode(33 + ((i * 7919 * seq + (i % 97) * (i % 89)) % 90)),
    ).join("");
    const said = { content: noise, media: {} };
    const message = {
      seq,
      message_id: `m${seq}`,
      user_id: "maria",
      created_at: 1,
      if_ended: "run" as const,
      said,
    };
    expect(await putMessage(stores.db, at, message, 1)).toBe("accepted");
  }
  expect(await listInbox(stores.db, run.run_id)).toHaveLength(90);
});
