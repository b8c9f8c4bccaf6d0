import { connectRunQueue } from "../../shared/queue/run-queue.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import { createLog } from "../../shared/runtime/create-log.ts";
import { readEnv } from "../../shared/runtime/env.ts";
import { sweeperEnv } from "../../shared/runtime/function-env.ts";
import { connectDb } from "../../shared/stores/db.ts";
import { sweep } from "./sweep.ts";
import type { SweeperDeps, Swept } from "./sweeper-deps.ts";

const env = readEnv(sweeperEnv);
const deps: SweeperDeps = {
  db: connectDb(env),
  queue: connectRunQueue(env.RUN_QUEUE_URL),
  clock: systemClock,
  log: createLog(env.POWERTOOLS_SERVICE_NAME),
  settings: env,
};

/** Timer in; frees jobs whose worker went silent and sends lost messages again. */
export function handler(): Promise<Swept> {
  return sweep(deps);
}
