import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { redeliverWebhook } from "../../functions/deliveries/redeliver-webhook.ts";
import { tryDelivery } from "../../functions/delivery-worker/try-delivery.ts";
import { DISABLED_AFTER_SECONDS, MAX_TRIES } from "../../shared/domain/deliveries/plan-try.ts";
import { cancelRun } from "../../shared/engine/lifecycle/cancel-run.ts";
import type { Reply } from "../../shared/http/handler.ts";
import { checkedAddresses } from "../../shared/outbound/checked-addresses.ts";
import { postMessage } from "../../shared/outbound/post-message.ts";
import { createComponentRun } from "../../shared/runs/index.ts";
import type { AcceptedRun } from "../../shared/schemas/runs/run.ts";
import { deliveryWork, idOfDelivery, type StoredDelivery } from "../../shared/stores/outbox/delivery-item.ts";
import { changeEndpoint, getEndpoint } from "../../shared/stores/outbox/endpoints.ts";
import { freeTargetSlot, SLOTS_OF_HOST, takeTargetSlot } from "../../shared/stores/outbox/target-slots.ts";
import { breakingDb } from "../support/breaking-db.ts";
import { type DeliveryWorld, deliveryWorld } from "../support/delivery-world.ts";
import { answering, type Receiver, startReceiver } from "../support/receiver.ts";
import { startStores, type TestStores } from "../support/stores.ts";

let stores: TestStores;
let receiver: Receiver;
let world: DeliveryWorld;

beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores?.stop());
// Each test has a receiver of its own: slots belong to a host, and endpoints outlast their world.
beforeEach(async () => {
  receiver = await startReceiver();
  world = deliveryWorld(stores.db, { allowedHosts: [receiver.host] });
});
afterEach(() => receiver.stop());

const ended = async (message = "hello", form = {}) => {
  const run = await world.submit(message, { callback_url: receiver.url, ...form });
  await world.deliver(run.run_id);
  return run;
};
/** A background run that waits for an approval. */
const pausedRun = async () => {
  const request = world.request('[[tool:close_account {"account":"K-7"}]]', { callback_url: receiver.url });
  const component = { kind: "agent" as const, id: "account-desk" };
  const answer = await createComponentRun({ ...request, component }, world);
  const run = (answer as Reply).body as AcceptedRun; // of a background run
  await world.deliver(run.run_id);
  return run;
};
const only = async (runId: string): Promise<StoredDelivery> => {
  const { deliveries } = await world.subjectOf(runId);
  expect(deliveries).toHaveLength(1);
  return deliveries[0] as StoredDelivery; // as counted
};
const advance = (seconds: number) => world.clock.advance(seconds * 1000);

describe("retries", () => {
  test("a message that is not accepted is sent again with the same id, and later ones wait for it", async () => {
    receiver.decide(answering(503));
    const run = await ended('[[tool:close_account {"account":"1"}]]', {});
    await world.work();
    const { run_id } = run;
    expect(receiver.about(run_id)).toHaveLength(1);
    advance(4);
    await world.work();
    expect(receiver.about(run_id)).toHaveLength(1);
    receiver.decide();
    advance(30);
    await world.work();
    const [first, second] = receiver.about(run_id);
    expect(second?.id).toBe(first?.id);
    expect(second?.timestamp).toBeGreaterThan(first?.timestamp ?? 0);
    expect(await only(run_id)).toMatchObject({
      status: "delivered",
      tries: 2,
      attempts: [{ response_status: 503 }, { response_status: 204 }],
    });
  });

  test("a receiver that accepts nothing is tried for about a day, then the delivery has failed", async () => {
    receiver.decide(answering(500));
    const startedAt = world.now();
    const { run_id } = await ended();
    for (let round = 0; round < MAX_TRIES + 5; round += 1) {
      await world.work();
      const { status, due_at = 0 } = await only(run_id);
      if (status !== "pending") break;
      advance(due_at - world.now());
      await world.resend();
    }
    expect(receiver.about(run_id)).toHaveLength(MAX_TRIES);
    expect(await only(run_id)).toMatchObject({ status: "failed", reason: "every try failed" });
    const hours = (world.now() - startedAt) / 3600;
    expect(hours).toBeGreaterThan(20);
    expect(hours).toBeLessThan(28);
  });

  test("Retry-After counts where it is longer, up to an hour", async () => {
    for (const [asked, waits] of [
      ["120", 120],
      ["1", 5],
      ["86400", 3600],
    ] as const) {
      receiver.decide(answering(429, { "retry-after": asked }));
      const { run_id } = await ended();
      await world.work();
      expect((await only(run_id)).due_at).toBe(world.now() + waits);
    }
  });

  test("a redirect is not followed", async () => {
    receiver.decide(answering(302, { location: `${receiver.url}/elsewhere` }));
    const { run_id } = await ended();
    await world.work();
    expect(receiver.received.map(({ path }) => path)).toEqual(["/hooks"]);
    expect((await only(run_id)).attempts).toMatchObject([
      { response_status: 302, error: "redirects are not followed" },
    ]);
  });

  test("of an answer of five megabytes the first kilobyte is kept", async () => {
    receiver.decide((_message, response) => void response.writeHead(200).end("x".repeat(5_000_000)));
    const { run_id } = await ended();
    await world.work();
    const [attempt] = (await only(run_id)).attempts;
    expect(attempt?.response).toBe("x".repeat(1024));
  });
});

test("events of a run arrive in their order: a later one waits for the earlier", async () => {
  receiver.decide(
    (message, response) => void response.writeHead(message.body.type === "run.paused" ? 500 : 204).end(),
  );
  const run = await pausedRun();
  const paused = await world.run(run);
  if (paused?.status !== "PAUSED") throw new Error("the run did not pause");
  await world.work();
  await cancelRun(world.db, paused, world.now(), 3600);
  await world.work();
  expect(receiver.about(run.run_id).map(({ body }) => body.type)).toEqual(["run.paused"]);
  // Called for the later one as well, the worker waits for the earlier.
  advance(3);
  await world.resend();
  await world.work();
  expect(receiver.about(run.run_id)).toHaveLength(1);
  receiver.decide();
  advance(3);
  await world.work();
  expect(receiver.about(run.run_id).map(({ body }) => body.type)).toEqual([
    "run.paused",
    "run.paused",
    "run.cancelled",
  ]);
});

describe("crashes", () => {
  test.each([1, 2, 3, 4, 5])(
    "one that dies around its write %i sends once or twice, with one id",
    async (atWrite) => {
      const { run_id } = await ended();
      const dying = breakingDb(world.db, atWrite, "after");
      await world.work({ db: dying.db }).catch(() => undefined);
      advance(deliveryWork.lease.seconds + 60);
      await world.resend();
      await world.work();
      const messages = receiver.about(run_id);
      expect(messages.length).toBeGreaterThanOrEqual(1);
      expect(messages.length).toBeLessThanOrEqual(2);
      expect(new Set(messages.map(({ id }) => id)).size).toBe(1);
      expect(await only(run_id)).toMatchObject({ status: "delivered" });
    },
  );

  test("two workers with the same wake-up send one message", async () => {
    const { run_id } = await ended();
    world.wakeups.push(...world.wakeups);
    await Promise.all([world.work(), world.work()]);
    await world.work();
    expect(receiver.about(run_id)).toHaveLength(1);
  });

  test("an event whose wake-up was lost is found by the sweeper", async () => {
    const { run_id } = await ended();
    world.wakeups.length = 0;
    await world.resend();
    await world.work();
    expect(receiver.about(run_id)).toHaveLength(0);
    advance(61);
    await world.resend();
    await world.work();
    expect(receiver.about(run_id)).toHaveLength(1);
  });
});

describe("standing endpoints", () => {
  test("one receives the events of its owner, another those of all users, each signed by its own secret", async () => {
    const own = await world.endpoint({ url: `${receiver.url}/own` });
    const all = await world.endpoint({ url: `${receiver.url}/all`, user_id: "boss", audience: "everybody" });
    const foreign = await world.endpoint({ url: `${receiver.url}/foreign`, user_id: "tom" });
    const deaf = await world.endpoint({ url: `${receiver.url}/deaf`, events: ["run.failed"] });
    const other = await world.endpoint({ url: `${receiver.url}/other`, components: [{ type: "team" }] });
    const run = await world.submit("hello");
    await world.deliver(run.run_id);
    await world.work();
    const messages = receiver.about(run.run_id);
    expect(messages.map(({ path }) => path).sort()).toEqual(["/hooks/all", "/hooks/own"]);
    for (const { path, isSignedBy, body } of messages) {
      expect(isSignedBy(world.secretOf(path.endsWith("own") ? own : all))).toBe(true);
      expect(isSignedBy(world.secretOf(path.endsWith("own") ? all : own))).toBe(false);
      expect(body.data).not.toHaveProperty("content");
    }
    expect(new Set(messages.map(({ id }) => id)).size).toBe(1);
    for (const { id } of [own, all, foreign, deaf, other])
      await changeEndpoint(world.db, id, { enabled: false });
  });

  test("410 disables it at once, five days of failure too, and one success starts the count anew", async () => {
    const gone = await world.endpoint({ url: `${receiver.url}/gone` });
    receiver.decide(answering(410));
    const first = await world.submit("hello");
    await world.deliver(first.run_id);
    await world.work();
    expect(await getEndpoint(world.db, gone.id)).toMatchObject({
      enabled: false,
      disabled_reason: "it answered 410",
    });
    expect(world.figures).toContainEqual({ EndpointsDisabled: 1 });

    const failing = await world.endpoint({ url: `${receiver.url}/failing` });
    const sent = async (status: number) => {
      receiver.decide(answering(status));
      const run = await world.submit("hello");
      await world.deliver(run.run_id);
      await world.work();
    };
    await sent(500);
    expect((await getEndpoint(world.db, failing.id))?.failing_since).toBe(world.now());
    await sent(200);
    expect((await getEndpoint(world.db, failing.id))?.failing_since).toBeNull();
    await sent(500);
    advance(DISABLED_AFTER_SECONDS);
    await sent(500);
    expect(await getEndpoint(world.db, failing.id)).toMatchObject({ enabled: false });
  });
});

describe("one slow host", () => {
  test("has a bounded number of messages under way; what finds no slot waits, and is not counted as tried", async () => {
    for (let slot = 0; slot < SLOTS_OF_HOST; slot += 1) {
      expect(await takeTargetSlot(world.db, receiver.host, `holder ${slot}`, world.now(), 0)).toBeDefined();
    }
    const { run_id } = await ended();
    await world.work();
    expect(receiver.about(run_id)).toHaveLength(0);
    const delivery = await only(run_id);
    expect(delivery).toMatchObject({ status: "pending", tries: 0 });
    expect(delivery.due_at).toBeGreaterThan(world.now());
    // Slots of dead processes are free after a while.
    advance(30);
    await world.work();
    expect(receiver.about(run_id)).toHaveLength(1);
  });

  test("wakes what waits as soon as a slot is free, the oldest first, and what is over not at all", async () => {
    const others = Array.from({ length: SLOTS_OF_HOST }, (_, slot) =>
      takeTargetSlot(world.db, receiver.host, `holder ${slot}`, world.now(), 0),
    );
    const [held] = await Promise.all(others);
    if (!held) throw new Error("no slot was free");
    const runs = [await ended("first"), await ended("second"), await ended("third")];
    await world.work();
    expect(receiver.received).toHaveLength(0);
    // The first is over by other means; its place among the waiters stays.
    const [first, second, third] = await Promise.all(runs.map(({ run_id }) => only(run_id)));
    if (!first || !second || !third) throw new Error("three deliveries were expected");
    await deliveryWork.change(world.db, first, { set: { status: "skipped" }, due: null }, deliveryWork.open);
    await freeTargetSlot(world.db, held);
    const before = world.now();
    const fourth = await ended("fourth");
    await world.work();
    expect(world.now()).toBe(before);
    expect(receiver.received.map(({ body }) => body.data.run_id)).toEqual([
      fourth.run_id,
      ...[second, third].map(({ subject }) => subject.id),
    ]);
  });
});

test("a delivery to an endpoint that is disabled is not asked for again: it says so", async () => {
  const made = await world.endpoint({ url: receiver.url });
  const { run_id } = await ended();
  await world.work();
  const { id } = made;
  const { deliveries } = await world.subjectOf(run_id);
  const delivery = deliveries.find(({ target }) => target.id === id);
  if (!delivery) throw new Error("a delivery was expected");
  await changeEndpoint(world.db, id, { enabled: false });
  const principal = world.request("").principal;
  const request = {
    params: { delivery_id: idOfDelivery(delivery) },
    principal,
    query: {},
    body: undefined,
    headers: {},
  };
  const redeliver = () => redeliverWebhook(request as never, { db: world.db, clock: world.clock });
  await expect(redeliver()).rejects.toMatchObject({
    code: "CONFLICT",
    message: expect.stringContaining("disabled"),
  });
  await changeEndpoint(world.db, id, { enabled: true });
  expect(await redeliver()).toMatchObject({ status: "pending" });
});

describe("addresses inside", () => {
  test.each([
    "https://169.254.169.254/latest/meta-data",
    "https://[::1]/",
    "https://127.0.0.1/",
    "https://10.0.0.1/",
    "https://localhost/",
    "http://example.com/",
  ])("%s is refused where it is asked for", async (callback_url) => {
    await expect(world.submit("hello", { callback_url })).rejects.toMatchObject({ code: "UNPROCESSABLE" });
  });

  test("a name that turns out to be inside is refused when it is sent, for good", async () => {
    expect(await checkedAddresses(new URL("https://localhost/"), [])).toEqual({ refused: "not_public" });
    expect(await postMessage({ url: "https://169.254.169.254/", headers: {}, body: "{}" }, [])).toMatchObject(
      {
        answered: false,
        refused: true,
      },
    );
  });
});

test("a delivery that another worker has leased is left alone", async () => {
  const { run_id } = await ended();
  receiver.decide((_message, response) => void setTimeout(() => response.writeHead(204).end(), 50));
  const working = world.work();
  await receiver.until(({ body }) => body.data.run_id === run_id);
  const { deliveries, events } = await world.subjectOf(run_id);
  const [delivery] = deliveries;
  if (!delivery) throw new Error("there is no delivery");
  expect(await tryDelivery(world.deps, delivery, events[0])).toBe("busy");
  await working;
  expect(receiver.about(run_id)).toHaveLength(1);
});
