import { connectKnowledgeQueue } from "../../shared/queue/knowledge-queue.ts";
import { connectRemovalQueue } from "../../shared/queue/removal-queue.ts";
import { connectRunQueue } from "../../shared/queue/run-queue.ts";
import { epochSeconds, systemClock } from "../../shared/runtime/clock.ts";
import { createLog } from "../../shared/runtime/create-log.ts";
import { readEnv } from "../../shared/runtime/env.ts";
import { sweeperEnv } from "../../shared/runtime/function-env.ts";
import { connectDb } from "../../shared/stores/db.ts";
import { resendContents } from "./resend-contents.ts";
import { resendRemovals } from "./resend-removals.ts";
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

const removals = connectRemovalQueue(env.REMOVAL_QUEUE_URL);
const contents = connectKnowledgeQueue(env.KNOWLEDGE_QUEUE_URL);

type Round = Swept & { readonly removals: number; readonly contents: number };

/** Timer in; frees jobs whose worker went silent, sends lost messages again, and removals that are not over. */
export async function handler(): Promise<Round> {
  const swept = await sweep(deps);
  const now = epochSeconds(systemClock);
  return {
    ...swept,
    removals: await resendRemovals({ db: deps.db, removals }, now),
    contents: await resendContents({ db: deps.db, contents }, now),
  };
}
