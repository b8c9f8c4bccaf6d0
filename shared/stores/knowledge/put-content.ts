import { isDeepStrictEqual } from "node:util";
import {
  deleteItem,
  type Guard,
  type Item,
  isNew,
  transact,
  updateItem,
  type Write,
  write,
} from "../../data/index.ts";
import type { StoredContent } from "../../schemas/knowledge/knowledge-content.ts";
import { batchGet } from "../batch-get.ts";
import type { Db } from "../db.ts";
import {
  contentAttributes,
  contentFrom,
  contentKey,
  ownerKey,
  tallyKey,
  tallyKeys,
  type Visibility,
} from "./content-item.ts";

/** A lost race is a result: it carries the content that was seen instead. */
export type ContentWritten =
  | { readonly written: true; readonly content: StoredContent }
  | { readonly written: false; readonly seen: StoredContent | undefined };

/**
 * Writes what differs between two states of a content, unless it was written since the first was read. Counters of
 * contents and of their metadata's keys are updated in the same transaction.
 *
 * @param before  undefined for a new content
 * @param guard   further conditions
 */
export async function putContent(
  db: Db,
  before: StoredContent | undefined,
  after: StoredContent,
  guard: Guard = [],
): Promise<ContentWritten> {
  const content = { ...after, version: (before?.version ?? 0) + 1 };
  const result = await transact(db, {
    content: updateOf(before, content, guard),
    tallies: talliesOf(before, content),
  });
  if (result.written) return { written: true, content };
  return { written: false, seen: result.seen && contentFrom(result.seen) };
}

function updateOf(before: StoredContent | undefined, content: StoredContent, guard: Guard): Write {
  const was = before ? contentAttributes(before) : {};
  const is = contentAttributes(content);
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  const changed = names.filter((name) => !isDeepStrictEqual(was[name], is[name]));
  return updateItem("knowledge", contentKey(content), {
    set: Object.fromEntries(changed.map((name) => [name, is[name]])),
    guard: [before ? { version: before.version } : isNew, guard],
  });
}

/** What a content adds to the counters: itself, and each key of its metadata. */
function counted(content: StoredContent | undefined): ReadonlyMap<string, number> {
  if (!content || content.removed) return new Map();
  return new Map([
    ["contents", 1],
    ...Object.keys(content.metadata ?? {}).map((key) => [`key#${key}`, 1] as const),
  ]);
}

/** The writes that update the counters, if they change: of its owner's contents, and of all in the base. */
function talliesOf(before: StoredContent | undefined, after: StoredContent): Write[] {
  const [was, is] = [counted(before), counted(after)];
  const moved: [string, number][] = [...new Set([...was.keys(), ...is.keys()])]
    .map((name): [string, number] => [name, (is.get(name) ?? 0) - (was.get(name) ?? 0)])
    .filter(([, by]) => by !== 0);
  if (moved.length === 0) return [];
  const { knowledge_id, owner, id } = after;
  return [ownerKey(knowledge_id, owner), `${knowledge_id}#${ALL_OWNERS}`].map((whose) =>
    updateItem("knowledge", tallyKey(whose, id), { add: Object.fromEntries(moved) }),
  );
}

/**
 * Changes a content and retries after lost races.
 *
 * @param plan  called again after a lost race, with the content that was seen instead; undefined leaves it as it is
 * @returns     the content as it is then; undefined if it is gone
 */
export async function changeContent(
  db: Db,
  before: StoredContent,
  plan: (seen: StoredContent) => StoredContent | undefined,
): Promise<StoredContent | undefined> {
  let seen: StoredContent | undefined = before;
  while (seen) {
    const planned = plan(seen);
    if (!planned) return seen;
    const written = await putContent(db, seen, planned);
    if (written.written) return written.content;
    seen = written.seen;
  }
  return undefined;
}

/** Deletes the record of a content whose chunks are deleted. @returns false when it has been written since */
export async function purgeContent(db: Db, content: StoredContent): Promise<boolean> {
  const { version } = content;
  return (await write(db, deleteItem("knowledge", contentKey(content), { version }))).written;
}

/** Contents are counted by owner, with the shared ones as one, and for all of a base. */
const ALL_OWNERS = "all";

/** How many contents a user sees, by counters that every write updates. */
export async function countContents(db: Db, visibility: Visibility): Promise<number> {
  const items = await readTallies(db, visibility);
  return items.reduce((sum, { contents }) => sum + Number(contents ?? 0), 0);
}

/** Keys of the metadata of the contents that a user sees, sorted. */
export async function metadataKeys(db: Db, visibility: Visibility): Promise<string[]> {
  const items = await readTallies(db, visibility);
  const used = items.flatMap((item) =>
    Object.entries(item).flatMap(([name, n]) =>
      name.startsWith("key#") && Number(n) > 0 ? [name.slice(4)] : [],
    ),
  );
  return [...new Set(used)].sort();
}

function readTallies(db: Db, { knowledge_id, owner }: Visibility): Promise<Item[]> {
  const counted =
    owner === undefined
      ? [`${knowledge_id}#${ALL_OWNERS}`]
      : [...new Set([ownerKey(knowledge_id, owner), ownerKey(knowledge_id, null)])];
  return batchGet(db, db.tables.knowledge, counted.flatMap(tallyKeys));
}
