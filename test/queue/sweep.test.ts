import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sweep } from "../../functions/sweeper/sweep.ts";
import type { Db } from "../../shared/stores/db.ts";
import { queueWorld } from "../support/queue-world.ts";
import { startStores, type TestStores } from "../support/stores.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

/** The same store, of which the index of jobs cannot be read: the sweeper needs it in its first steps. */
function withoutJobIndex(db: Db): Db {
  const send = (command: {
    readonly input: { readonly IndexName?: string; readonly TableName?: string };
  }) => {
    const { IndexName, TableName } = command.input;
    if (IndexName === "by_status" && TableName === db.tables.jobs)
      return Promise.reject(new Error("the index cannot be read"));
    return db.client.send(command as never); // every command has an input
  };
  const client = new Proxy(db.client, {
    get: (target, key) => (key === "send" ? send : Reflect.get(target, key)),
  });
  return { ...db, client: client as DynamoDBDocumentClient };
}

test("a step of the sweeper that fails keeps no later one from being taken, and the round fails after all", async () => {
  const world = queueWorld(stores.db, { APPROVAL_EXPIRES_SECONDS: 60 });
  const failed: unknown[] = [];
  const log = {
    ...world.log,
    error: (_: string, fields?: Readonly<Record<string, unknown>>) => void failed.push(fields?.step),
  };
  const taken: string[] = [];
  const sweeps = {
    broken: async () => {
      throw new Error("of one kind");
    },
    last: async () => {
      taken.push("last");
      return 1;
    },
  };
  const broken = { ...world, log, db: withoutJobIndex(stores.db) };
  await expect(sweep(broken, sweeps)).rejects.toThrow("the index cannot be read");
  expect(taken).toEqual(["last"]);
  // All others were taken: what waits without a message, pauses that time out, approvals that expire, counters.
  expect(failed).toEqual(["recovered", "resent", "forgotten", "moved", "broken"]);
});

test("a round in which nothing fails says how much each step found", async () => {
  const world = queueWorld(stores.db);
  const { run_id } = await world.submit("hello");
  world.queue.sent.length = 0;
  world.clock.advance(60_000);
  expect(await sweep(world, { others: async (now) => now })).toMatchObject({
    resent: 1,
    released: 0,
    others: Math.floor(world.clock.now() / 1000),
  });
  expect(world.queue.sent).toMatchObject([{ job_id: run_id }]);
});
