import { notFound } from "../errors.ts";
import type { BaseSetting } from "../settings/values/knowledge-bases.ts";
import type { Db } from "../stores/db.ts";
import { connectVectors, type VectorEnv } from "../stores/knowledge/connect-vectors.ts";
import { basesOf, type KnowledgeBase } from "./base.ts";
import { connectEmbedder, type EmbedderEnv } from "./embedders/connect-embedder.ts";
import type { WordIndex } from "./lexical/word-index.ts";
import type { SearchDeps } from "./search.ts";

export type KnowledgeEnv = VectorEnv & EmbedderEnv & { readonly KNOWLEDGE_BASES: readonly BaseSetting[] };

export type Knowledge = SearchDeps & { readonly bases: readonly KnowledgeBase[] };

/** Everything needed to search knowledge. Loads nothing before the first search. */
export const connectKnowledge = (db: Db, env: KnowledgeEnv): Knowledge => ({
  db,
  vectors: connectVectors(db, env),
  words: wordIndexOf(db),
  embedder: connectEmbedder(env),
  bases: basesOf(env.KNOWLEDGE_BASES),
});

/** The index of words, whose code is loaded with its first use: most runs search nothing. */
function wordIndexOf(db: Db): WordIndex {
  let loading: Promise<WordIndex> | undefined;
  const loaded = () => {
    loading ??= import("./lexical/word-index.ts").then(({ wordIndex }) => wordIndex(db));
    return loading;
  };
  return {
    add: async (knowledgeId, batch) => (await loaded()).add(knowledgeId, batch),
    remove: async (knowledgeId, generation) => (await loaded()).remove(knowledgeId, generation),
    search: async (knowledgeId, query) => (await loaded()).search(knowledgeId, query),
  };
}

/** The base with a name. @throws ServiceError NOT_FOUND where none is configured */
export function baseNamed({ bases }: Pick<Knowledge, "bases">, name: string): KnowledgeBase {
  const base = bases.find((one) => one.name === name);
  if (!base) throw notFound("knowledge base", name);
  return base;
}
