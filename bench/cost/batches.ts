import { clientOf } from "../../test/support/client.ts";
import { inLanes } from "../figures.ts";
import { startMeteredPlatform } from "./metered-platform.ts";
import { sumOf, times, type Usage } from "./usage.ts";

/** What a run costs its worker where messages wait for it, by how many it takes at once. */
export type Batch = {
  readonly size: number;
  /** Of the worker and its queue alone. */
  readonly each: Usage;
  readonly runsOfInvocation: number;
};

const RUNS = 60;
const LANES = 8;
/** What runs wait for their model: most a second, some five. A batch lasts as long as its longest run. */
const modelMs = (i: number): number => (i % 6 === 0 ? 5_000 : 1_000);

/** Floods the queue, for two workers at a time, so that batches are full. */
export async function measureBatch(size: number, progress: (step: string) => void): Promise<Batch> {
  progress(`${RUNS} runs at once, ${size} to a worker`);
  const metered = await startMeteredPlatform({
    WORKER_BATCH_SIZE: String(size),
    WORKER_CONCURRENCY: "2",
  });
  try {
    const { platform, take, quiet } = metered;
    const client = clientOf(platform.url, platform.token({ sub: "cost", scopes: ["platform:admin"] }));
    await client.submit("hi");
    await quiet();
    await take();
    await inLanes(RUNS, LANES, async (i) => void (await client.submit(`[[sleep:${modelMs(i)}]]`)));
    const worker = [...(await take())].find(([label]) => label === "Worker")?.[1];
    if (!worker) throw new Error("no worker was invoked");
    return {
      size,
      each: times(sumOf(worker.usage), 1 / RUNS),
      runsOfInvocation: RUNS / worker.invocations,
    };
  } finally {
    await metered.stop();
  }
}
