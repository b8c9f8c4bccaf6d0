import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { removeSession } from "../../functions/housekeeper/removals/remove-session.ts";
import { resendRemovals } from "../../functions/sweeper/resend-removals.ts";
import type { RemovalMessage } from "../../shared/queue/removal-queue.ts";
import type { Db } from "../../shared/stores/db.ts";
import { giveFeedback } from "../../shared/stores/feedback/index.ts";
import { moveJob } from "../../shared/stores/jobs/move-job.ts";
import { listRuns } from "../../shared/stores/runs/listing/list-runs.ts";
import { removeSessions } from "../../shared/stores/sessions/remove-sessions.ts";
import { getSessionHead } from "../../shared/stores/sessions/session-item.ts";
import { createSession } from "../../shared/stores/sessions/session-writes.ts";
import { claimTombstone, getTombstone } from "../../shared/stores/sessions/tombstone.ts";
import { acceptRun } from "../../shared/stores/transactions/accept-run.ts";
import { startRun } from "../../shared/stores/transactions/start-run.ts";
import { breakingDb } from "../support/breaking-db.ts";
import { type QueueWorld, queueWorld } from "../support/queue-world.ts";
import { aJob, aRunOf, aSession } from "../support/records.ts";
import { readTables } from "../support/stored.ts";
import { startStores, type TestStores } from "../support/stores.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

const LIFE_MS = 300_000;
const WRITES = /Put|Update|Delete|Transact|BatchWrite/;

/** API function, worker and remover over one store; messages of removals are in the test's hand. */
function removalWorld(overrides: { readonly onObjects?: () => void } = {}) {
  const world = queueWorld(stores.db);
  const sent: { message: RemovalMessage; delay: number }[] = [];
  const objects: string[] = [];
  const deps = {
    db: stores.db,
    clock: world.clock,
    log: world.log,
    settings: world.settings,
    removals: {
      send: async (message: RemovalMessage, delay = 0) => {
        sent.push({ message, delay });
      },
    },
    removeObjectsOf: async (owner: string | null, session_id: string) => {
      overrides.onObjects?.();
      objects.push(`${owner}/${session_id}`);
    },
  };
  const now = () => Math.floor(world.clock.now() / 1000);
  return {
    ...world,
    sent,
    objects,
    bury: (id: string) => removeSessions(stores.db, [id], () => true, now()),
    remove: (session_id: string, round = 0, remainingMs = LIFE_MS, db: Db = stores.db) =>
      removeSession({ ...deps, db }, { session_id, round }, remainingMs),
    sweepRemovals: () => resendRemovals(deps, now()),
    tombstone: (id: string) => getTombstone(stores.db, id),
    runsOf: (id: string, owner = "maria") => listRuns(stores.db, owner, id, now()),
    reopen: (session_id: string) =>
      createSession(stores.db, aSession({ session_id, created_at: now(), updated_at: now() })),
  };
}

async function finishedRun(world: QueueWorld, session_id: string): Promise<void> {
  await world.deliver((await world.submit("hello", { session_id })).run_id);
}

describe("removing what belongs to a session", () => {
  test("takes runs, events and objects, and frees the id", async () => {
    const world = removalWorld();
    await finishedRun(world, "r-1");
    await world.bury("r-1");
    expect(await world.runsOf("r-1")).toHaveLength(1);
    await world.remove("r-1");
    expect(await world.runsOf("r-1")).toEqual([]);
    expect(world.objects).toEqual(["maria/r-1"]);
    expect(await world.tombstone("r-1")).toMatchObject({ vacant: true });
    expect(await world.reopen("r-1")).toEqual({ created: true });
  });

  test("holds the id as long as its runs are there", async () => {
    const world = removalWorld();
    await finishedRun(world, "r-2");
    await world.bury("r-2");
    expect(await world.reopen("r-2")).toEqual({ created: false, seen: undefined });
    await expect(world.submit("again", { session_id: "r-2" })).rejects.toMatchObject({ code: "CONFLICT" });
  });

  test("cancels what waits at once", async () => {
    const world = removalWorld();
    const waiting = await world.submit("waits", { session_id: "r-3" });
    await world.bury("r-3");
    await world.remove("r-3");
    expect(await world.job(waiting.run_id)).toMatchObject({ status: "cancelled", payload: { input: "" } });
    expect(await world.runsOf("r-3")).toEqual([]);
    await world.deliver(waiting.run_id);
    expect(await world.runsOf("r-3")).toEqual([]);
  });

  test("asks what is executed to stop, and comes back, ever later, until it has", async () => {
    const world = removalWorld();
    const run = await world.submit("works", { session_id: "r-4" });
    await moveJob(stores.db, run.run_id, "claim", { now: Math.floor(world.clock.now() / 1000), worker: "w" });
    await world.bury("r-4");
    for (let round = 0; round < 7; round += 1) await world.remove("r-4", round);
    expect(world.sent.map(({ delay }) => delay)).toEqual([1, 2, 4, 8, 15, 30]);
    expect(await world.job(run.run_id)).toMatchObject({
      status: "running",
      cancel_until: expect.any(Number),
    });
    world.clock.advance(61_000);
    await world.sweep();
    await world.remove("r-4", 7);
    expect(await world.job(run.run_id)).toMatchObject({ status: "cancelled" });
    expect(await world.runsOf("r-4")).toEqual([]);
    expect(await world.tombstone("r-4")).toBeUndefined();
  });

  test("waits for a foreground run until its process has ended it, or must be gone", async () => {
    const world = removalWorld();
    await finishedRun(world, "r-5");
    const lease_until = Math.floor(world.clock.now() / 1000) + 930;
    const live = aRunOf(aJob({ session_id: "r-5" }), { status: "RUNNING", queued: false, lease_until });
    await startRun(stores.db, live, { newSession: undefined });
    await world.bury("r-5");
    await world.remove("r-5");
    expect((await world.runsOf("r-5")).map(({ run_id }) => run_id)).toEqual([live.run_id]);
    world.clock.advance(931_000);
    await world.remove("r-5");
    expect(await world.runsOf("r-5")).toEqual([]);
  });

  test("goes on where a function's life ended", async () => {
    const world = removalWorld();
    await finishedRun(world, "r-6");
    await world.bury("r-6");
    await world.remove("r-6", 0, 10_000);
    expect(await world.runsOf("r-6")).toHaveLength(1);
    expect(world.sent).toEqual([{ message: { session_id: "r-6", round: 0 }, delay: 0 }]);
    await world.remove("r-6");
    expect(await world.runsOf("r-6")).toEqual([]);
  });

  test("is one process's at a time, and another's when that one must be gone", async () => {
    const world = removalWorld();
    await finishedRun(world, "r-8");
    await world.bury("r-8");
    const seen = await world.tombstone("r-8");
    if (!seen) throw new Error("there is no tombstone");
    const now = Math.floor(world.clock.now() / 1000);
    expect(await claimTombstone(stores.db, seen, now, now + 300)).toBeDefined();
    await world.remove("r-8");
    expect(await world.runsOf("r-8")).toHaveLength(1);
    expect(await world.reopen("r-8")).toEqual({ created: false, seen: undefined });
    world.clock.advance(301_000);
    await world.remove("r-8");
    expect(await world.runsOf("r-8")).toEqual([]);
  });

  test("does nothing to a session that lives", async () => {
    const world = removalWorld();
    await finishedRun(world, "r-7");
    await world.remove("r-7");
    expect(await world.runsOf("r-7")).toHaveLength(1);
  });

  test("leaves no vote, sum or event of its runs, whichever write its process dies at, also while people vote", async () => {
    for (let atWrite = 1, died = true; died; atWrite += 1) {
      const session_id = `voted-${atWrite}`;
      const world = removalWorld();
      const { run_id } = await world.submit("hello", { session_id });
      await world.deliver(run_id);
      const session = await getSessionHead(stores.db, session_id);
      if (!session) throw new Error("there is no session");
      const component = { component_type: "agent", component_id: "assistant" } as const;
      const vote = (author: string) => {
        const given = { key: "thumb", score: 1, source: "api", role: "participant" } as const;
        const whose = { run_id, session_id, user_id: "maria", author };
        const now = Math.floor(world.clock.now() / 1000);
        return giveFeedback(stores.db, session, { ...whose, ...component, ...given }, now);
      };
      expect((await vote("first")).outcome).toBe("created");
      const votes = Promise.all(["second", "third"].map(vote));
      await world.bury(session_id);
      await votes;
      const dying = breakingDb(stores.db, atWrite, atWrite % 2 === 0 ? "after" : "before", WRITES);
      died = await world.remove(session_id, 0, LIFE_MS, dying.db).then(
        () => false,
        () => true,
      );
      expect((await vote("last")).outcome).toBe("gone");
      world.clock.advance(LIFE_MS + 1_000);
      await world.remove(session_id);
      const { feedback, outbox } = await readTables(stores.db);
      const left = [...feedback, ...outbox].filter((item) => JSON.stringify(item).includes(run_id));
      expect([atWrite, left]).toEqual([atWrite, []]);
    }
  });
});

describe("a run that was being accepted while its session was removed", () => {
  const latecomer = async (session_id: string) => {
    const job = aJob({ session_id });
    await acceptRun(stores.db, { job, run: aRunOf(job), newSession: undefined }, job.created_at);
    return job;
  };

  test("is cancelled and removed a minute later, and with it the tombstone", async () => {
    const world = removalWorld();
    await finishedRun(world, "l-1");
    await world.bury("l-1");
    await world.remove("l-1");
    const job = await latecomer("l-1");
    await world.remove("l-1");
    expect(await world.runsOf("l-1")).toHaveLength(1);
    expect(await world.sweepRemovals()).toBe(0);
    world.clock.advance(60_000);
    expect(await world.sweepRemovals()).toBeGreaterThan(0);
    expect(world.sent.map(({ message }) => message.session_id)).toContain("l-1");
    await world.remove("l-1");
    expect(await world.job(job.id)).toMatchObject({ status: "cancelled" });
    expect(await world.runsOf("l-1")).toEqual([]);
    expect(await world.tombstone("l-1")).toBeUndefined();
  });

  test("is left alone when a user has opened a session of that id anew", async () => {
    const world = removalWorld();
    await finishedRun(world, "l-2");
    await world.bury("l-2");
    await world.remove("l-2");
    await world.reopen("l-2");
    await finishedRun(world, "l-2");
    world.clock.advance(60_000);
    await world.remove("l-2");
    expect(await world.runsOf("l-2")).toHaveLength(1);
  });

  test("ends without a session to update, and without bringing it back", async () => {
    const world = removalWorld();
    await finishedRun(world, "l-3");
    await world.bury("l-3");
    const job = await latecomer("l-3");
    await world.deliver(job.id);
    expect(await world.job(job.id)).toMatchObject({ status: "completed" });
    expect(await world.tombstone("l-3")).toMatchObject({ session_id: "l-3" });
  });
});
