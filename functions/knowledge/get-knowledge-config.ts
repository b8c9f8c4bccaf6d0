import type { Handler } from "../../shared/http/handler.ts";
import { selectBase, vectorDbOf } from "../../shared/knowledge/configured.ts";
import {
  type ChunkerKey,
  chunkerKeys,
  chunkers,
  NO_EMBEDDER,
  wireSource,
} from "../../shared/knowledge/intake.ts";
import { readerIds, readers } from "../../shared/knowledge/reading.ts";
import type { knowledgeRoutes } from "../../shared/routes/knowledge.ts";
import { metadataKeys } from "../../shared/stores/knowledge/put-content.ts";
import type { KnowledgeDeps } from "./knowledge-deps.ts";
import { visibilityOf } from "./visibility-of.ts";

type Needs = Pick<KnowledgeDeps, "db" | "bases" | "embedder" | "vectorStore">;

/** What can be done with a base. */
export const getKnowledgeConfig: Handler<typeof knowledgeRoutes.getKnowledgeConfig, Needs> = async (
  { query, principal },
  { db, bases, embedder, vectorStore },
) => {
  const base = selectBase(bases, query);
  const { id, provider, description } = embedder;
  const usable = chunkerKeys.filter((key) => id !== NO_EMBEDDER || key !== "SemanticChunker");
  return {
    readers: Object.fromEntries(readerIds.map((reader) => [reader, shownReader(reader, usable)])),
    readersForType: readersForType(),
    chunkers: Object.fromEntries(usable.map((key) => [key, shownChunker(key)])),
    filters: await metadataKeys(db, visibilityOf(principal, base)),
    vector_dbs: [vectorDbOf(vectorStore, embedder)],
    embedder: { id, provider, description },
    remote_content_sources: base.sources.length > 0 ? base.sources.map(wireSource) : null,
  };
};

function shownReader(id: (typeof readerIds)[number], usable: readonly ChunkerKey[]) {
  const { name, description, chunkers: offered } = readers[id];
  return { id, name, description, chunkers: offered.filter((key) => usable.includes(key)) };
}

function shownChunker(key: (typeof chunkerKeys)[number]) {
  const { name, description, sizes } = chunkers[key];
  const metadata: Record<string, number> = sizes
    ? { chunk_size: sizes.size, chunk_overlap: sizes.overlap }
    : {};
  return { key, name, description, metadata };
}

function readersForType(): Record<string, string[]> {
  const types = new Set<string>(readerIds.flatMap((id) => readers[id].types));
  const readersOf = (type: string) =>
    readerIds.filter((id) => (readers[id].types as readonly string[]).includes(type));
  return Object.fromEntries([...types].map((type) => [type, readersOf(type)]));
}
