import { allEqual } from "../../domain/knowledge/matches-filter.ts";
import { baseNamed, type Knowledge, searchBase } from "../../knowledge/index.ts";
import { metadataKeys } from "../../stores/knowledge/put-content.ts";
import type { SearchKnowledge } from "../ports/engine-ports.ts";

/** The search for runs: over content of their user, and shared content. */
export const connectSearch =
  (knowledge: Knowledge): SearchKnowledge =>
  async ({ base: name, query, filter, chosen, user_id }) => {
    const base = baseNamed(knowledge, name);
    const visibility = { knowledge_id: base.id, owner: user_id };
    const known = Object.keys(chosen).length > 0 ? await metadataKeys(knowledge.db, visibility) : [];
    const narrowed = allEqual(
      Object.fromEntries(Object.entries(chosen).filter(([key]) => known.includes(key))),
    );
    const found = await searchBase(knowledge, base, {
      query,
      filter: { op: "AND", conditions: [filter, narrowed] },
      max_results: base.max_results,
      owner: user_id,
    });
    return found.map(({ content, name: document, meta_data }) => ({
      content,
      ...(document !== null && { name: document }),
      meta_data: meta_data ?? {},
    }));
  };
