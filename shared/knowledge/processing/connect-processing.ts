import { connectKnowledgeQueue } from "../../queue/knowledge-queue.ts";
import { systemClock } from "../../runtime/clock.ts";
import { newId } from "../../runtime/ids.ts";
import type { Log } from "../../runtime/log.ts";
import { readSecret } from "../../runtime/secrets/read-secret.ts";
import type { Knowledge } from "../connect-knowledge.ts";
import { openSources } from "../sources/open-sources.ts";
import type { ProcessingDeps } from "./processing-deps.ts";

type Env = { readonly KNOWLEDGE_QUEUE_URL: string; readonly FETCH_ALLOWED_HOSTS: readonly string[] };

/** Everything needed to process contents, but for reading files, which only the worker does. */
export function connectProcessing(
  { bases, ...search }: Knowledge,
  env: Env,
  log: Log,
): Omit<ProcessingDeps, "readFile"> {
  const sources = bases.flatMap((base) => base.sources);
  const allowedHosts = env.FETCH_ALLOWED_HOSTS;
  return {
    ...search,
    queue: connectKnowledgeQueue(env.KNOWLEDGE_QUEUE_URL),
    clock: systemClock,
    log,
    newWorkerId: newId,
    sourceOf: (id) => sources.find((source) => source.id === id),
    openSource: openSources({ allowedHosts, readSecret, clock: systemClock }),
    allowedHosts,
  };
}
