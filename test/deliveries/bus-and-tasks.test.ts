import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { removeSession } from "../../functions/housekeeper/removals/remove-session.ts";
import { connectEventBus } from "../../shared/outbound/event-bus.ts";
import { connectTaskTokens } from "../../shared/outbound/task-tokens.ts";
import { changeEndpoint } from "../../shared/stores/outbox/endpoints.ts";
import { readSubject } from "../../shared/stores/outbox/read-subject.ts";
import { removeSessions } from "../../shared/stores/sessions/remove-sessions.ts";
import { type AwsEvents, accepted, refusedWith, startAwsEvents } from "../support/aws-events-server.ts";
import { deliveryWorld } from "../support/delivery-world.ts";
import { startReceiver } from "../support/receiver.ts";
import { startStores, type TestStores } from "../support/stores.ts";

let stores: TestStores;
let aws: AwsEvents;

beforeAll(async () => {
  stores = await startStores();
  aws = await startAwsEvents();
});
afterAll(async () => {
  await aws?.stop();
  await stores?.stop();
});
beforeEach(() => {
  aws.asked.length = 0;
  aws.decide();
});

const withBus = () =>
  deliveryWorld(stores.db, {
    subscribers: { webhooks: false, bus: true, taskTokens: false },
    bus: connectEventBus("orders"),
  });
const withTasks = () =>
  deliveryWorld(stores.db, {
    subscribers: { webhooks: false, bus: false, taskTokens: true },
    tasks: connectTaskTokens(),
  });
type World = ReturnType<typeof deliveryWorld>;

const ended = async (world: World, message = "hello", form = {}) => {
  const run = await world.submit(message, form);
  await world.deliver(run.run_id);
  return run;
};
const outboxOf = async (world: World, kind: "run" | "job", id: string) => readSubject(world.db, { kind, id });

/** A session is deleted, and its remover has come. */
async function removed(world: World, session_id: string): Promise<void> {
  await removeSessions(world.db, [session_id], () => true, world.now());
  const { db, clock, log, settings } = { ...world, settings: { JOB_RETENTION_SECONDS: 3_600 } };
  const nothing = async () => undefined;
  const deps = { db, clock, log, settings, removals: { send: nothing }, removeObjectsOf: nothing };
  await removeSession(deps, { session_id, round: 0 }, 300_000);
}

type Entry = {
  readonly EventBusName: string;
  readonly Source: string;
  readonly DetailType: string;
  readonly Detail: string;
};
const entries = (): Entry[] =>
  aws.asked.flatMap(({ body }) => (Array.isArray(body.Entries) ? (body.Entries as Entry[]) : []));
const entriesAbout = (runId: string, type: string) =>
  entries()
    .filter(({ DetailType }) => DetailType === type)
    .map((entry) => ({ ...entry, detail: JSON.parse(entry.Detail) }))
    .filter(({ detail }) => detail.data.run_id === runId);

describe("the event bus", () => {
  test("an entry that failed within a call that succeeded is sent again, with the same id", async () => {
    const world = withBus();
    aws.decide(() => ({
      body: {
        FailedEntryCount: 1,
        Entries: [{ ErrorCode: "ThrottlingException", ErrorMessage: "slow down" }],
      },
    }));
    const { run_id } = await ended(world);
    await world.work();
    const failing = await outboxOf(world, "run", run_id);
    // Its end waits behind its start.
    expect(failing.deliveries).toMatchObject([
      { type: "run.started", status: "pending", attempts: [{ error: "ThrottlingException: slow down" }] },
      { type: "run.completed", status: "pending", attempts: [] },
    ]);
    aws.decide();
    world.clock.advance(10_000);
    await world.work();
    const [first, second] = entriesAbout(run_id, "run.started");
    expect(first).toMatchObject({ EventBusName: "orders", Source: "agent-platform" });
    expect(second?.detail.id).toBe(first?.detail.id);
    expect((await outboxOf(world, "run", run_id)).deliveries).toMatchObject([
      { status: "delivered", tries: 2, target: { kind: "event_bus" } },
      { status: "delivered", tries: 1, target: { kind: "event_bus" } },
    ]);
    expect(world.figures).not.toContainEqual({ UndeliveredEvents: 1 });
    expect(entriesAbout(run_id, "job.completed").length).toBeGreaterThan(0);
  });

  test("what the bus refuses for good is not sent again, and says why", async () => {
    const world = withBus();
    aws.decide(refusedWith("ValidationException"));
    const { run_id } = await ended(world);
    await world.work();
    const refused = {
      status: "failed",
      tries: 1,
      reason: expect.stringContaining("ValidationException"),
    };
    expect((await outboxOf(world, "run", run_id)).deliveries).toMatchObject([refused, refused]);
    // Of the run and of its job: start and end, and that it was queued. An alarm looks at them.
    expect(world.figures.filter((figure) => "UndeliveredEvents" in figure)).toHaveLength(5);
  });

  test("answers are there only where they were asked for, and never make an event too large", async () => {
    const world = withBus();
    const asked = { settings: { ...world.deps.settings, EVENT_BUS_CONTENTS: "true" as const } };
    const { run_id } = await ended(world, "short");
    await world.work(asked);
    expect(entriesAbout(run_id, "run.completed")[0]?.detail.data.content).toContain("short");
    const large = await ended(world, "ü".repeat(200_000));
    await world.work(asked);
    const [entry] = entriesAbout(large.run_id, "run.completed");
    expect(entry?.detail.data).toMatchObject({ content: null, content_omitted: "too_large" });
    const silent = await ended(world, "quiet");
    await world.work();
    expect(entriesAbout(silent.run_id, "run.completed")[0]?.detail.data).not.toHaveProperty("content");
    const sizes = entries().map(({ Detail }) => Buffer.byteLength(Detail));
    expect(Math.max(...sizes)).toBeLessThan(262_144 - 100);
  });
});

describe("a task", () => {
  test("gets the answer, or a reference where that is too large", async () => {
    const world = withTasks();
    const { run_id } = await ended(world, "hello", { task_token: "t-1" });
    const large = await ended(world, "ü".repeat(200_000), { task_token: "t-2" });
    await world.work();
    const outputs = aws.asked.map(({ operation, body }) => ({
      operation,
      token: body.taskToken,
      output: JSON.parse(String(body.output)),
    }));
    expect(outputs).toMatchObject([
      { operation: "SendTaskSuccess", token: "t-1", output: { run_id, content: expect.any(String) } },
      {
        token: "t-2",
        output: {
          run_id: large.run_id,
          content: null,
          content_omitted: "too_large",
          path: expect.any(String),
        },
      },
    ]);
  });

  test("fails with the run's error, once its attempts are over", async () => {
    const world = withTasks();
    const { run_id } = await ended(world, "[[fail:out of paper]]", { task_token: "t-3" });
    await world.work();
    expect(aws.asked).toMatchObject([
      { operation: "SendTaskFailure", body: { taskToken: "t-3", error: "AgentPlatform.RunFailed" } },
    ]);
    expect(JSON.parse(String(aws.asked[0]?.body.cause))).toMatchObject({
      run_id,
      error: expect.stringContaining("out of paper"),
    });
  });

  test.each([
    ["TaskTimedOut", "failed"],
    ["TaskDoesNotExist", "failed"],
    ["InvalidToken", "failed"],
    ["AccessDeniedException", "pending"],
  ])("%s leaves its delivery %s, and no record has the token", async (type, status) => {
    const world = withTasks();
    const token = "secret-token-of-a-task";
    aws.decide((asked) => ({
      status: 400,
      body: { __type: type, message: `no task ${asked.body.taskToken}` },
    }));
    const { run_id } = await ended(world, "hello", { task_token: token });
    await world.work();
    const { deliveries, events } = await outboxOf(world, "run", run_id);
    expect(deliveries).toMatchObject([{ status, tries: 1, attempts: [{ error: type }] }]);
    expect(JSON.stringify([deliveries, events])).not.toContain(token);
    expect(JSON.stringify(await world.job(run_id))).not.toContain(token);
    aws.decide(accepted);
  });

  test.each([
    ["paused", '[[tool:issue_refund {"order_id":"o-1","amount":5}]]'],
    ["completed, before the notification", "hello"],
  ])("is failed where its run is deleted with its session: %s", async (_when, message) => {
    const world = withTasks();
    const token = `t-deleted-${_when}`;
    const { run_id, session_id } = await world.submit(message, { task_token: token });
    await world.deliver(run_id);
    world.wakeups.length = 0; // the worker of deliveries comes too late
    await removed(world, session_id);
    await world.work();
    expect(aws.asked).toMatchObject([
      {
        operation: "SendTaskFailure",
        body: { taskToken: token, error: "AgentPlatform.RunDeleted" },
      },
    ]);
    expect((await outboxOf(world, "run", run_id)).events).toEqual([]);
  });

  test("a run without a token writes nothing where only tasks are notified; elsewhere a token is refused", async () => {
    const world = withTasks();
    const { run_id } = await ended(world);
    for (const kind of ["run", "job"] as const)
      expect((await outboxOf(world, kind, run_id)).events).toEqual([]);
    await expect(withBus().submit("hello", { task_token: "t" })).rejects.toMatchObject({
      code: "UNPROCESSABLE",
      message: expect.stringContaining("taskTokens"),
    });
  });
});

test("an endpoint receives other changes only by their names, and without such an endpoint none is written", async () => {
  const receiver = await startReceiver();
  const subscribed = () => deliveryWorld(stores.db, { allowedHosts: [receiver.host] });
  const before = subscribed();
  const plain = await before.endpoint({ url: `${receiver.url}/plain` });
  const { run_id: unheard } = await ended(before);
  expect((await outboxOf(before, "job", unheard)).events).toEqual([]);
  const named = await before.endpoint({ url: `${receiver.url}/named`, events: ["run.failed"] });
  await changeEndpoint(before.db, named.id, { events: ["job.completed", "job.failed"] });
  // A process knows it after a minute at most; this one has just started.
  const world = subscribed();
  const run = await ended(world);
  await world.work();
  const delivered = receiver.received.filter(({ body }) => body.data.run_id === run.run_id);
  expect(delivered.map(({ path, body }) => [path, body.type]).sort()).toEqual([
    ["/hooks/named", "job.completed"],
    ["/hooks/plain", "run.completed"],
  ]);
  expect(delivered.find(({ body }) => body.type === "job.completed")?.body.data).toMatchObject({
    job_id: run.run_id,
    status: "completed",
    component: { type: "agent", id: "assistant" },
  });
  for (const { id } of [plain, named]) await changeEndpoint(world.db, id, { enabled: false });
  await receiver.stop();
});

test("a start is written only where the bus or an endpoint that names it subscribes, and before what follows", async () => {
  const receiver = await startReceiver();
  const subscribed = () => deliveryWorld(stores.db, { allowedHosts: [receiver.host] });
  const before = subscribed();
  const jobs = await before.endpoint({
    url: `${receiver.url}/jobs`,
    events: ["job.queued", "run.completed"],
  });
  const { run_id: unheard } = await ended(subscribed());
  const typesOf = async (world: World, kind: "run" | "job", id: string) =>
    (await outboxOf(world, kind, id)).events.map(({ type }) => type);
  expect([await typesOf(before, "run", unheard), await typesOf(before, "job", unheard)]).toEqual([
    ["run.completed"],
    ["job.queued", "job.completed"],
  ]);
  const events = ["run.started", "job.running", "run.completed"] as const;
  const starts = await before.endpoint({ url: `${receiver.url}/starts`, events: [...events] });
  const world = subscribed();
  const { run_id } = await ended(world, "[[fail:once]]");
  expect((await typesOf(world, "run", run_id))[0]).toBe("run.started");
  expect((await typesOf(world, "job", run_id)).slice(0, 2)).toEqual(["job.queued", "job.running"]);
  await world.work();
  const delivered = receiver.received.filter(
    ({ path, body }) => path === "/hooks/starts" && body.data.run_id === run_id,
  );
  // Of each attempt that the job is running; of the run one start, however many attempts it takes.
  expect(delivered.filter(({ body }) => body.type === "run.started")).toHaveLength(1);
  expect(delivered.find(({ body }) => body.type === "run.started")?.body.data).toMatchObject({
    status: "RUNNING",
    component: { type: "agent", id: "assistant" },
  });
  for (const { id } of [jobs, starts]) await changeEndpoint(world.db, id, { enabled: false });
  await receiver.stop();
});
