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
import type { WordHit } from "./lexical/rank-parts.ts";
import type { FoundWords, WordIndex } from "./lexical/word-index.ts";
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
  const checked: Checked = new Map();
  const bodies: Bodies = new Map();
  for (let top = least; ; top = Math.min(top * WIDEN_FACTOR, MAX_HITS)) {
    const [hits, worded] = await Promise.all([
      near(top),
      weights.keyword > 0
        ? deps.words.search(base.id, { query: search.query, owner: search.owner, top })
        : undefined,
    ]);
    for (const hit of hits) bodies.set(hit.key, hit);
    const scored = (worded?.hits ?? []).map(keyed);
    await readRecords(deps.db, base, [...hits, ...scored], checked);
    const shownOf = <T extends Keyed>(found: readonly T[]) =>
      found.flatMap((hit) => {
        const content = contentOf(hit.key, checked, search);
        return content ? [{ ...hit, content }] : [];
      });
    const byWords = worded
      ? await closestFirst(deps, search.max_results, worded, shownOf(scored), bodies)
      : [];
    const keys = fuseRanks([
      { keys: shownOf(hits).map(({ key }) => key), weight: weights.vector },
      { keys: byWords, weight: weights.keyword },
    ]);
    const isAll = hits.length < top && scored.length < top;
    if (keys.length >= search.max_results || isAll || top >= MAX_HITS) {
      const shown = shownOf(keys.slice(0, search.max_results).map((key) => ({ key })));
      return withTexts(deps, base, shown, bodies);
    }
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

type Keyed = { readonly key: string };

const keyed = ({ contentId, hash, position, score }: WordHit): Keyed & { readonly score: number } => ({
  key: chunkKey(contentId, hash, position),
  score,
});

/** Keys of what was found by words. So many as are shown are ordered again, by how close their words stand together. */
async function closestFirst(
  deps: SearchDeps,
  count: number,
  worded: FoundWords,
  shown: readonly (Shown & { readonly score: number })[],
  bodies: Bodies,
): Promise<string[]> {
  const first = shown.slice(0, count);
  await readTexts(deps, first, bodies);
  const texts = first.map(({ key, score }) => ({ key, score, text: bodies.get(key)?.text ?? "" }));
  return [...(await worded.closerFirst(texts)), ...shown.slice(count)].map(({ key }) => key);
}

type Checked = Map<string, StoredContent | undefined>;

/** Reads the records of chunks' contents that were not read before, in this search. */
async function readRecords(
  db: Db,
  base: KnowledgeBase,
  found: readonly Keyed[],
  checked: Checked,
): Promise<void> {
  const ids = new Set(found.map(({ key }) => placeOfKey(key).contentId));
  const wanted = [...ids].filter((id) => !checked.has(id));
  const contents = await getContents(db, base.id, wanted);
  for (const id of wanted) checked.set(id, contents.get(id));
}

/** The content of a chunk, if the chunk may be shown. */
function contentOf(key: string, checked: Checked, { owner, filter }: SearchQuery): StoredContent | undefined {
  const { contentId, hash } = placeOfKey(key);
  const content = checked.get(contentId);
  if (!content || content.removed || content.live?.hash !== hash) return undefined;
  if (owner !== undefined && content.owner !== null && content.owner !== owner) return undefined;
  return matchesFilter(content.metadata ?? {}, filter) ? content : undefined;
}

type Shown = Keyed & { readonly content: StoredContent };
type Bodies = Map<string, Hit>;

/** What was found by words alone has its text in the index that its content went to. */
async function readTexts({ vectors }: SearchDeps, shown: readonly Shown[], bodies: Bodies): Promise<void> {
  const missing = new Map<string, string[]>();
  for (const { key, content } of shown) {
    const index = content.live?.index;
    if (index !== undefined && !bodies.has(key)) missing.set(index, [...(missing.get(index) ?? []), key]);
  }
  const read = await Promise.all([...missing].map(([index, keys]) => vectors.texts(index, keys)));
  for (const hit of read.flat()) bodies.set(hit.key, hit);
}

async function withTexts(
  deps: SearchDeps,
  base: KnowledgeBase,
  shown: readonly Shown[],
  bodies: Bodies,
): Promise<SearchResult[]> {
  await readTexts(deps, shown, bodies);
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
