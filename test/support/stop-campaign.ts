import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { systemClock } from "../../shared/runtime/clock.ts";
import type { AcceptedRun } from "../../shared/schemas/runs/run.ts";
import type { PaymentService } from "./payment-service.ts";
import { type QueueWorld, queueWorld } from "./queue-world.ts";
import type { TestStores } from "./stores.ts";
import type { WorkerOrder } from "./worker-process.ts";

/** Long enough that a worker on a busy machine is not taken for a dead one. */
export const GRACE_SECONDS = 5;
const settings = { LOCK_GRACE_SECONDS: GRACE_SECONDS, MAX_ATTEMPTS: 2 };
const RESTS_WITHIN_MS = 60_000;

/** Where one run rests, whose worker stood still for longer than the lock grace. */
export type StoppedRun = {
  readonly status: string;
  readonly attempt: number;
  /** How often the payment service was really charged. */
  readonly charges: number;
  /** From the stop of the first worker until its recovery began; undefined where it had ended before. */
  readonly recoveredMs: number | undefined;
  /** Names of the events that end or pause a run. */
  readonly endings: readonly string[];
  /** What the first worker changed after it was continued and the run had come to rest. */
  readonly changedLate: boolean;
};

let orders = 0;

/**
 * One round: a worker process executes runs that each charge an order once; it is stopped (SIGSTOP) for longer than the
 * lock grace. Checks of the locks recover its runs, a second worker process executes them, and the first is continued
 * (SIGCONT) before, while or after that.
 */
export async function stoppedRound(
  stores: TestStores,
  payments: PaymentService,
  { runs, random }: { readonly runs: number; readonly random: () => number },
): Promise<StoppedRun[]> {
  const world = queueWorld(stores.db, settings, { ...systemClock, advance: () => undefined });
  const submitted = await Promise.all(Array.from({ length: runs }, () => submitOne(world, random)));
  const ids = submitted.map(({ run }) => run.run_id);
  const first = startWorker(stores, payments, ids);
  try {
    return await playRound({ stores, payments, world, submitted, ids, first, random });
  } finally {
    // A process that stands still would never end.
    first.kill("SIGKILL");
  }
}

type Round = {
  readonly stores: TestStores;
  readonly payments: PaymentService;
  readonly world: QueueWorld;
  readonly submitted: readonly Submitted[];
  readonly ids: readonly string[];
  readonly first: ChildProcess;
  readonly random: () => number;
};
type Submitted = { readonly run: AcceptedRun; readonly order: string };

async function playRound(round: Round): Promise<StoppedRun[]> {
  const { stores, payments, world, submitted, ids, first, random } = round;
  await untilAll(world, ids, (status) => status !== "queued");
  await pause(random() * 1_500);
  first.kill("SIGSTOP");
  const stoppedAt = Date.now();
  const recovered = await recoverAll(world, ids, stoppedAt);
  const continuesAfterMs = [0, 700, RESTS_WITHIN_MS][Math.floor(random() * 3)] ?? 0;
  const second = startWorker(stores, payments, [...recovered.keys()]);
  const ended = ending(second);
  await Promise.race([pause(continuesAfterMs), ended]);
  const isLast = second.exitCode !== null;
  const before = isLast ? await records(world, submitted) : undefined;
  first.kill("SIGCONT");
  await Promise.all([ended, ending(first)]);
  await untilAll(world, ids, (status) => status !== "queued" && status !== "running");
  const after = await records(world, submitted);
  return Promise.all(
    submitted.map(async ({ run, order }, i) => {
      const job = await world.job(run.run_id);
      const events = await world.events(run.run_id);
      return {
        status: job?.status ?? "gone",
        attempt: job?.attempt ?? 0,
        charges: payments.charges(order),
        recoveredMs: recovered.get(run.run_id),
        endings: events
          .map(({ event }) => event)
          .filter((name) => /^Run(Completed|Paused|Error|Cancelled)$/.test(name)),
        changedLate: before !== undefined && !isDeepStrictEqual(before[i], after[i]),
      };
    }),
  );
}

async function submitOne(world: QueueWorld, random: () => number): Promise<Submitted> {
  orders += 1;
  const order = `order-${process.pid}-${orders}`;
  const sleep = () => `[[sleep:${Math.round(random() * 1_500)}]]`;
  const run = await world.submit(`${sleep()}[[tool:charge {"order":"${order}"}]]${sleep()} done`);
  return { run, order };
}

function startWorker(stores: TestStores, payments: PaymentService, jobs: readonly string[]): ChildProcess {
  const order: WorkerOrder = {
    endpoint: stores.endpoint,
    tables: stores.db.tables,
    settings,
    payments: payments.address,
    jobs,
  };
  const script = join(import.meta.dirname, "worker-process.ts");
  return spawn(process.execPath, [script, JSON.stringify(order)], { stdio: ["ignore", "ignore", "inherit"] });
}

const ending = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
};

/** Makes a round of the sweeper and then each check when it is due, until no lock is stale and none is held. */
async function recoverAll(
  world: QueueWorld,
  ids: readonly string[],
  stoppedAt: number,
): Promise<ReadonlyMap<string, number>> {
  const recovered = new Map<string, number>();
  await world.sweep();
  for (const until = stoppedAt + RESTS_WITHIN_MS; Date.now() < until; ) {
    const jobs = await Promise.all(ids.map(world.job));
    for (const job of jobs)
      if (job?.status === "queued" && !recovered.has(job.id)) recovered.set(job.id, Date.now() - stoppedAt);
    if (jobs.every((job) => job?.status !== "running")) return recovered;
    const dueAt = world.lockChecks.dueAt.shift();
    if (dueAt === undefined) throw new Error("locks are held, and no check is under way");
    await pause(Math.max(0, dueAt * 1000 - Date.now()));
    await world.checkLocks();
  }
  throw new Error("the runs of a stopped worker were not recovered");
}

async function untilAll(
  world: QueueWorld,
  ids: readonly string[],
  holds: (status: string) => boolean,
): Promise<void> {
  for (const until = Date.now() + RESTS_WITHIN_MS; ; await pause(50)) {
    const jobs = await Promise.all(ids.map(world.job));
    if (jobs.every((job) => job !== undefined && holds(job.status))) return;
    if (Date.now() > until) throw new Error(`jobs stay ${jobs.map((job) => job?.status).join(", ")}`);
  }
}

/** Everything that is stored of each run and its job. */
const records = (
  world: QueueWorld,
  submitted: readonly { readonly run: AcceptedRun }[],
): Promise<unknown[]> =>
  Promise.all(
    submitted.map(async ({ run }) => [
      await world.job(run.run_id),
      await world.run(run),
      await world.events(run.run_id),
    ]),
  );
