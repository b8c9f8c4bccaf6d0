import { afterAll, beforeAll, expect, test } from "vitest";
import { EventStream } from "../../shared/http/handler.ts";
import { followFrames } from "../../shared/runs/foreground/event-frames.ts";
import { createComponentRun } from "../../shared/runs/index.ts";
import { listInbox } from "../../shared/stores/runs/inbox-item.ts";
import { queueWorld } from "../support/queue-world.ts";
import { saidTo, statesOf } from "../support/steering.ts";
import { startStores, type TestStores } from "../support/stores.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

const steer = { session_policy: "steer" } as const;

test("of twenty requests at once in an idle session one is a run, and it takes the others in their order", async () => {
  const world = queueWorld(stores.db);
  const { run_id: past, session_id } = await world.submit("before");
  await world.deliver(past);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => world.submit(`m${n}`, { ...steer, session_id })),
  );
  const runs = new Set(answers.map(({ run_id }) => run_id));
  expect(runs.size).toBe(1);
  const taken = answers.filter(({ steered }) => steered);
  expect(taken).toHaveLength(19);
  expect(taken.every(({ message_id }) => message_id !== undefined)).toBe(true);
  await world.deliver([...runs].join());
  const run = await world.run({ run_id: [...runs].join(), session_id });
  const said = saidTo(run);
  expect(said.filter((line) => line.startsWith("user: m"))).toHaveLength(20);
  expect(said.at(-1)).toMatch(/^assistant: You said: m/);
  const texts = new Map(answers.map(({ message_id }, n) => [message_id, `user: m${n}`]));
  const accepted = await listInbox(stores.db, [...runs].join());
  expect(said.filter((line) => line.startsWith("user: m")).slice(1)).toEqual(
    accepted.map(({ message_id }) => texts.get(message_id)),
  );
  expect(Object.values(await statesOf(world, { run_id: [...runs].join(), session_id }))).toEqual(
    Array(19).fill("taken"),
  );
});

test("where nothing is live, or the live run is another user's, it is a run; one that has a callback is too", async () => {
  const world = queueWorld(stores.db);
  const first = await world.submit("one", steer);
  expect(first.steered).toBeUndefined();
  const admin = { ...world.request("two", { ...steer, session_id: first.session_id }) };
  const asAdmin = { ...admin, principal: { ...admin.principal, user_id: "root", admin: true } };
  expect(await createComponentRun(asAdmin, world)).toMatchObject({
    status: 202,
    body: { status: "PENDING" },
  });
  expect(await world.submit("three", { ...steer, session_id: first.session_id })).toMatchObject({
    run_id: first.run_id,
    steered: true,
  });
});

test("the same key again is answered with the run that took it, also once that has ended", async () => {
  const world = queueWorld(stores.db);
  const first = await world.submit("one", steer);
  const form = { ...steer, session_id: first.session_id };
  const second = await world.submit("two", form, "key-1");
  expect(second).toMatchObject({ run_id: first.run_id, steered: true, message_id: "key-1" });
  await world.deliver(first.run_id);
  expect(await world.submit("two", form, "key-1")).toMatchObject({
    run_id: first.run_id,
    status: "COMPLETED",
  });
  expect(saidTo(await world.run(first))).toEqual(["user: one", "user: two", "assistant: You said: two"]);
});

test("a stream follows the run from where the message was accepted; read again later it has the same bytes", async () => {
  const world = queueWorld(stores.db);
  const first = await world.submit("one", steer);
  const request = world.request("two", { ...steer, session_id: first.session_id, stream: true });
  const answer = await createComponentRun(request, world);
  if (!(answer instanceof EventStream)) throw new Error("no stream");
  await world.deliver(first.run_id);
  const frames: string[] = [];
  for await (const frame of answer.chunks) frames.push(String(frame));
  expect(frames.join("")).toContain('"name":"user_message"');
  expect(frames.at(-1)).toContain("RunCompleted");
  const run = await world.run(first);
  if (!run) throw new Error("no run");
  const again: string[] = [];
  for await (const frame of followFrames(request, world, run, 0)) again.push(String(frame));
  expect(again.join("")).toBe(frames.join(""));
});
