import { DB_ID } from "../../shared/domain/databases/database.ts";
import { type KnowledgeBase, vectorDbs } from "../../shared/knowledge/configured.ts";
import { readers } from "../../shared/knowledge/reading.ts";
import type { RegistryEntry } from "../../shared/schemas/components/registry-entry.ts";
import type { VectorStoreName } from "../../shared/settings/values/knowledge-bases.ts";

/** The knowledge bases, and where their vectors are stored. */
export function knowledgeEntries(bases: readonly KnowledgeBase[], store: VectorStoreName): RegistryEntry[] {
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
