import { randomUUID } from "node:crypto";
import { connectEmbedder } from "../../shared/knowledge/embedders/connect-embedder.ts";
import { wordIndex } from "../../shared/knowledge/lexical/word-index.ts";
import type { ProcessingDeps } from "../../shared/knowledge/processing/processing-deps.ts";
import type { Clock } from "../../shared/runtime/clock.ts";
import type { Db } from "../../shared/stores/db.ts";
import { dynamoVectors } from "../../shared/stores/knowledge/dynamo-vectors.ts";
import { readHere } from "./read-here.ts";

/** What a worker has that processes contents: it reads files in this process, sends no wake-ups, and knows no sources. */
export const contentWorker = (
  db: Db,
  clock: Clock,
  changed: Partial<ProcessingDeps> = {},
): ProcessingDeps => ({
  db,
  vectors: dynamoVectors(db),
  words: wordIndex(db, clock),
  embedder: connectEmbedder({ EMBEDDER: "local" }),
  readFile: readHere,
  queue: { send: async () => undefined },
  clock,
  log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  newWorkerId: randomUUID,
  sourceOf: () => undefined,
  openSource: () => {
    throw new Error("there are no sources here");
  },
  allowedHosts: [],
  ...changed,
});
