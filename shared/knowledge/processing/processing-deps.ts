import type { KnowledgeQueue } from "../../queue/knowledge-queue.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";
import type { Meter } from "../../runtime/metrics/meter.ts";
import type { SourceSetting } from "../../settings/values/sources.ts";
import type { Db } from "../../stores/db.ts";
import type { VectorStore } from "../../stores/knowledge/vector-store.ts";
import type { Embedder } from "../embedders/embedder.ts";
import type { WordIndex } from "../lexical/word-index.ts";
import type { ReadFile } from "../readers/read-in-process.ts";
import type { OpenSource } from "../sources/open-sources.ts";

export type ProcessingDeps = {
  readonly db: Db;
  readonly vectors: VectorStore;
  readonly words: WordIndex;
  readonly embedder: Embedder;
  readonly readFile: ReadFile;
  readonly queue: KnowledgeQueue;
  readonly clock: Clock;
  readonly log: Log;
  readonly newWorkerId: () => string;
  readonly meter?: Meter;
  /** The configured source with an id; undefined where it is no longer configured. */
  readonly sourceOf: (id: string) => SourceSetting | undefined;
  readonly openSource: OpenSource;
  /** Hosts that may be fetched from although their address is not public. */
  readonly allowedHosts: readonly string[];
};
