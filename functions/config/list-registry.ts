import { DB_ID } from "../../shared/domain/databases/database.ts";
import { registryEntries } from "../../shared/engine/component/registry-entries.ts";
import type { Handler } from "../../shared/http/handler.ts";
import { type KnowledgeBase, vectorDbs } from "../../shared/knowledge/configured.ts";
import { readers } from "../../shared/knowledge/reading.ts";
import type { configRoutes } from "../../shared/routes/config.ts";
import type { RegistryEntry } from "../../shared/schemas/components/registry-entry.ts";
import { pageMeta } from "../../shared/schemas/values/page.ts";
import type { VectorStoreName } from "../../shared/settings/values/knowledge-bases.ts";
import type { ConfigDeps } from "./config-deps.ts";

/** What stored components may name, and what is declared in code. */
export const listRegistry: Handler<typeof configRoutes.listRegistry, ConfigDeps> = async (
  { query },
  { registry, models, bases, vectorStore },
) => {
  const { resource_type, name = "", page, limit } = query;
  const startedAt = performance.now();
  const wanted = name.toLowerCase();
  const found = registryEntries(registry, models, knowledgeEntries(bases, vectorStore)).filter(
    (one) => (!resource_type || one.type === resource_type) && one.name.toLowerCase().includes(wanted),
  );
  return {
    data: found.slice((page - 1) * limit, page * limit),
    meta: pageMeta(page, limit, found.length, performance.now() - startedAt),
  };
};

/** The knowledge bases, and where their vectors are stored. */
function knowledgeEntries(bases: readonly KnowledgeBase[], store: VectorStoreName): RegistryEntry[] {
  const { id, name, description } = vectorDbs[store];
  const vectorDb: RegistryEntry = {
    name,
    type: "vector_db",
    id,
    description,
    metadata: { class_path: `vector_db.${id}`, vector_db_id: id },
  };
  const knowledge = bases.map(
    (base): RegistryEntry => ({
      name: base.name,
      type: "knowledge",
      id: base.id,
      ...(base.description !== undefined && { description: base.description }),
      metadata: {
        class_path: `registry.knowledge.${base.name}`,
        vector_db_class: name,
        contents_db_class: DB_ID,
        max_results: base.max_results,
        num_readers: Object.keys(readers).length,
      },
    }),
  );
  return bases.length > 0 ? [vectorDb, ...knowledge] : [];
}
