import { executeJob } from "../../shared/runs/worker.ts";
import { type QueueWorld, queueWorld } from "../../test/support/queue-world.ts";
import { startStores } from "../../test/support/stores.ts";
import { prices } from "../cost/prices.ts";
import { figuresOf, type Row } from "../figures.ts";
import { meter, type Use } from "./metered.ts";

/** Messages in one invocation of the worker under load. @see lib/workers/run-queue.ts */
const BATCH = 10;
/** Memory of the streaming function and of the worker in gigabytes. @see lib/api/api-functions.ts, lib/workers/run-queue.ts */
const API_GB = 1;
const WORKER_GB = 1;
const RUNS = 40;
const MILLION = 1e6;

type Spent = { readonly uses: readonly Use[]; readonly ms: number };

/**
 * Counts the calls to AWS of one background run with one model call, and computes the price of a million. The code of the
 * streaming function and of the worker runs in this process, against a database that returns consumed capacity. The
 * scripted model takes no time; a real model's time adds to the worker's seconds.
 */
export async function measureCost(): Promise<Row[]> {
  const stores = await startStores();
  try {
    const take = meter(stores.db);
    const world = queueWorld(stores.db);
    const { session_id } = await world.submit("the first");
    await world.deliverAll();
    const accepts: Spent[] = [];
    const works: Spent[] = [];
    for (let i = 0; i < RUNS; i += 1) {
      take();
      const accepting = await timed(() => world.submit("hi", i % 2 ? { session_id } : {}));
      accepts.push({ uses: take(), ms: accepting });
      const working = await timed(() => deliverOne(world));
      works.push({ uses: take(), ms: working });
    }
    return rowsOf(accepts, works);
  } finally {
    await stores.stop();
  }
}

async function deliverOne(world: QueueWorld): Promise<void> {
  const [message] = world.queue.sent.splice(0);
  if (!message) throw new Error("no message was sent");
  await executeJob(world, message, 900_000);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

function rowsOf(accepts: readonly Spent[], works: readonly Spent[]): Row[] {
  const all = [...accepts, ...works];
  const write = perRun(all, (use) => use.writeUnits);
  const read = perRun(all, (use) => use.readUnits);
  const apiMs = figuresOf(accepts.map(({ ms }) => ms)).p50;
  const workerMs = figuresOf(works.map(({ ms }) => ms)).p50;
  // Sent one by one; received and deleted in batches of ten.
  const sqs = 1 + 2 / BATCH;
  const invocations = 1 + 1 / BATCH;
  const dollars = {
    database: write * prices.writeUnit + read * prices.readUnit,
    queue: sqs * prices.sqsRequest + prices.sqsGroup,
    functions:
      invocations * prices.invocation +
      ((apiMs * API_GB + workerMs * WORKER_GB) / 1000) * prices.gigabyteSecond,
    edge: prices.edgeRequest,
  };
  const total = Object.values(dollars).reduce((sum, part) => sum + part, 0);
  return [
    ...operationsOf(all),
    { what: "write units of a run", figure: write.toFixed(1), goal: "≤ 12" },
    { what: "read units of a run", figure: read.toFixed(1), goal: "≤ 4" },
    { what: "SQS requests of a run, ten messages a batch", figure: sqs.toFixed(1), goal: "≤ 2" },
    { what: "invocations of a run, ten messages a batch", figure: invocations.toFixed(1), goal: "≤ 2" },
    ...Object.entries(dollars).map(([part, each]) => ({
      what: `a million runs, ${part}`,
      figure: `$${(each * MILLION).toFixed(2)}`,
    })),
    { what: "a million runs, without the model", figure: `$${(total * MILLION).toFixed(2)}` },
  ];
}

const perRun = (all: readonly Spent[], unitsOf: (use: Use) => number): number =>
  all.flatMap(({ uses }) => uses).reduce((sum, use) => sum + unitsOf(use), 0) / RUNS;

function operationsOf(all: readonly Spent[]): Row[] {
  const counts = new Map<string, number>();
  for (const { operation } of all.flatMap(({ uses }) => uses)) {
    counts.set(operation, (counts.get(operation) ?? 0) + 1);
  }
  return [...counts].map(([operation, n]) => ({
    what: `${operation} of a run`,
    figure: (n / RUNS).toFixed(1),
  }));
}
