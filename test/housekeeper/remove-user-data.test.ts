import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { removeSession } from "../../functions/housekeeper/removals/remove-session.ts";
import { removeUserData } from "../../functions/housekeeper/removals/remove-user-data.ts";
import { resendRemovals } from "../../functions/sweeper/resend-removals.ts";
import type { Item } from "../../shared/data/index.ts";
import { newContent } from "../../shared/domain/knowledge/content-plans.ts";
import { processContent } from "../../shared/knowledge/processing/process-content.ts";
import type { RemovalMessage, UserRemovalMessage } from "../../shared/queue/removal-queue.ts";
import { newId } from "../../shared/runtime/ids.ts";
import type { Db } from "../../shared/stores/db.ts";
import { createDataset } from "../../shared/stores/evals/datasets/create-dataset.ts";
import { datasetId } from "../../shared/stores/evals/datasets/dataset-item.ts";
import { putContent } from "../../shared/stores/knowledge/put-content.ts";
import { createOwned, memoryKind } from "../../shared/stores/owned/index.ts";
import {
  countUserData,
  getUserRemoval,
  requestUserRemoval,
  userRemovalWork,
} from "../../shared/stores/users/index.ts";
import { breakingDb } from "../support/breaking-db.ts";
import { contentWorker } from "../support/content-worker.ts";
import { evalWorld } from "../support/eval-world.ts";
import { manualClock } from "../support/manual-clock.ts";
import { putRuns } from "../support/put-runs.ts";
import { queueWorld } from "../support/queue-world.ts";
import { aJob, aMemory, aRunOf } from "../support/records.ts";
import { readTables } from "../support/stored.ts";
import { startStores, type TestStores } from "../support/stores.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

const LIFE_MS = 300_000;
const WRITES = /Put|Update|Delete|Transact|BatchWrite/;

/** Users with sessions, runs and memories, and a housekeeper of which every process may die. */
async function removalWorld(users: readonly string[]) {
  const world = queueWorld(stores.db);
  const now = () => Math.floor(world.clock.now() / 1000);
  for (const user of users) {
    const runs = Array.from({ length: 3 }, (_, i) => {
      const job = aJob({ session_id: `${user}-${i % 2}`, owner: user, user_id: user, created_at: now() - i });
      return aRunOf(job, { status: "COMPLETED", queued: false });
    });
    await putRuns(stores.db, runs);
    for (let i = 0; i < 2; i += 1) await createOwned(stores.db, memoryKind, aMemory({ user_id: user }));
  }
  const sessions: RemovalMessage[] = [];
  const wakeUps: UserRemovalMessage[] = [];
  const depsOver = (db: Db) => ({
    ...{ db, clock: world.clock, log: world.log, settings: world.settings, bases: ["kb"] },
    newWorkerId: world.newWorkerId,
    removals: { send: async (message: RemovalMessage) => void sessions.push(message) },
    userRemovals: { send: async (message: UserRemovalMessage) => void wakeUps.push(message) },
    removeObjectsOf: async () => {},
  });
  const found = (user_id: string) => countUserData({ db: stores.db, user_id, bases: ["kb"], now: now() });
  return {
    now,
    found,
    pass: (user: string, db = stores.db) => removeUserData(depsOver(db), { removed_user_id: user }, LIFE_MS),
    removal: (user: string) => getUserRemoval(stores.db, user, now()),
    /** What the queue and the sweeper deliver within the next minutes. */
    settle: async () => {
      for (let minute = 0; minute < 6; minute += 1) {
        world.clock.advance(61_000);
        const deps = depsOver(stores.db);
        await resendRemovals(deps, now());
        for (const message of sessions.splice(0)) await removeSession(deps, message, LIFE_MS);
        for (const { message } of await userRemovalWork.due(stores.db, now()))
          await removeUserData(deps, message as UserRemovalMessage, LIFE_MS);
      }
    },
  };
}

const namesUser = (user: string) => (item: object) => JSON.stringify(item).includes(user);
const itemsOf = async (user: string) =>
  Object.entries(await readTables(stores.db)).flatMap(([table, items]) =>
    items.filter(namesUser(user)).map((item): Item => ({ table, ...item })),
  );

describe("removing everything of a user", () => {
  test("goes on wherever a process dies, until nothing is left, and leaves others alone", async () => {
    for (let atWrite = 1; ; atWrite += 1) {
      const [user, other] = [`quitter-${atWrite}-`, `stayer-${atWrite}-`];
      const world = await removalWorld([user, other]);
      const before = await itemsOf(other);
      await requestUserRemoval(stores.db, user, "admin", world.now());
      const dying = breakingDb(stores.db, atWrite, atWrite % 2 === 0 ? "after" : "before", WRITES);
      const died = await world.pass(user, dying.db).then(
        () => false,
        () => true,
      );
      await world.settle();
      expect(await world.removal(user)).toMatchObject({ status: "completed" });
      // What stays are sums, the record of the request and, where changes are audited, the audit.
      const places = (await itemsOf(user)).map(({ table, pk }) => `${table} ${pk}`);
      expect(places.filter((place) => !/^audit |^sessions tally#/.test(place))).toEqual([
        "databases user-removals",
      ]);
      expect(await itemsOf(other)).toEqual(before);
      if (!died && dying.writes() < atWrite) break;
    }
  });

  test("counts before what it removes; a repeated request does not begin again", async () => {
    const world = await removalWorld(["counted"]);
    expect(await world.found("counted")).toMatchObject({ sessions: 2, memories: 2, schedules: 0 });
    const asked = await requestUserRemoval(stores.db, "counted", "admin", world.now());
    await world.pass("counted");
    const again = await requestUserRemoval(stores.db, "counted", "another", world.now() + 5);
    expect(again).toMatchObject({ requested_by: "admin", requested_at: asked.requested_at, passes: 1 });
    await world.settle();
    expect(await world.removal("counted")).toMatchObject({
      status: "completed",
      removed: { sessions: 2, memories: 2 },
    });
    expect(Object.values(await world.found("counted")).every((count) => count === 0)).toBe(true);
  });

  test("is completed only when the workers of knowledge and evaluations have purged what was hidden", async () => {
    const user = "maria";
    const world = await removalWorld([]);
    const at = world.now();
    const clock = manualClock(at * 1000);
    const evals = evalWorld(stores.db);
    await evals.ask({ name: "mark", eval_type: "reliability", input: "x", expected_tool_calls: ["none"] });
    const dataset = { id: datasetId(newId), name: "mark", description: null, user_id: user };
    const sums = { version: 1, cases: 0, created_at: at, updated_at: at };
    await createDataset(stores.db, { ...dataset, ...sums }, []);
    const content = { ...{ id: newId(), knowledge_id: "kb", owner: user, name: "mark", description: "" } };
    const upload = { ...{ type: null, size: 1, metadata: null, options: {} }, ...content };
    const input = { kind: "url", url: "https://example.com" } as const;
    await putContent(stores.db, undefined, newContent({ ...upload, input }, at));
    const left = async () => {
      const { knowledge, evals } = await readTables(stores.db);
      return [...knowledge, ...evals].filter((item) => JSON.stringify(item).includes('"mark"')).length;
    };

    await requestUserRemoval(stores.db, user, "admin", at);
    await world.settle();
    expect(Object.values(await world.found(user)).every((count) => count === 0)).toBe(true);
    expect(await left()).toBe(3);
    expect(await world.removal(user)).toMatchObject({ status: "removing" });

    clock.advance(600_000);
    await processContent(contentWorker(stores.db, clock), content, Number.POSITIVE_INFINITY);
    await world.settle();
    expect(await world.removal(user)).toMatchObject({ status: "removing" });
    evals.advance(3_600_000);
    await evals.sweep();
    await evals.deliverAll();
    expect(await left()).toBe(0);
    await world.settle();
    const removed = { contents: 1, evaluations: 1, datasets: 1 };
    expect(await world.removal(user)).toMatchObject({ status: "completed", removed });
  });

  test("of a user of whom nothing is stored is completed at once", async () => {
    const world = await removalWorld([]);
    await requestUserRemoval(stores.db, "unknown", null, world.now());
    await world.pass("unknown");
    expect(await world.removal("unknown")).toMatchObject({ status: "completed", removed: {} });
  });
});
