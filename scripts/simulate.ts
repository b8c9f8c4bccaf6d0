import { parseArgs } from "node:util";
import { shownProgress } from "../bench/shown-progress.ts";
import { findSeeds } from "../test/support/simulated/find-seeds.ts";
import { mutations } from "../test/support/simulated/mutations.ts";
import { findWorkSeed, simulateWork, workGuards, workKinds } from "../test/support/simulated/work-world.ts";
import { simulate } from "../test/support/simulated/world.ts";

const usage = `Plays simulated worlds and says which of them broke a promise of the queue.

  node scripts/simulate.ts --seeds 10000 [--from 1]   plays so many worlds
  node scripts/simulate.ts --seed 4711                plays one and prints what happened
  node scripts/simulate.ts … --waiting                 in which clients also wait for runs that outlast them
  node scripts/simulate.ts … --counting                in which runs count in the state of their sessions
  node scripts/simulate.ts … --talking                 in which people also talk to the runs
  node scripts/simulate.ts --mutations [--seeds 500]  takes each guard away and counts the worlds until it is missed
  node scripts/simulate.ts --mutations --only hand-   takes those away whose names contain it
  node scripts/simulate.ts --work [--seeds 100]       plays worlds of each other kind of leased work, and takes the guards
                                                      away that all kinds have in common`;

const { values } = parseArgs({
  options: {
    seeds: { type: "string" },
    from: { type: "string", default: "1" },
    seed: { type: "string" },
    mutations: { type: "boolean", default: false },
    work: { type: "boolean", default: false },
    waiting: { type: "boolean", default: false },
    counting: { type: "boolean", default: false },
    talking: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    help: { type: "boolean", default: false },
  },
});

const clients = values.talking ? "talk" : values.counting ? "count" : values.waiting ? "also wait" : "submit";
if (values.help) console.log(usage);
else if (values.work) await playWork(Number(values.seeds ?? 100));
else if (values.seed !== undefined) await playOne(Number(values.seed));
else if (values.mutations) await playMutations(Number(values.seeds ?? 500), values.only);
else await playMany(Number(values.from), Number(values.seeds ?? 1000));
// A process that was killed in a world leaves promises that never settle.
process.exit();

async function playOne(seed: number): Promise<void> {
  const { trace, violations } = await simulate(seed, undefined, clients);
  console.log(trace.join("\n"));
  if (violations.length > 0) process.exitCode = 1;
}

async function playMany(from: number, count: number): Promise<void> {
  const startedAt = performance.now();
  const failed: number[] = [];
  let modelCalls = 0;
  const progress = shownProgress(count);
  for (let seed = from; seed < from + count; seed += 1) {
    const verdict = await simulate(seed, undefined, clients);
    modelCalls += verdict.modelCalls;
    if (verdict.violations.length > 0) {
      progress.end();
      if (failed.length === 0) console.log(verdict.trace.join("\n"));
      failed.push(seed);
      console.log(`seed ${seed}: ${verdict.violations[0]}`);
    }
    const played = seed - from + 1;
    progress.done(played);
    if (played % 500 === 0 || played === count) {
      progress.end();
      const perSecond = played / ((performance.now() - startedAt) / 1000);
      console.log(
        `${played} seeds, ${modelCalls} model calls, ${failed.length} failed, ${perSecond.toFixed(1)} seeds/s`,
      );
    }
  }
  if (failed.length > 0) process.exitCode = 1;
}

async function playMutations(seedsEach: number, only: string): Promise<void> {
  const chosen = mutations.filter(({ name }) => name.includes(only));
  console.log(
    "| Guard that is taken away | Worlds until it is missed | What is seen first |\n| --- | --- | --- |",
  );
  const progress = shownProgress(chosen.length);
  for (const [tried, mutation] of chosen.entries()) {
    progress.done(tried);
    const { seeds, violation } = await findSeeds(mutation, seedsEach);
    progress.end();
    const found = seeds === undefined ? `not in ${seedsEach}` : String(seeds);
    const why = violation ?? (mutation.coveredBy ? `second line: ${mutation.coveredBy}` : "");
    console.log(`| ${mutation.name} | ${found} | ${why} |`);
    if (seeds === undefined && mutation.coveredBy === undefined) process.exitCode = 1;
  }
}

async function playWork(seeds: number): Promise<void> {
  console.log(
    `| Kind | ${seeds} worlds | ${workGuards.join(" | ")} |\n|${" --- |".repeat(workGuards.length + 2)}`,
  );
  for (const kind of workKinds) {
    const failed: string[] = [];
    for (let seed = 1; seed <= seeds; seed += 1) {
      const [violation] = await simulateWork(kind, seed);
      if (violation !== undefined) failed.push(`seed ${seed}: ${violation}`);
    }
    const missed: string[] = [];
    for (const guard of workGuards) {
      const found = await findWorkSeed(kind, guard, seeds);
      missed.push(found === "no such guard" ? "none" : String(found.seeds ?? `not in ${seeds}`));
      if (found !== "no such guard" && found.seeds === undefined) process.exitCode = 1;
    }
    if (failed.length > 0) process.exitCode = 1;
    console.log(`| ${kind} | ${failed[0] ?? "all well"} | ${missed.join(" | ")} |`);
  }
}
