import { type Clock, epochSeconds } from "../../runtime/clock.ts";
import { newId } from "../../runtime/ids.ts";
import type { Db } from "../../stores/db.ts";
import { getContents } from "../../stores/knowledge/content-item.ts";
import {
  clearLeftovers,
  generationName,
  isShared,
  putPart,
  readManifest,
  releaseLock,
  removeGone,
  removePart,
  replaceParts,
  sharedName,
  takeLock,
  type WordManifest,
  type WordPart,
} from "../../stores/knowledge/word-parts.ts";
import { mergeParts, type Part, type PartContent } from "./part.ts";
import { type LoadPart, PartMissing } from "./part-cache.ts";
import { WORDS_VERSION } from "./words-of.ts";
import { planPart, putPartObject } from "./write-part.ts";

/** So many parts of one size become one. A base of n chunks has about 7 parts for each power of eight below n. */
export const PARTS_OF_A_SIZE = 8;
/** Most parts of one transaction (documented limit of the service: 100 entries). */
const MOST_AT_ONCE = 64;
/** Larger parts stay as they are: putting them together would need too much memory. */
const MAX_CHUNKS = 100_000;

/** A process that holds the lock for longer than this is taken for dead. It renews the lock before every step. */
export const LOCK_SECONDS = 60;
const POLL_MS = 100;
/** After this a process leaves further merges to the next writer: its own work has a lease that must not end. */
const MAX_WORK_MS = 20_000;
/** How long a removal waits for another process. Its content's record then has it tried again later. */
const MAX_WAIT_MS = 30_000;

export type CompactDeps = { readonly db: Db; readonly load: LoadPart; readonly clock: Clock };

/** Puts parts together where there are too many of one size, unless another process is at it. */
export async function compact(deps: CompactDeps, knowledgeId: string): Promise<void> {
  const { parts } = await readManifest(deps.db, knowledgeId);
  if (!partsOfOneSize(parts)) return;
  const token = newId();
  if (await lock(deps, knowledgeId, token)) await underLock(deps, knowledgeId, token);
}

/**
 * Returns when no part has a generation any more that was recorded to leave. Many removals at a time are few passes: who
 * has the lock works for all.
 *
 * @throws where another process keeps the lock for too long
 */
export async function compactUntilGone(
  deps: CompactDeps,
  knowledgeId: string,
  generation: string,
): Promise<void> {
  const token = newId();
  const until = deps.clock.now() + MAX_WAIT_MS;
  for (;;) {
    const { gone } = await readManifest(deps.db, knowledgeId);
    if (!gone.includes(generation)) return;
    if (await lock(deps, knowledgeId, token)) await underLock(deps, knowledgeId, token);
    else if (deps.clock.now() > until)
      throw new Error(`the words of ${generation} could not be removed in time`);
    else await deps.clock.sleep(POLL_MS);
  }
}

const lock = ({ db, clock }: CompactDeps, knowledgeId: string, token: string): Promise<boolean> =>
  takeLock(db, knowledgeId, token, epochSeconds(clock), LOCK_SECONDS);

async function underLock(deps: CompactDeps, knowledgeId: string, token: string): Promise<void> {
  const until = deps.clock.now() + MAX_WORK_MS;
  try {
    // The lock is taken again before each step: that renews it.
    do {
      const manifest = await readManifest(deps.db, knowledgeId);
      if (!(await step(deps, knowledgeId, manifest, token))) return;
    } while (deps.clock.now() < until && (await lock(deps, knowledgeId, token)));
  } finally {
    await releaseLock(deps.db, knowledgeId, token);
  }
}

/** @returns false where nothing is left to do */
async function step(
  deps: CompactDeps,
  knowledgeId: string,
  manifest: WordManifest,
  token: string,
): Promise<boolean> {
  await tidy(deps, knowledgeId, manifest.parts);
  const { gone } = manifest;
  if (gone.length > 0) {
    for (const part of manifest.parts.filter((one) => isShared(one) && isCurrent(one))) {
      const opened = await openAll(deps, [part]);
      const isConcerned = opened?.some(({ contents }) =>
        contents.some(({ id, hash }) => gone.includes(generationName(id, hash))),
      );
      if (isConcerned && !(await putTogether(deps, knowledgeId, [part], gone, token))) return true;
      if (!(await lock(deps, knowledgeId, token))) return false;
    }
    for (const generation of gone) await removeGone(deps.db, knowledgeId, generation);
    return true;
  }
  const alike = partsOfOneSize(manifest.parts);
  if (!alike) return false;
  return putTogether(deps, knowledgeId, alike, gone, token);
}

const isCurrent = ({ ready, words_version }: WordPart): boolean => ready && words_version === WORDS_VERSION;

/**
 * Removes what a process left that had the lock and died: a part that never became ready, and objects of parts that were
 * replaced. So too parts of an older version of the words, which no search uses.
 */
async function tidy({ db }: CompactDeps, knowledgeId: string, parts: readonly WordPart[]): Promise<void> {
  for (const part of parts.filter(isShared)) {
    if (!part.ready || part.words_version < WORDS_VERSION) {
      await db.objects.removeAll(part.object);
      await removePart(db, knowledgeId, part);
    } else if (part.leftovers.length > 0) await removeLeftovers(db, knowledgeId, part);
  }
}

async function removeLeftovers(db: Db, knowledgeId: string, part: WordPart): Promise<void> {
  await Promise.all(part.leftovers.map((object) => db.objects.removeAll(object)));
  await clearLeftovers(db, knowledgeId, part);
}

/** The smallest parts first: they come oftenest. */
function partsOfOneSize(parts: readonly WordPart[]): WordPart[] | undefined {
  const sizes = new Map<number, WordPart[]>();
  for (const part of parts) {
    if (!isCurrent(part) || part.chunks >= MAX_CHUNKS) continue;
    const size = Math.floor(Math.log(Math.max(1, part.chunks)) / Math.log(PARTS_OF_A_SIZE));
    sizes.set(size, [...(sizes.get(size) ?? []), part]);
  }
  const [smallest] = [...sizes]
    .filter(([, alike]) => alike.length >= PARTS_OF_A_SIZE)
    .sort(([a], [b]) => a - b);
  return smallest?.[1].slice(0, MOST_AT_ONCE);
}

/**
 * Puts parts together, without the generations that are to leave and those that no record knows any more.
 *
 * @returns false where the lock is lost; true also where one of the parts changed meanwhile, and nothing was done
 */
async function putTogether(
  deps: CompactDeps,
  knowledgeId: string,
  parts: readonly WordPart[],
  gone: readonly string[],
  token: string,
): Promise<boolean> {
  const { db } = deps;
  const opened = await openAll(deps, parts);
  if (!opened) return true;
  const wanted = await wantedOf(db, knowledgeId, opened, gone);
  const bytes = mergeParts(opened, wanted);
  const chunks = opened.reduce((sum, part) => sum + keptChunks(part, wanted), 0);
  const part = bytes && planPart(knowledgeId, { name: sharedName(newId()), bytes, chunks });
  if (part) {
    await putPart(db, knowledgeId, part);
    await putPartObject(db, part, bytes);
  }
  const leftovers = parts.map(({ object }) => object);
  const by = part && { ...part, ready: true, leftovers };
  if (!(await replaceParts(db, knowledgeId, parts, by, token))) {
    if (part) {
      await db.objects.removeAll(part.object);
      await removePart(db, knowledgeId, part);
    }
    return lock(deps, knowledgeId, token);
  }
  if (by) await removeLeftovers(db, knowledgeId, by);
  else await Promise.all(leftovers.map((object) => db.objects.removeAll(object)));
  return true;
}

async function openAll({ load }: CompactDeps, parts: readonly WordPart[]): Promise<Part[] | undefined> {
  try {
    return await Promise.all(parts.map(({ object }) => load(object)));
  } catch (error) {
    // Its content was removed in the meantime.
    if (error instanceof PartMissing) return undefined;
    throw error;
  }
}

/** A generation is written after it is recorded as a draft, so one that no record knows was written by a dead worker. */
async function wantedOf(
  db: Db,
  knowledgeId: string,
  parts: readonly Part[],
  gone: readonly string[],
): Promise<(content: PartContent) => boolean> {
  const ids = parts.flatMap(({ contents }) => contents.map(({ id }) => id));
  const records = await getContents(db, knowledgeId, ids);
  return ({ id, hash }) => {
    const record = records.get(id);
    const isKnown = record?.live?.hash === hash || record?.draft?.hash === hash;
    return isKnown && !gone.includes(generationName(id, hash));
  };
}

function keptChunks(part: Part, wanted: (content: PartContent) => boolean): number {
  const kept = part.contents.map(wanted);
  return part.contentOf.reduce((sum, place) => sum + (kept[place] ? 1 : 0), 0);
}
