import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  abandonedJobs,
  type Promised,
  randomFrom,
  recoveries,
  restingPlaces,
  submitAll,
  untilExecuting,
  untilLocksAreStale,
} from "../../support/kill-campaign.ts";
import { type KillablePlatform, killablePlatform } from "../../support/killable-platform.ts";
import { type ModelWitness, startModelWitness } from "../../support/model-witness.ts";

/** A worker that was taken for one all the same leaves its run to the sweeper's next round, a minute later. */
const RESTS_WITHIN_MS = 90_000;
/** Longer than everything within, each with a limit and words of its own: two starts and a rest in each round. */
const TIMEOUT_MS = 400_000;
/**
 * Twenty workers that begin at once in a new process, on a machine with much else to do, load their code for 8 s and more: one
 * that could not renew its lock meanwhile gives its run up, as it should, and that would be an attempt.
 */
const GRACE_SECONDS = 20;
const seed = Number(process.env.KILL_SEED ?? Date.now() % 100_000);
const random = randomFrom(seed);
console.log(`KILL_SEED=${seed}`);

let witness: ModelWitness;
const platforms: KillablePlatform[] = [];
beforeAll(async () => {
  witness = await startModelWitness();
});
afterAll(async () => {
  await Promise.all(platforms.map((platform) => platform.end()));
  await witness?.stop();
});

/** Lambda as it is: workers are frozen between their messages, and what is invoked without a caller is tried again. */
const strict = { LOCAL_AWS: "strict", LOCAL_AWS_PACE: "60" };

async function platformWith(maxAttempts: number): Promise<KillablePlatform> {
  const settings = {
    LOCK_GRACE_SECONDS: String(GRACE_SECONDS),
    MAX_ATTEMPTS: String(maxAttempts),
    ...strict,
  };
  const platform = await killablePlatform({ ...witness.env, ...settings });
  platforms.push(platform);
  await platform.start();
  return platform;
}

/** Some are over at once, some are under way when the process is killed. */
const messagesOf = (round: string): string[] =>
  Array.from({ length: 20 }, (_, i) => `${round} run ${i}${i % 3 === 0 ? " [[sleep:300]]" : ""}`);

/** Submits runs, kills the process at a random moment, and starts it again. */
async function interrupted(platform: KillablePlatform, round: string) {
  const begun = Promise.withResolvers<unknown>();
  const submitting = submitAll(platform, messagesOf(round), begun.resolve);
  await Promise.race([begun.promise, submitting]);
  await pause(random() * 400);
  await platform.kill();
  const killedAt = Date.now();
  const promised = await submitting;
  expect(promised.length).toBeGreaterThan(0);
  await untilLocksAreStale(killedAt, GRACE_SECONDS);
  await platform.start();
  return restingPlaces(platform, promised, RESTS_WITHIN_MS);
}

/** Between two rounds of the sweeper. */
const ROUND_MS = 60_000;

describe("with a budget of two", () => {
  test(
    "every accepted run completes over two kills, and none is executed more often than its budget",
    async () => {
      const platform = await platformWith(2);
      for (const round of ["first", "second"]) {
        const rested = await interrupted(platform, round);
        for (const { message, status, attempt, error, log } of rested) {
          const words = [`KILL_SEED=${seed}`, ...log].join("\n");
          expect({ message, status, error }, words).toEqual({ message, status: "COMPLETED", error: null });
          expect(attempt).toBeLessThanOrEqual(2);
          expect(witness.asked(message)).toBeLessThanOrEqual(attempt);
        }
      }
    },
    TIMEOUT_MS,
  );
});

test(
  "what a killed process held is recovered when the lock grace is over, without waiting for a round",
  async () => {
    const platform = await platformWith(2);
    // Claimed one after the other, so that their locks go stale at different moments.
    const promised: Promised[] = [];
    for (const message of ["first", "second", "third"]) {
      promised.push(...(await submitAll(platform, [`${message} [[sleep:120000]]`])));
      await pause(1_000);
    }
    await untilExecuting(platform, promised);
    await platform.kill();
    const killedAt = Date.now();
    const abandoned = await abandonedJobs(platform);
    expect(abandoned).toHaveLength(promised.length);
    // Before any lock is stale: the new process's first round finds them fresh.
    await platform.start();
    const startedMs = Date.now() - killedAt;
    const afterMs = await recoveries(platform, abandoned, killedAt, startedMs + (GRACE_SECONDS + 60) * 1000);
    // Rounds are a minute apart. How many seconds it takes on a quiet machine: `npm run bench:kill`.
    for (const ms of afterMs)
      expect(ms).toBeLessThan(Math.max(startedMs, GRACE_SECONDS * 1000) + ROUND_MS / 2);
    await platform.end();
  },
  TIMEOUT_MS,
);

describe("with the default budget of one", () => {
  test(
    "every accepted run completes or fails visibly, and none is executed twice",
    async () => {
      const platform = await platformWith(1);
      const rested = await interrupted(platform, "only");
      for (const { message, status, attempt, error } of rested) {
        expect(["COMPLETED", "ERROR"]).toContain(status);
        if (status === "ERROR") expect(error).toContain("stopped without a word");
        expect(attempt).toBe(1);
        expect(witness.asked(message)).toBeLessThanOrEqual(1);
      }
    },
    TIMEOUT_MS,
  );
});
