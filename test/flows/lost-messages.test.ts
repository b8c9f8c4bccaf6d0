import { afterAll, beforeAll, expect, test } from "vitest";
import { queueWorld } from "../support/queue-world.ts";
import { startStores, type TestStores } from "../support/stores.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

test("a lost message is sent again although the queue holds as many messages as there are queued jobs", async () => {
  const world = queueWorld(stores.db);
  const lost = await world.submit("the first");
  const [message] = world.queue.sent.splice(0);
  const twice = await world.submit("the second");
  world.queue.sent.push(...world.queue.sent);
  world.clock.advance(30_000);
  expect((await world.sweep()).resent).toBe(0);
  world.clock.advance(60_000);
  await world.sweep();
  const sent = world.queue.sent.map(({ job_id }) => job_id);
  expect(sent.filter((id) => id === lost.run_id)).toEqual([message?.job_id]);
  while ((await world.deliverAll()) > 0);
  expect(await world.job(lost.run_id)).toMatchObject({ status: "completed", attempt: 1 });
  expect(await world.job(twice.run_id)).toMatchObject({ status: "completed", attempt: 1 });
});

test("of many overdue jobs each is sent again in its turn, ten in a round", async () => {
  const world = queueWorld(stores.db);
  const runs = await Promise.all(Array.from({ length: 25 }, (_, i) => world.submit(`run ${i}`)));
  const crowd = world.queue.sent.splice(0);
  world.clock.advance(90_000);
  const again = new Set<string>();
  for (let round = 0; round < 3; round += 1) {
    // As many messages as jobs, so that the count says that none is missing.
    world.queue.sent.push(...crowd);
    expect((await world.sweep()).resent).toBeLessThanOrEqual(10);
    for (const { job_id } of world.queue.sent.splice(0).slice(crowd.length)) again.add(job_id);
    world.clock.advance(60_000);
  }
  expect([...again].sort()).toEqual(runs.map(({ run_id }) => run_id).sort());
});
