/**
 * Measures the effect of `kill -9`: a platform in its own process is killed repeatedly while runs are accepted and
 * executed, and every run that was answered with 202 is followed to its end. A model outside the platform counts
 * executions.
 * `node bench/kill.ts [--kills 20] [--in-flight 50] [--max-attempts 2] [--while executing] [--seed N]`.
 *
 *   --while executing    all runs have a slot
 *   --while refilling    few slots, which take one run after another
 *   --while handing-off  runs of several steps, handed to the next function after each
 */
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import {
  abandonedJobs,
  GRACE_SECONDS,
  type Promised,
  type Rested,
  randomFrom,
  recoveries,
  restingPlaces,
  submitAll,
} from "../test/support/kill-campaign.ts";
import { type KillablePlatform, killablePlatform } from "../test/support/killable-platform.ts";
import { type ModelWitness, startModelWitness } from "../test/support/model-witness.ts";
import { figuresOf, ms, printTable } from "./figures.ts";

/** What makes a kill meet workers at something; the settings of the platform. */
const settingsOf = {
  executing: {},
  refilling: { WORKER_CONCURRENCY: "2", WORKER_BATCH_SIZE: "4" },
  "handing-off": { SLICE_SECONDS: "1" },
} as const;
type When = keyof typeof settingsOf;
function isWhen(text: string): text is When {
  return text in settingsOf;
}

const SETTLES_WITHIN_MS = 90_000;
const { kills, inFlight, maxAttempts, seed, when } = options();
const random = randomFrom(seed);
/** Steps of a run before its answer, where runs are handed off. */
const STEPS = 4;

const witness = await startModelWitness();
const platform = await killablePlatform({
  ...witness.env,
  LOCK_GRACE_SECONDS: String(GRACE_SECONDS),
  MAX_ATTEMPTS: String(maxAttempts),
  ...settingsOf[when],
});
try {
  await platform.start();
  const rested: Rested[] = [];
  const recoveriesMs: number[] = [];
  const startsMs: number[] = [];
  for (let round = 1; round <= kills; round += 1) {
    const { promised, startMs, killedAt, abandoned } = await interruptedRound(platform, round);
    startsMs.push(startMs);
    const recovered = await recoveries(platform, abandoned, killedAt, SETTLES_WITHIN_MS);
    recoveriesMs.push(...recovered);
    rested.push(...(await restingPlaces(platform, promised, SETTLES_WITHIN_MS)));
    console.log(`kill ${round}: ${promised.length} accepted, ${recovered.length} executed, all at rest`);
  }
  report(rested, recoveriesMs, startsMs, witness);
} finally {
  await platform.end();
  await witness.stop();
}

/**
 * Starts runs of up to two seconds, so that most of them are executing at the kill. The next process starts before any
 * lock is stale: what recovers them is the check of the locks, not its first round.
 */
async function interruptedRound(to: KillablePlatform, round: number) {
  const messages = Array.from({ length: inFlight }, (_, i) => `round ${round} run ${i} ${scriptOf()}`);
  const firstAccepted = Promise.withResolvers<Promised | undefined>();
  const submitting = submitAll(to, messages, firstAccepted.resolve, 8);
  await Promise.race([firstAccepted.promise, submitting]);
  await pause(random() * 2_000);
  await to.kill();
  const killedAt = Date.now();
  const promised = await submitting;
  const abandoned = await abandonedJobs(to);
  return { promised, killedAt, abandoned, startMs: await to.start() };
}

function scriptOf(): string {
  const sleep = (most: number) => `[[sleep:${Math.round(random() * most)}]]`;
  return when === "handing-off" ? `${sleep(900)}[[steps:${STEPS}]]` : sleep(2_000);
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
      figure: count(
        ({ attempt, message }) =>
          attempt > maxAttempts || asked(message) > maxAttempts + (when === "handing-off" ? STEPS : 0),
      ),
      goal: "0",
    },
    { what: "start after a kill, p50", figure: ms(figuresOf(startsMs).p50) },
    { what: "runs that the killed process executed", figure: String(recoveriesMs.length) },
    { what: "from the kill until recovery began, p50", figure: ms(figuresOf(recoveriesMs).p50) },
    {
      what: "from the kill until recovery began, p95",
      figure: ms(figuresOf(recoveriesMs).p95),
      goal: `< ${GRACE_SECONDS + 5} s`,
    },
    { what: "from the kill until recovery began, max", figure: ms(Math.max(...recoveriesMs)) },
  ]);
}

function options() {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    options: { kills: text, "in-flight": text, "max-attempts": text, seed: text, while: text },
  });
  const asked = values.while ?? "executing";
  if (!isWhen(asked)) throw new Error(`--while is one of ${Object.keys(settingsOf).join(", ")}`);
  return {
    kills: Number(values.kills ?? 20),
    inFlight: Number(values["in-flight"] ?? 50),
    maxAttempts: Number(values["max-attempts"] ?? 2),
    seed: Number(values.seed ?? Date.now() % 100_000),
    when: asked,
  };
}
