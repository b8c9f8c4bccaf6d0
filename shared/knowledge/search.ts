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
import { onTags, seenBy, shownMetadata } from "./tags.ts";

export type SearchDeps = { readonly db: Db; readonly vectors: VectorStore; readonly embedder: Embedder };

export type SearchQuery = {
  readonly query: string;
  readonly max_results: number;
  /** On the metadata of contents. */
  readonly filter: FilterExpression;
  /** Whose chunks beside the shared ones: null nobody's, undefined everybody's. */
  readonly owner: string | null | undefined;
};

/** Most chunks that a vector store is asked for. */
const MOST_HITS = 10_000;
/** How much more is asked for when too little of what was found may be shown. */
const WIDER = 4;

/**
 * The chunks of a base that are nearest to a question, best first.
 *
 * What the vector store finds counts only where the record of its content says so: it is there, may be seen, fulfils the
 * filters, and this is the generation that it shows. So a content is gone from searches in the moment in which it is
 * deleted, and chunks that a dying worker left behind are never shown.
 *
 * @source contract, knowledge section 7; the check is ours
 */
export async function searchBase(
  deps: SearchDeps,
  base: KnowledgeBase,
  asked: SearchQuery,
): Promise<SearchResult[]> {
  const [vector = []] = await deps.embedder.embed([asked.query], "query");
  const index = indexName(base.id, deps.embedder.id);
  const visible: FilterExpression = { op: "AND", conditions: [seenBy(asked.owner), onTags(asked.filter)] };
  for (let top = asked.max_results; ; top = Math.min(top * WIDER, MOST_HITS)) {
    const hits = await deps.vectors.query(index, { vector, top, filter: visible });
    const found = await shownHits(deps.db, base, hits, asked);
    if (found.length >= asked.max_results || hits.length < top || top >= MOST_HITS) {
      return found.slice(0, asked.max_results);
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
  const places = hits.map((hit) => ({ hit, ...placeOfKey(hit.key) }));
  const contents = await getContents(
    db,
    base.id,
    places.map(({ contentId }) => contentId),
  );
  return places.flatMap(({ hit, contentId, hash }) => {
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
