import * as v from "valibot";
import { searchTypes } from "./knowledge-search.ts";
import { KnowledgeSource } from "./knowledge-source.ts";

/** @source docs/interface/knowledge.md 6.1, 6.4 */
export const KnowledgeConfig = v.object({
  readers: v.record(
    v.string(),
    v.object({ id: v.string(), name: v.string(), description: v.string(), chunkers: v.array(v.string()) }),
  ),
  readersForType: v.record(v.string(), v.array(v.string())),
  chunkers: v.record(
    v.string(),
    v.object({
      key: v.string(),
      name: v.string(),
      description: v.string(),
      metadata: v.record(v.string(), v.number()),
    }),
  ),
  filters: v.array(v.string()),
  vector_dbs: v.array(
    v.object({
      id: v.string(),
      name: v.string(),
      description: v.string(),
      search_types: v.array(v.picklist(searchTypes)),
    }),
  ),
  embedder: v.object({ id: v.string(), provider: v.string(), description: v.string() }),
  remote_content_sources: v.nullable(v.array(KnowledgeSource)),
});
export type KnowledgeConfig = v.InferOutput<typeof KnowledgeConfig>;
