import { matchesFilter } from "../domain/knowledge/matches-filter.ts";
import type { StoredContent } from "../schemas/knowledge/knowledge-content.ts";
import type { FilterExpression } from "../schemas/knowledge/knowledge-filter.ts";
import type { SearchResult } from "../schemas/knowledge/knowledge-search.ts";
import type { Db } from "../stores/db.ts";
import { getContents } from "../stores/knowledge/get-content.ts";
import type { Hit, VectorStore } from "../stores/vectors/vector-store.ts";
import type { KnowledgeBase } from "./base.ts";
import { indexName, placeOfKey } from "./chunk-keys.ts";
import type { Embedder } from "./embedders/embedder.ts";
import { onTags, shownMetadata, visibleTo } from "./tags.ts";

export type SearchDeps = { readonly db: Db; readonly vectors: VectorStore; readonly embedder: Embedder };

export type SearchQuery = {
  readonly query: string;
  readonly max_results: number;
  /** On the metadata of contents. */
  readonly filter: FilterExpression;
  /** Owner whose chunks are searched besides the shared ones: null for none, undefined for all owners. */
  readonly owner: string | null | undefined;
};

/** Most chunks that a vector store is queried for. */
const MAX_HITS = 10_000;
/** Factor by which a query is widened when too few of its hits may be shown. */
const WIDEN_FACTOR = 4;

/**
 * The chunks of a base that are nearest to a query, best first.
 *
 * A hit of the vector store is shown only if the record of its content allows it: the content exists, the caller may see
 * it, it matches the filters, and the chunk is of its live generation. So a deleted content disappears from searches at
 * once, and chunks that a crashed worker left behind are never shown.
 *
 * @source contract, knowledge section 7; the check is ours
 */
export async function searchBase(
  deps: SearchDeps,
  base: KnowledgeBase,
  search: SearchQuery,
): Promise<SearchResult[]> {
  const [vector = []] = await deps.embedder.embed([search.query], "query");
  const index = indexName(base.id, deps.embedder.id);
  const visible: FilterExpression = {
    op: "AND",
    conditions: [visibleTo(search.owner), onTags(search.filter)],
  };
  for (let top = search.max_results; ; top = Math.min(top * WIDEN_FACTOR, MAX_HITS)) {
    const hits = await deps.vectors.query(index, { vector, top, filter: visible });
    const found = await shownHits(deps.db, base, hits, search);
    if (found.length >= search.max_results || hits.length < top || top >= MAX_HITS) {
      return found.slice(0, search.max_results);
    }
  }
}

type Limits = Pick<SearchQuery, "owner" | "filter">;

async function shownHits(
  db: Db,
  base: KnowledgeBase,
  hits: readonly Hit[],
  limits: Limits,
): Promise<SearchResult[]> {
  const candidates = hits.map((hit) => ({ hit, ...placeOfKey(hit.key) }));
  const contents = await getContents(
    db,
    base.id,
    candidates.map(({ contentId }) => contentId),
  );
  return candidates.flatMap(({ hit, contentId, hash }) => {
    const content = contents.get(contentId);
    return content && isShown(content, hash, limits) ? [resultOf(hit, content, base)] : [];
  });
}

function isShown(content: StoredContent, hash: string, { owner, filter }: Limits): boolean {
  const isVisible = owner === undefined || content.owner === null || content.owner === owner;
  if (content.removed || content.live?.hash !== hash || !isVisible) return false;
  return matchesFilter(content.metadata ?? {}, filter);
}

const resultOf = (
  { key, text, about }: Hit,
  content: StoredContent,
  { name }: KnowledgeBase,
): SearchResult => ({
  id: key,
  content: text,
  name: content.name,
  meta_data: { ...shownMetadata(content.metadata), ...about, chunk_size: text.length, linked_to: name },
  usage: null,
  reranking_score: null,
  content_id: content.id,
  content_origin: null,
  size: text.length,
});
