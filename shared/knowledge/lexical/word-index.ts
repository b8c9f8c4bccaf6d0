import { type Clock, systemClock } from "../../runtime/clock.ts";
import type { Db } from "../../stores/db.ts";
import {
  generationName,
  isShared,
  putGone,
  readManifest,
  removePart,
  setReady,
  wordObjects,
} from "../../stores/knowledge/word-parts.ts";
import { closerFirst, type ScoredText } from "./closer-first.ts";
import { type CompactDeps, compact, compactUntilGone } from "./compact.ts";
import { countWords, queryWords, type WordedText } from "./index-words.ts";
import { languages } from "./languages.ts";
import { type PartContent, packPart } from "./part.ts";
import { cachedParts, PartMissing } from "./part-cache.ts";
import { rankParts, type WordHit } from "./rank-parts.ts";
import { WORDS_VERSION } from "./words-of.ts";
import { writeOwnPart } from "./write-part.ts";

/** Chunks of one generation of a content, with their positions, from 1. */
export type Batch = PartContent & {
  readonly chunks: readonly (WordedText & { readonly position: number })[];
};

export type WordQuery = {
  readonly query: string;
  /** Whose contents are searched in addition to the shared ones: null for none, undefined for all owners. */
  readonly owner: string | null | undefined;
  readonly top: number;
};

export type FoundWords = {
  /** The best first, by how often they have which words. */
  readonly hits: readonly WordHit[];
  /** The same chunks, those first that have the wanted words close together: for the few that are shown, with their texts. */
  readonly closerFirst: <T extends ScoredText>(found: readonly T[]) => Promise<T[]>;
};

/**
 * Finds chunks by their words. It holds no texts, and whether a content may be shown is its record's to say.
 *
 * A batch is a part of its own, so two writers never meet; parts of one size are put together now and then, by one process
 * at a time. Adding a batch again replaces it; removing is idempotent.
 */
export type WordIndex = {
  readonly add: (knowledgeId: string, batch: Batch) => Promise<void>;
  /** When it returns, no object has a word of the generation any more. */
  readonly remove: (knowledgeId: string, generation: Pick<PartContent, "id" | "hash">) => Promise<void>;
  readonly search: (knowledgeId: string, query: WordQuery) => Promise<FoundWords>;
};

/** The index of words in a table and a bucket. Parts that were read stay in memory, up to a limit. */
export function wordIndex(db: Db, clock: Clock = systemClock): WordIndex {
  const deps: CompactDeps = { db, clock, load: cachedParts(db) };
  return {
    add: async (knowledgeId, batch) => {
      await addBatch(db, knowledgeId, batch);
      await compact(deps, knowledgeId);
    },
    remove: (knowledgeId, generation) => remove(deps, knowledgeId, generation),
    search: (knowledgeId, query) => search(deps, knowledgeId, query),
  };
}

async function addBatch(db: Db, knowledgeId: string, { chunks, ...content }: Batch): Promise<void> {
  const [first] = chunks;
  if (!first) return;
  const counted = await countWords(chunks);
  const rows = chunks.map(({ position }, i) => ({
    content,
    position,
    counts: counted[i]?.counts ?? new Map<string, number>(),
  }));
  const bytes = packPart(
    rows,
    counted.map(({ language }) => language),
  );
  const name = `${generationName(content.id, content.hash)}_${first.position}`;
  await writeOwnPart(db, knowledgeId, { name, bytes, chunks: chunks.length });
}

async function remove(
  deps: CompactDeps,
  knowledgeId: string,
  { id, hash }: Pick<PartContent, "id" | "hash">,
): Promise<void> {
  const { db } = deps;
  const generation = generationName(id, hash);
  const { parts: own } = await readManifest(db, knowledgeId, `${generation}_`);
  // Searches pass a part over before its object goes, or they would fail if this process died in between.
  for (const part of own) await setReady(db, knowledgeId, part, false);
  await db.objects.removeAll(wordObjects(knowledgeId, `${generation}_`));
  for (const part of own) await removePart(db, knowledgeId, part);
  const { parts } = await readManifest(db, knowledgeId);
  if (!parts.some(isShared)) return;
  await putGone(db, knowledgeId, generation);
  await compactUntilGone(deps, knowledgeId, generation);
}

/** How often a search looks again that met a part which was replaced at that moment. */
const TRIES = 5;

async function search(
  { db, load }: CompactDeps,
  knowledgeId: string,
  { query, owner, top }: WordQuery,
): Promise<FoundWords> {
  for (let tryNumber = 1; ; tryNumber += 1) {
    const { parts } = await readManifest(db, knowledgeId);
    const usable = parts.filter(({ ready, words_version }) => ready && words_version === WORDS_VERSION);
    try {
      const opened = await Promise.all(usable.map(({ object }) => load(object)));
      const present = languages.filter((one) => opened.some((part) => part.languages.includes(one)));
      const { hits, words } = rankParts(opened, await queryWords(query, present), owner, top);
      return { hits, closerFirst: (found) => closerFirst(found, words) };
    } catch (error) {
      if (!(error instanceof PartMissing) || tryNumber >= TRIES) throw error;
    }
  }
}
