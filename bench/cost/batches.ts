import { clientOf } from "../../test/support/client.ts";
import { runConcurrently } from "../figures.ts";
import { startMeteredPlatform } from "./metered-platform.ts";
import { timeOf } from "./on-lambda.ts";
import { sumOf, times, type Usage } from "./usage.ts";

/** Usage of the worker for each run while messages are waiting, by batch size. */
export type Batch = {
  readonly size: number;
  /** Usage of the worker and its queue alone. */
  readonly each: Usage;
  readonly runsOfInvocation: number;
};

const RUNS = 60;
const CLIENTS = 8;
const WORKER = "Worker";
/** How long runs wait for their model: most a second, some five. A batch lasts as long as its longest run. */
const modelMs = (i: number): number => (i % 6 === 0 ? 5_000 : 1_000);

/** Floods the queue, with two concurrent workers, so that batches are full. */
export async function measureBatch(size: number, progress: (step: string) => void): Promise<Batch> {
  progress(`${RUNS} runs at once, ${size} to a worker`);
  const metered = await startMeteredPlatform({
    WORKER_BATCH_SIZE: String(size),
    WORKER_CONCURRENCY: "2",
  });
  try {
    const { platform, take, during } = metered;
    const client = clientOf(platform.url, platform.token({ sub: "cost", scopes: ["platform:admin"] }));
    await during(async () => void (await client.submit("hi")));
    await take();
    const flood = () =>
      runConcurrently(RUNS, CLIENTS, async (i) => void (await client.submit(`[[sleep:${modelMs(i)}]]`)));
    const invocations = await during(async () => void (await flood()));
    const usage = (await take()).get(WORKER)?.usage;
    if (!usage) throw new Error("no worker was invoked");
    const { gigabyteSeconds } = timeOf(invocations.filter(({ fn }) => fn.label === WORKER));
    return {
      size,
      each: times(sumOf(usage, { gigabyteSeconds }), 1 / RUNS),
      runsOfInvocation: RUNS / usage.invocations,
    };
  } finally {
    await metered.stop();
  }
}
