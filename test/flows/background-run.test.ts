import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EventStream } from "../../shared/http/handler.ts";
import { createComponentRun } from "../../shared/runs/index.ts";
import { listRuns } from "../../shared/stores/runs/listing/list-runs.ts";
import { getSession } from "../../shared/stores/sessions/session-item.ts";
import { plainOrder } from "../support/event-orders.ts";
import { queueWorld } from "../support/queue-world.ts";
import { T0 } from "../support/records.ts";
import { startStores, type TestStores } from "../support/stores.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

describe("a background run", () => {
  test("is accepted, worked once and ends with its answer, its events and its session", async () => {
    const world = queueWorld(stores.db);
    const accepted = await world.submit("hello there");
    expect(Object.keys(accepted)).toEqual(["run_id", "session_id", "status"]);
    expect(accepted.status).toBe("PENDING");
    expect(await world.run(accepted)).toMatchObject({ status: "PENDING" });
    expect(await world.deliverAll()).toBe(1);
    expect(await world.job(accepted.run_id)).toMatchObject({ status: "completed", attempt: 1, error: null });
    const run = await world.run(accepted);
    expect(run).toMatchObject({ status: "COMPLETED", output: { content: "You said: hello there" } });
    const events = await world.events(accepted.run_id);
    expect(events.map((e) => e.event_index)).toEqual(events.map((_, i) => i));
    expect(events.map((e) => e.event).filter((e, i, all) => e !== all[i - 1])).toEqual(plainOrder);
    const session = await getSession(stores.db, accepted.session_id);
    expect(session?.total_tokens).toBe(run?.output.metrics?.total_tokens);
    expect(session?.derived_name).toBe("hello there");
  });

  test("whose message comes twice, or after it ended, is executed once", async () => {
    const world = queueWorld(stores.db);
    const { run_id } = await world.submit("once");
    await Promise.all([world.deliver(run_id), world.deliver(run_id)]);
    await world.deliver(run_id);
    expect(await world.job(run_id)).toMatchObject({ status: "completed", attempt: 1 });
    const started = (await world.events(run_id)).filter((e) => e.event === "RunStarted");
    expect(started).toHaveLength(1);
  });

  test("sees the earlier runs of its session", async () => {
    const world = queueWorld(stores.db);
    const first = await world.submit("my name is Maria");
    await world.deliverAll();
    const second = await world.submit("what is my name?", { session_id: first.session_id });
    await world.deliverAll();
    const messages = (await world.run(second))?.output.messages ?? [];
    const earlier = messages.filter((m) => m.from_history).map((m) => m.content);
    expect(earlier).toEqual(["my name is Maria", "You said: my name is Maria"]);
  });

  test("beside another one in the same session leaves both on record", async () => {
    const world = queueWorld(stores.db);
    const first = await world.submit("one");
    const second = await world.submit("two", { session_id: first.session_id });
    await Promise.all([world.deliver(first.run_id), world.deliver(second.run_id)]);
    const runs = await listRuns(stores.db, "maria", first.session_id, T0);
    expect(runs.map((run) => [run.run_id, run.status])).toEqual([
      [first.run_id, "COMPLETED"],
      [second.run_id, "COMPLETED"],
    ]);
  });

  test("keeps the tools it used", async () => {
    const world = queueWorld(stores.db);
    const accepted = await world.submit('[[tool:add_numbers {"a":2,"b":3}]]');
    await world.deliverAll();
    const run = await world.run(accepted);
    expect(run?.output.tools).toMatchObject([
      { tool_name: "add_numbers", result: "5", tool_call_error: false },
    ]);
    expect(run?.status).toBe("COMPLETED");
  });

  test("that asks for a confirmation pauses without calling the tool", async () => {
    const world = queueWorld(stores.db);
    const answer = await createComponentRun(
      {
        ...world.request('[[tool:issue_refund {"order_id":"o-1","amount":5}]]'),
        component: { kind: "agent" as const, id: "refund-desk" },
      },
      world,
    );
    const { run_id, session_id } = (answer as { body: { run_id: string; session_id: string } }).body;
    await world.deliverAll();
    expect(await world.job(run_id)).toMatchObject({ status: "paused", completed_at: null, locked_by: null });
    const run = await world.run({ run_id, session_id });
    expect(run?.status).toBe("PAUSED");
    expect(run?.output.requirements).toHaveLength(1);
    expect(run?.output.tools).toMatchObject([{ tool_name: "issue_refund", result: null, confirmed: null }]);
  });

  test("can be followed while it runs, and replayed when it is done", async () => {
    const world = queueWorld(stores.db);
    const answer = await createComponentRun(world.request("follow me", { stream: true }), world);
    expect(answer).toBeInstanceOf(EventStream);
    const [job] = world.queue.sent;
    expect(job).toBeDefined();
    await world.deliverAll();
    const frames: string[] = [];
    for await (const frame of (answer as EventStream).chunks) frames.push(frame);
    const frameEvents = frames.map((frame) => JSON.parse(frame.split("\ndata: ")[1] ?? "{}"));
    expect(frameEvents.map((e) => e.event_index)).toEqual(frameEvents.map((_, i) => i));
    expect(frameEvents.at(-1)).toMatchObject({ event: "RunCompleted", run_id: job?.job_id });
  });
});

describe("submitting", () => {
  test("answers 202 although the wake-up cannot be sent; the sweeper sends it later", async () => {
    const world = queueWorld(stores.db);
    world.queue.reachable = false;
    const { run_id } = await world.submit("unknown");
    world.queue.reachable = true;
    expect(world.queue.sent).toEqual([]);
    world.clock.advance(60_000);
    expect((await world.sweep()).resent).toBeGreaterThanOrEqual(1);
    await world.deliverAll();
    expect(await world.job(run_id)).toMatchObject({ status: "completed" });
  });

  test("above the depth is refused with 429 and a time to come back, and leaves nothing", async () => {
    const world = queueWorld(stores.db, { MAX_QUEUE_DEPTH: 1 });
    const { run_id } = await world.submit("first", {}, "key-when-full");
    await expect(world.submit("second")).rejects.toMatchObject({
      code: "QUEUE_FULL",
      status: 429,
      headers: { "retry-after": expect.any(String) },
    });
    expect(world.queue.sent).toHaveLength(1);
    expect(await world.submit("again", {}, "key-when-full")).toMatchObject({ run_id });
    await world.deliverAll();
  });

  test("with a used key answers with the original run and its present status", async () => {
    const world = queueWorld(stores.db);
    const first = await world.submit("[[fail:boom]]", {}, "key-1");
    expect(await world.submit("something else", {}, "key-1")).toEqual(first);
    await world.deliverAll();
    expect(await world.submit("again", {}, "key-1")).toEqual({ ...first, status: "ERROR" });
  });

  test("with a key of another component, or a stream of a run without one, is a conflict", async () => {
    const world = queueWorld(stores.db);
    await world.submit("one", {}, "key-2");
    const other = {
      ...world.request("two", {}, "key-2"),
      component: { kind: "agent" as const, id: "refund-desk" },
    };
    await expect(createComponentRun(other, world)).rejects.toMatchObject({ code: "CONFLICT" });
    const streamed = world.request("two", { stream: true }, "key-2");
    await expect(createComponentRun(streamed, world)).rejects.toMatchObject({ code: "CONFLICT" });
    await expect(world.submit("x", {}, "k".repeat(513))).rejects.toMatchObject({ status: 422 });
    await world.deliverAll();
  });

  test("into another user's session, or another component's, is not found and leaves nothing", async () => {
    const world = queueWorld(stores.db);
    const { session_id } = await world.submit("mine");
    const otto = { kind: "user" as const, user_id: "otto", scopes: ["agents:run"], admin: false };
    const foreign = { ...world.request("yours", { session_id }), principal: otto };
    await expect(createComponentRun(foreign, world)).rejects.toMatchObject({ code: "NOT_FOUND" });
    const elsewhere = {
      ...world.request("mine", { session_id }),
      component: { kind: "agent" as const, id: "refund-desk" },
    };
    await expect(createComponentRun(elsewhere, world)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await listRuns(stores.db, "maria", session_id, T0)).toHaveLength(1);
  });

  test("uses the credential's subject, whatever the form says", async () => {
    const world = queueWorld(stores.db);
    const { run_id } = await world.submit("who am I", { user_id: "otto" });
    expect(await world.job(run_id)).toMatchObject({ user_id: "maria" });
  });

  test("is refused where the queue is switched off", async () => {
    const world = queueWorld(stores.db, { QUEUE_ENABLED: "false" });
    await expect(world.submit("no queue")).rejects.toMatchObject({ code: "QUEUE_DISABLED", status: 503 });
  });
});

test("a worker that stood still since it took the lock calls nothing when it wakes, and writes nothing", async () => {
  const world = queueWorld(stores.db, { MAX_ATTEMPTS: 2 });
  const { run_id, session_id } = await world.submit("hello");
  const calls: string[] = [];
  const models = {
    ...world.models,
    resolve: (spec?: string) => {
      calls.push("model");
      return world.models.resolve(spec);
    },
  };
  await world.deliver(run_id, {
    models,
    findRunnable: async () => {
      // Longer than anybody waits for it.
      world.clock.advance(120_000);
      return world.agent("assistant");
    },
  });
  expect(calls).toEqual([]);
  expect(await world.job(run_id)).toMatchObject({ status: "running", attempt: 1 });
  await world.sweep();
  await world.deliverAll();
  expect(await world.job(run_id)).toMatchObject({ status: "completed", attempt: 2 });
  expect(await world.run({ run_id, session_id })).toMatchObject({ status: "COMPLETED" });
});
