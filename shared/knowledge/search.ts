import { fuseRanks } from "../domain/knowledge/fuse-ranks.ts";
import { matchesFilter } from "../domain/knowledge/matches-filter.ts";
import type { StoredContent } from "../schemas/knowledge/knowledge-content.ts";
import type { FilterExpression } from "../schemas/knowledge/knowledge-filter.ts";
import type { SearchResult } from "../schemas/knowledge/knowledge-search.ts";
import type { SearchWeights } from "../settings/values/knowledge-bases.ts";
import type { Db } from "../stores/db.ts";
import { getContents } from "../stores/knowledge/content-item.ts";
import type { Hit, VectorStore } from "../stores/knowledge/vector-store.ts";
import type { KnowledgeBase } from "./base.ts";
import { chunkKey, indexName, placeOfKey } from "./chunk-keys.ts";
import type { Embedder } from "./embedders/embedder.ts";
import type { WordIndex } from "./lexical/word-index.ts";
import { weightsOf } from "./search-type.ts";
import { onTags, shownMetadata, visibleTo } from "./tags.ts";

export type SearchDeps = {
  readonly db: Db;
  readonly vectors: VectorStore;
  readonly words: WordIndex;
  readonly embedder: Embedder;
};

export type SearchQuery = {
  readonly query: string;
  readonly max_results: number;
  /** On the metadata of contents. */
  readonly filter: FilterExpression;
  /** Owner whose chunks are searched in addition to the shared ones: null for none, undefined for all owners. */
  readonly owner: string | null | undefined;
  /** How much each kind of search counts; absent for what the base or the deployment says. */
  readonly weights?: SearchWeights;
};

/** Most chunks that are looked at. */
const MAX_HITS = 10_000;
/** Least of them in a hybrid search: a chunk that is tenth in both rankings may be the best of all. */
const LEAST_HYBRID = 50;
/** Factor by which a query is widened when too few of its hits may be shown. */
const WIDEN_FACTOR = 4;

/**
 * The chunks of a base that answer a query, best first: by their vectors, by their words, or by both rankings together.
 *
 * A hit is shown only if the record of its content allows it: the content exists, the caller may see it, it matches the
 * filters, and the chunk is of its live generation. So a deleted content disappears from searches at once, new metadata
 * counts at once, and chunks that a crashed worker left behind are never shown.
 *
 * @throws ServiceError UNAVAILABLE where the embedder cannot be reached
 */
export async function searchBase(
  deps: SearchDeps,
  base: KnowledgeBase,
  search: SearchQuery,
): Promise<SearchResult[]> {
  const weights = search.weights ?? weightsOf(deps.embedder, base);
  const isHybrid = weights.vector > 0 && weights.keyword > 0;
  const near = weights.vector > 0 ? await nearestTo(deps, base, search) : async () => [];
  const least = isHybrid ? Math.max(LEAST_HYBRID, search.max_results) : search.max_results;
  const checked = new Map<string, StoredContent | undefined>();
  for (let top = least; ; top = Math.min(top * WIDEN_FACTOR, MAX_HITS)) {
    const [hits, worded] = await Promise.all([
      near(top),
      weights.keyword > 0 ? wordedLike(deps, base, search, top) : [],
    ]);
    const keys = fuseRanks([
      { keys: hits.map(({ key }) => key), weight: weights.vector },
      { keys: worded, weight: weights.keyword },
    ]);
    await readRecords(deps.db, base, keys, checked);
    const shown = keys.flatMap((key) => shownOf(key, checked, search) ?? []);
    const isAll = hits.length < top && worded.length < top;
    if (shown.length >= search.max_results || isAll || top >= MAX_HITS)
      return withTexts(deps, base, shown.slice(0, search.max_results), hits);
  }
}

/** A search by vectors: its query is embedded once, however often it is widened. */
async function nearestTo(
  { embedder, vectors }: SearchDeps,
  base: KnowledgeBase,
  { query, owner, filter }: SearchQuery,
): Promise<(top: number) => Promise<Hit[]>> {
  const [vector = []] = await embedder.embed([query], "query");
  const index = indexName(base.id, embedder.id);
  const visible: FilterExpression = { op: "AND", conditions: [visibleTo(owner), onTags(filter)] };
  return (top) => vectors.query(index, { vector, top, filter: visible });
}

async function wordedLike(
  { words }: SearchDeps,
  { id }: KnowledgeBase,
  { query, owner }: SearchQuery,
  top: number,
): Promise<string[]> {
  const hits = await words.search(id, { query, owner, top });
  return hits.map(({ contentId, hash, position }) => chunkKey(contentId, hash, position));
}

type Checked = Map<string, StoredContent | undefined>;

/** Reads the records of chunks' contents that were not read before, in this search. */
async function readRecords(
  db: Db,
  base: KnowledgeBase,
  keys: readonly string[],
  checked: Checked,
): Promise<void> {
  const ids = new Set(keys.map((key) => placeOfKey(key).contentId));
  const wanted = [...ids].filter((id) => !checked.has(id));
  const contents = await getContents(db, base.id, wanted);
  for (const id of wanted) checked.set(id, contents.get(id));
}

type Shown = { readonly key: string; readonly content: StoredContent };

function shownOf(key: string, checked: Checked, { owner, filter }: SearchQuery): Shown | undefined {
  const { contentId, hash } = placeOfKey(key);
  const content = checked.get(contentId);
  if (!content || content.removed || content.live?.hash !== hash) return undefined;
  if (owner !== undefined && content.owner !== null && content.owner !== owner) return undefined;
  return matchesFilter(content.metadata ?? {}, filter) ? { key, content } : undefined;
}

/** What was found by words alone has its text in the index that its content went to. */
async function withTexts(
  { vectors }: SearchDeps,
  base: KnowledgeBase,
  shown: readonly Shown[],
  hits: readonly Hit[],
): Promise<SearchResult[]> {
  const bodies = new Map(hits.map((hit) => [hit.key, hit] as const));
  const missing = new Map<string, string[]>();
  for (const { key, content } of shown) {
    const index = content.live?.index;
    if (index !== undefined && !bodies.has(key)) missing.set(index, [...(missing.get(index) ?? []), key]);
  }
  const read = await Promise.all([...missing].map(([index, keys]) => vectors.texts(index, keys)));
  for (const hit of read.flat()) bodies.set(hit.key, hit);
  return shown.flatMap(({ key, content }) => {
    const hit = bodies.get(key);
    return hit ? [resultOf(hit, content, base)] : [];
  });
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
