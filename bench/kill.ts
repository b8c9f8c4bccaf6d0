/**
 * Measures the effect of `kill -9`: a platform in its own process is killed repeatedly while runs are accepted and
 * executed, and every run that was answered with 202 is followed to its end. A model outside the platform counts
 * executions.
 * `node bench/kill.ts [--kills 20] [--in-flight 50] [--max-attempts 2] [--seed N]`.
 */
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import {
  GRACE_SECONDS,
  type Promised,
  type Rested,
  randomFrom,
  restingPlaces,
  submitAll,
  untilLocksAreStale,
} from "../test/support/kill-campaign.ts";
import { type KillablePlatform, killablePlatform } from "../test/support/killable-platform.ts";
import { type ModelWitness, startModelWitness } from "../test/support/model-witness.ts";
import { figuresOf, ms, printTable } from "./figures.ts";

const SETTLES_WITHIN_MS = 90_000;
const { kills, inFlight, maxAttempts, seed } = options();
const random = randomFrom(seed);

const witness = await startModelWitness();
const platform = await killablePlatform({
  ...witness.env,
  LOCK_GRACE_SECONDS: String(GRACE_SECONDS),
  MAX_ATTEMPTS: String(maxAttempts),
});
try {
  await platform.start();
  const rested: Rested[] = [];
  const recoveriesMs: number[] = [];
  const startsMs: number[] = [];
  for (let round = 1; round <= kills; round += 1) {
    const { promised, startMs } = await interruptedRound(platform, round);
    startsMs.push(startMs);
    const from = performance.now();
    rested.push(...(await restingPlaces(platform, promised, SETTLES_WITHIN_MS)));
    recoveriesMs.push(performance.now() - from);
    console.log(
      `kill ${round}: ${promised.length} accepted, all ended or paused after ${ms(recoveriesMs.at(-1) ?? 0)}`,
    );
  }
  report(rested, recoveriesMs, startsMs, witness);
} finally {
  await platform.end();
  await witness.stop();
}

/** Starts runs of up to two seconds, so that most of them are executing at the kill. */
async function interruptedRound(to: KillablePlatform, round: number) {
  const messages = Array.from(
    { length: inFlight },
    (_, i) => `round ${round} run ${i} [[sleep:${Math.round(random() * 2_000)}]]`,
  );
  const firstAccepted = Promise.withResolvers<Promised | undefined>();
  const submitting = submitAll(to, messages, firstAccepted.resolve, 8);
  await Promise.race([firstAccepted.promise, submitting]);
  await pause(random() * 2_000);
  await to.kill();
  const killedAt = Date.now();
  const promised = await submitting;
  await untilLocksAreStale(killedAt);
  return { promised, startMs: await to.start() };
}

function report(
  rested: readonly Rested[],
  recoveriesMs: readonly number[],
  startsMs: readonly number[],
  { asked }: ModelWitness,
): void {
  const count = (holds: (run: Rested) => boolean) => String(rested.filter(holds).length);
  const ended = new Set(["COMPLETED", "ERROR"]);
  printTable([
    { what: "seed", figure: String(seed) },
    { what: "kills", figure: String(kills) },
    { what: "runs accepted", figure: String(rested.length) },
    { what: "completed", figure: count(({ status }) => status === "COMPLETED") },
    { what: "failed visibly", figure: count(({ status }) => status === "ERROR") },
    { what: "neither", figure: count(({ status }) => !ended.has(status)), goal: "0" },
    { what: "executed a second time, within the budget", figure: count(({ attempt }) => attempt > 1) },
    {
      what: "executed beyond the budget",
      figure: count(({ attempt, message }) => attempt > maxAttempts || asked(message) > maxAttempts),
      goal: "0",
    },
    { what: "start after a kill, p50", figure: ms(figuresOf(startsMs).p50) },
    { what: "from that start until every run has ended, p50", figure: ms(figuresOf(recoveriesMs).p50) },
    { what: "from that start until every run has ended, max", figure: ms(Math.max(...recoveriesMs)) },
  ]);
}

function options() {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    options: { kills: text, "in-flight": text, "max-attempts": text, seed: text },
  });
  return {
    kills: Number(values.kills ?? 20),
    inFlight: Number(values["in-flight"] ?? 50),
    maxAttempts: Number(values["max-attempts"] ?? 2),
    seed: Number(values.seed ?? Date.now() % 100_000),
  };
}
