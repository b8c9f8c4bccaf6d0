import { newContent, planCompletion } from "../../shared/domain/knowledge/content-plans.ts";
import { allEqual } from "../../shared/domain/knowledge/matches-filter.ts";
import { basesOf } from "../../shared/knowledge/base.ts";
import { chunkKey } from "../../shared/knowledge/chunk-keys.ts";
import { connectEmbedder } from "../../shared/knowledge/embedders/connect-embedder.ts";
import { wordIndex } from "../../shared/knowledge/lexical/word-index.ts";
import { WORDS_VERSION } from "../../shared/knowledge/lexical/words-of.ts";
import { searchBase } from "../../shared/knowledge/search.ts";
import { dynamoVectors } from "../../shared/stores/knowledge/dynamo-vectors.ts";
import { putContent } from "../../shared/stores/knowledge/put-content.ts";
import { startStores } from "../../test/support/stores.ts";
import type { Chunk } from "./chunks.ts";
import { quantile } from "./quantile.ts";

const CHUNKS_OF_CONTENT = 100;
const HASH = "0123456789abcdef";
const INDEX = "bench";

/**
 * Writes chunks as contents of a base into a table and a bucket on this machine, and searches them as the service does:
 * rows, parts, records and texts. Writes are timed for a content of 100 chunks, with the merges that they cause.
 */
export async function measureThroughStores(
  chunks: readonly Chunk[],
  queries: readonly string[],
): Promise<string> {
  const stores = await startStores();
  const { db } = stores;
  try {
    const [base] = basesOf([{ name: "bench", max_results: 10, sources: [] }]);
    if (!base) throw new Error("there is no base");
    const deps = {
      db,
      vectors: dynamoVectors(db),
      words: wordIndex(db),
      embedder: connectEmbedder({ EMBEDDER: "none" }),
    };
    const writes: number[] = [];
    for (let from = 0; from < chunks.length; from += CHUNKS_OF_CONTENT) {
      const some = chunks.slice(from, from + CHUNKS_OF_CONTENT);
      const id = `0b8f2c1e-6f57-5b0e-9a55-${String(from).padStart(12, "0")}`;
      const live = {
        index: INDEX,
        hash: HASH,
        chunks: some.length,
        written: some.length,
        words: WORDS_VERSION,
      };
      const upload = {
        ...{
          id,
          knowledge_id: base.id,
          owner: null,
          name: id,
          description: "",
          type: null,
          size: 1,
          metadata: null,
        },
        ...{ input: { kind: "url" as const, url: "https://example.com" }, options: {} },
      };
      await putContent(db, undefined, planCompletion(newContent(upload, 0), live, 1, 0));
      const stored = some.map(({ text }, i) => ({
        key: chunkKey(id, HASH, i + 1),
        text,
        vector: [],
        tags: {},
        about: {},
      }));
      await deps.vectors.put(INDEX, stored);
      const startedAt = performance.now();
      const positions = some.map(({ text, heading }, i) => ({ position: i + 1, text, heading }));
      await deps.words.add(base.id, { id, hash: HASH, owner: null, chunks: positions });
      writes.push(performance.now() - startedAt);
    }
    const search = (query: string, words = deps.words) =>
      searchBase({ ...deps, words }, base, { query, max_results: 10, filter: allEqual({}), owner: null });
    const coldAt = performance.now();
    await search(queries[0] ?? "", wordIndex(db));
    const cold = performance.now() - coldAt;
    const times: number[] = [];
    for (const query of queries) {
      const startedAt = performance.now();
      await search(query);
      times.push(performance.now() - startedAt);
    }
    const ms = (value: number) => `${value.toFixed(0)} ms`;
    return (
      `through table and bucket, ${chunks.length} chunks: search p50 ${ms(quantile(times, 0.5))}, p95 ${ms(quantile(times, 0.95))}, ` +
      `first ${ms(cold)}; words of a content of ${CHUNKS_OF_CONTENT} chunks: p50 ${ms(quantile(writes, 0.5))}, p95 ${ms(quantile(writes, 0.95))}`
    );
  } finally {
    await stores.stop();
  }
}
