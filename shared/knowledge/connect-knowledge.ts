import { notFound } from "../errors.ts";
import type { BaseSetting } from "../runtime/knowledge-settings.ts";
import type { Db } from "../stores/db.ts";
import { connectVectors, type VectorEnv } from "../stores/vectors/connect-vectors.ts";
import { basesOf, type KnowledgeBase } from "./base.ts";
import { connectEmbedder, type EmbedderEnv } from "./embedders/connect-embedder.ts";
import { wordIndex } from "./lexical/word-index.ts";
import type { SearchDeps } from "./search.ts";

export type KnowledgeEnv = VectorEnv & EmbedderEnv & { readonly KNOWLEDGE_BASES: readonly BaseSetting[] };

export type Knowledge = SearchDeps & { readonly bases: readonly KnowledgeBase[] };

/** Everything needed to search knowledge. Loads nothing before the first search. */
export const connectKnowledge = (db: Db, env: KnowledgeEnv): Knowledge => ({
  db,
  vectors: connectVectors(db, env),
  words: wordIndex(db),
  embedder: connectEmbedder(env),
  bases: basesOf(env.KNOWLEDGE_BASES),
});

/** The base with a name. @throws ServiceError NOT_FOUND where none is configured */
export function baseNamed({ bases }: Pick<Knowledge, "bases">, name: string): KnowledgeBase {
  const base = bases.find((one) => one.name === name);
  if (!base) throw notFound("knowledge base", name);
  return base;
}
