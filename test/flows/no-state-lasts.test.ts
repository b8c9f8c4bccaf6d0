import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  isTerminal,
  type JobStatus,
  jobStatuses,
  type TerminalJobStatus,
} from "../../shared/schemas/queue/queue-job.ts";
import { type QueueWorld, queueWorld } from "../support/queue-world.ts";
import { startStores, type TestStores } from "../support/stores.ts";

let stores: TestStores;
beforeEach(async () => {
  stores = await startStores();
});
afterEach(() => stores.stop());

type Left = {
  readonly how: string;
  /** Brings a job into the state, with only the sweeper left to act. */
  readonly bring: (world: QueueWorld) => Promise<{ run_id: string; session_id: string }>;
  /** How long the state may last, as the settings of this test have it. */
  readonly lastsSeconds: number;
  /** What becomes of job and run, once the messages that the sweeper sent have been delivered. */
  readonly becomes: { readonly job: JobStatus; readonly run: string; readonly says?: string };
};

const settings = { LOCK_GRACE_SECONDS: 60, PAUSE_LIFE_SECONDS: 7 * 86_400, MAX_ATTEMPTS: 2 };

/** A state that is added without a way out of it does not compile. */
const waysOut: Record<Exclude<JobStatus, TerminalJobStatus>, readonly Left[]> = {
  queued: [
    {
      how: "its message was lost",
      bring: async (world) => {
        const accepted = await world.submit("hi");
        world.queue.sent.length = 0;
        return accepted;
      },
      lastsSeconds: 15,
      becomes: { job: "completed", run: "COMPLETED" },
    },
    {
      how: "the message of its second attempt was lost",
      bring: async (world) => {
        const accepted = await world.submit("[[fail:boom]]");
        await world.deliverAll();
        world.queue.sent.length = 0;
        return accepted;
      },
      // Half of the base delay, as this world's chance has it, and the time a message may take.
      lastsSeconds: 15 + 15,
      becomes: { job: "failed", run: "ERROR" },
    },
  ],
  running: [
    {
      how: "its worker died",
      bring: async (world) => {
        const accepted = await world.submit("hi");
        await dieWhileWorking(world, accepted.run_id);
        return accepted;
      },
      lastsSeconds: settings.LOCK_GRACE_SECONDS,
      becomes: { job: "completed", run: "COMPLETED" },
    },
    {
      how: "its worker died in the last attempt",
      bring: async (world) => {
        const accepted = await world.submit("hi");
        await dieWhileWorking(world, accepted.run_id);
        world.clock.advance((settings.LOCK_GRACE_SECONDS + 1) * 1000);
        await world.sweep();
        await dieWhileWorking(world, accepted.run_id);
        return accepted;
      },
      lastsSeconds: settings.LOCK_GRACE_SECONDS,
      becomes: { job: "failed", run: "ERROR" },
    },
    {
      how: "the message that hands it on was lost",
      bring: async (world) => {
        const accepted = await world.submit("[[tool:get_time {}]] [[tool:get_time {}]]");
        await world.deliver(accepted.run_id, { settings: { ...world.settings, SLICE_SECONDS: 0 } });
        world.queue.sent.length = 0;
        return accepted;
      },
      lastsSeconds: settings.LOCK_GRACE_SECONDS,
      becomes: { job: "completed", run: "COMPLETED" },
    },
  ],
  paused: [
    {
      how: "no answer comes",
      bring: async (world) => {
        const accepted = await world.submit('[[tool:issue_refund {"order_id":"o","amount":1}]]');
        await world.deliver(accepted.run_id, { findRunnable: async () => world.agent("refund-desk") });
        world.queue.sent.length = 0;
        return accepted;
      },
      lastsSeconds: settings.PAUSE_LIFE_SECONDS,
      becomes: { job: "cancelled", run: "CANCELLED", says: "longer than this platform lets a run wait" },
    },
  ],
};

test("every state that is not the last one has a way out here", () => {
  expect(Object.keys(waysOut).sort()).toEqual(jobStatuses.filter((status) => !isTerminal(status)).sort());
});

const cases = Object.entries(waysOut).flatMap(([status, ways]) => ways.map((way) => ({ status, ...way })));

describe.each(cases)("a job that is $status because $how", ({ status, bring, lastsSeconds, becomes }) => {
  test("stays so until its time has come, and is then brought out of it by the sweeper", async () => {
    const world = queueWorld(stores.db, settings);
    const accepted = await bring(world);
    const now = async () => (await world.job(accepted.run_id))?.status;
    expect(await now()).toBe(status);
    world.clock.advance((lastsSeconds - 5) * 1000);
    await world.sweep();
    expect(world.queue.sent).toEqual([]);
    expect(await now()).toBe(status);
    world.clock.advance(7_000);
    await world.sweep();
    while ((await world.deliverAll()) > 0);
    expect(await now()).toBe(becomes.job);
    expect(await world.run(accepted)).toMatchObject({ status: becomes.run });
    const { error } = (await world.job(accepted.run_id)) ?? {};
    if (becomes.says) expect(error).toContain(becomes.says);
  });
});

/** A worker whose every write after the claim is lost with it. */
async function dieWhileWorking(world: QueueWorld, jobId: string): Promise<void> {
  let writes = 0;
  const client = new Proxy(stores.db.client, {
    get(target, name) {
      if (name !== "send") return Reflect.get(target, name);
      return async (command: { constructor: { name: string } }) => {
        if (/Put|Update|Transact/.test(command.constructor.name) && ++writes > 2) {
          throw new Error("the process is gone");
        }
        return target.send(command as never);
      };
    },
  });
  await world.deliver(jobId, { db: { ...stores.db, client } }).catch(() => undefined);
  world.queue.sent.length = 0;
}
