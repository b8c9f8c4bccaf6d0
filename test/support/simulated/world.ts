import { isTerminal, type JobStatus } from "../../../shared/schemas/queue/queue-job.ts";
import { textOf } from "./attributes.ts";
import { simulatedDb } from "./client.ts";
import { planClients, planCounting, planWaiting } from "./clients.ts";
import { miscounts } from "./counting.ts";
import { simulateGlobals } from "./globals.ts";
import type { Mutation } from "./mutations.ts";
import { calm, createNetwork } from "./network.ts";
import { observeWaits } from "./observe-waits.ts";
import { createObserver } from "./observer.ts";
import {
  type Asked,
  type RunRef,
  type SimulatedProduct,
  simulatedProduct,
  type WorldSettings,
} from "./product.ts";
import { type Random, seededRandom } from "./random.ts";
import { faultsAtRest } from "./rest.ts";
import { calmly, createScheduler, type Process } from "./scheduler.ts";
import { misplaced, planTalk, type Said } from "./steering.ts";
import { Refusal, type Request, type SimulatedTables, simulatedTables } from "./table.ts";
import { observeVersions, simulatedVersions } from "./versions.ts";
import { reliable, simulatedQueue } from "./wakeup-queue.ts";

/** What became of one world. */
export type Verdict = {
  readonly seed: number;
  /** Broken promises, in the order they were seen; empty when all was well. A world ends with its first. */
  readonly violations: readonly string[];
  /** What happened, one line each, with simulated seconds. */
  readonly trace: readonly string[];
  /** Calls of the model that were made. */
  readonly modelCalls: number;
};

type Talk = (asked: Asked, run: RunRef) => void;

const START_MS = 1_790_000_000_000;
const SWEEP_EVERY_MS = 10_000;
const TROUBLE_MS = 60_000;
const REST_MS = 120_000;
/** Part of the worlds in which nothing goes wrong. */
const CALM_WORLDS = 0.1;
/** Longer than the longest lock grace: the last check has come then, and found nothing. */
const LAST_CHECK_MS = 30_000;
/** One is under way at a time; some may be doubled, and some that count as lost come late. */
const MOST_CHECKS = 12;
const INDEX_LAG_MS = 1_500;
const READ_LAG_MS = 800;
const PAGE_ITEMS = 3;

/** What the clients of a world do. */
export type Clients = "submit" | "also wait" | "count" | "talk";

/**
 * Plays one world from its seed: clients submit, cancel and requeue while processes die and stand still, calls fail
 * or come late, and messages get lost or doubled; then everything works again, and the world must come to rest with
 * every promise kept.
 *
 * @param mutation  a guard to take away, to see whether anybody notices
 * @param clients   whether there are also clients that wait for their runs, or clients whose runs count in the state of their
 *                  sessions instead, or people who talk to the runs of both; worlds of one kind stay as they were
 */
export async function simulate(
  seed: number,
  mutation?: Mutation,
  clients: Clients = "submit",
): Promise<Verdict> {
  const world = createWorld(seed, mutation);
  const { scheduler, random, db } = world;
  const product = await simulatedProduct({
    ...world,
    queue: world.queue.port,
    lockChecks: world.queue.lockChecks,
  });
  // The database client reads its configuration with its first call, and that waits for the real world.
  await faultsAtRest(db, ["unknown"], [], START_MS / 1000);
  world.queue.consume({
    ...product,
    workAs: (process, wakeup, version) => {
      world.versions.startAs(process, version);
      return product.work(process, wakeup);
    },
  });
  const restore = simulateGlobals(scheduler, random);
  try {
    world.open(true);
    const said: Said[] = [];
    const talk: Talk | undefined =
      clients === "talk"
        ? (asked, run) => void said.push(...planTalk({ ...world, product }, asked, run))
        : undefined;
    const submitted =
      clients === "count"
        ? planCounting(random, scheduler, product)
        : planClients(random, scheduler, product, world.settings, talk);
    const waited = clients === "also wait" || talk ? planWaiting(random, scheduler, product, talk) : [];
    planSweeps(world, product);
    world.makeTrouble();
    await scheduler.runUntil(START_MS + TROUBLE_MS);
    world.endTrouble();
    await scheduler.runUntil(START_MS + TROUBLE_MS + REST_MS);
    await scheduler.runUntil(START_MS + TROUBLE_MS + REST_MS + LAST_CHECK_MS);
    world.open(false);
    if (world.violations.length === 0) {
      if (world.queue.checksWaiting() > 0) world.violated("locks are checked although nothing runs");
      const answers = [...submitted, ...waited];
      const faults = await faultsAtRest(db, world.jobIds(), answers, scheduler.now() / 1000, !talk);
      faults.forEach(world.violated);
      (await misplaced(db, said, scheduler.now() / 1000)).forEach(world.violated);
      if (clients === "count")
        (await miscounts(db, world.jobIds(), scheduler.now() / 1000)).forEach(world.violated);
    }
  } finally {
    restore();
    db.client.destroy();
  }
  return { seed, violations: world.violations, trace: world.trace, modelCalls: world.modelCalls() };
}

/** Time, chance, store, queue and observer of one world, wired to each other. */
function createWorld(seed: number, mutation: Mutation | undefined) {
  const random = seededRandom(seed);
  const trace: string[] = [];
  const violations: string[] = [];
  const logLine = (line: string) => {
    trace.push(`${((scheduler.now() - START_MS) / 1000).toFixed(3).padStart(8)}  ${line}`);
  };
  const violated = (what: string) => {
    violations.push(what);
    logLine(`VIOLATED: ${what}`);
    scheduler.halt();
  };
  const scheduler = createScheduler(random, START_MS, logLine);
  const settings = settingsOf(random);
  const isCalm = random.chance(CALM_WORLDS);
  const observer = createObserver(scheduler, () => tables, settings, violated);
  const versions = simulatedVersions(seed, scheduler.now);
  const versionWrites = observeVersions(() => tables, versions, violated);
  const waits = observeWaits(scheduler, () => tables, settings, isCalm, violated);
  let writer: Process | undefined;
  const tables = simulatedTables({
    now: scheduler.now,
    indexLagMs: () => random.between(0, INDEX_LAG_MS),
    readLagMs: () => (random.chance(0.2) ? READ_LAG_MS : 0),
    pageItems: PAGE_ITEMS,
    onWritten: (group) => {
      if (queue.checksWaiting() > MOST_CHECKS) violated("checks of the locks multiply");
      logLine(`  ${writer?.name ?? "none"} writes ${group.map(({ key }) => key).join(", ")}`);
      observer.written(writer, group);
      waits.written(group);
      versionWrites.written(group);
    },
    ...(mutation?.torn && { torn: (entries) => mutation.torn?.(entries, random) }),
  });
  const perform = (process: Process | undefined, operation: string, request: Request): object => {
    writer = process;
    return tables.perform(operation, mutation?.weaken ? mutation.weaken(request) : request);
  };
  const network = createNetwork(scheduler, random);
  const queue = simulatedQueue(scheduler, network, random, logLine);
  const throttled = () => new Refusal("ProvisionedThroughputExceededException");
  let isOpen = false;
  const db = simulatedDb(
    async (operation, request) => {
      const process = scheduler.current();
      if (!isOpen) return perform(process, operation, request);
      return network.call(operation, () => perform(process, operation, request), throttled);
    },
    random.pick([1, 3]),
  );
  let modelCalls = 0;
  let isTroubled = true;

  return {
    random,
    scheduler,
    settings,
    db,
    queue,
    versions,
    passOn: queue.passOn,
    trace,
    violations,
    violated,
    modelCalls: () => modelCalls,
    acts(process: Process, what: string) {
      if (what === "model") modelCalls += 1;
      logLine(`  ${process.name} calls a ${what}`);
      observer.acts(process, what);
    },
    /** Whether calls to the store take time and may fail; before and after, they are answered at once. */
    open(next: boolean) {
      isOpen = next;
    },
    /** Each kind of trouble is rare, ordinary or frequent, whatever the others are: rare races need quiet too. */
    makeTrouble() {
      if (isCalm) return;
      const [calls, deaths, stalls] = [severityOf(random), severityOf(random), severityOf(random)];
      network.setChances({
        throttled: 0.004 * calls,
        lostAsking: 0.004 * calls,
        lostAnswer: 0.01 * calls,
        late: 0.008 * calls,
      });
      scheduler.setChances({
        kill: 0.005 * deaths,
        stall: 0.012 * stalls,
        stallMs: () => Math.round(settings.LOCK_GRACE_SECONDS * 1000 * stallOf(random)),
      });
      queue.setChances({ lost: 0.05 * calls, twice: 0.15, slow: 0.1 });
    },
    endTrouble() {
      logLine("all troubles end");
      isTroubled = false;
      network.setChances(calm);
      scheduler.setChances(calmly);
      queue.setChances(reliable);
    },
    jobIds: () => jobsIn(tables).map(({ id }) => textOf(id) ?? ""),
    isAtRest: () =>
      !isTroubled &&
      jobsIn(tables).every(({ status }) => {
        const is = textOf(status) as JobStatus; // what jobs hold
        return isTerminal(is) || is === "paused";
      }),
  };
}
type World = ReturnType<typeof createWorld>;

const jobsIn = (tables: SimulatedTables) => tables.items("jobs").filter(({ sk }) => textOf(sk) === "job");

/** A sweeper at every tick of the timer; none once there is nothing left to find, which saves real time. */
function planSweeps({ scheduler, random, isAtRest }: World, product: SimulatedProduct): void {
  const firstMs = random.between(0, SWEEP_EVERY_MS);
  for (let atMs = firstMs; atMs < TROUBLE_MS + REST_MS; atMs += SWEEP_EVERY_MS) {
    scheduler.after(atMs, "timer", () => {
      if (isAtRest()) return;
      scheduler.start(
        `sweeper-${Math.ceil(atMs / SWEEP_EVERY_MS)}`,
        "sweeper",
        product.sweep,
        () => undefined,
      );
    });
  }
}

const severityOf = (random: Random): number => random.pick([0.1, 1, 3]);

/** How long a process stands still, in lock graces: hardly, about as long as its lock holds, or far longer. */
const stallOf = (random: Random): number => random.pick([0.05, 0.8, 1, 1.3, 3]) * (0.7 + random.next() * 0.6);

function settingsOf(random: Random): WorldSettings {
  return {
    LOCK_GRACE_SECONDS: random.pick([3, 3, 6, 10]),
    MAX_ATTEMPTS: random.pick([1, 2, 3]),
    RETRY_BASE_DELAY_SECONDS: random.pick([0, 6]),
    EXECUTION_TIMEOUT_SECONDS: random.pick([8, 60]),
    SLICE_SECONDS: random.pick([1, 3, 600]),
    MAX_RUNNING_PER_USER: random.pick([0, 0, 1, 2]),
  };
}
