import * as v from "valibot";
import {
  anyOf,
  below,
  checkItem,
  type Delete,
  deleteItem,
  type Item,
  isNew,
  putItem,
  transact,
  updateItem,
  write,
  writeAndReplace,
} from "../../data/index.ts";
import { type Db, queryPages } from "../db.ts";

/** Version of the stored shape; raised with every change of it. */
export const WORD_PART_SHAPE = 1;

/** One part of the index of a base's words: an object that never changes, and this row that makes it count. */
export const WordPart = v.object({
  name: v.string(),
  /** Key of the object. */
  object: v.string(),
  chunks: v.number(),
  bytes: v.number(),
  /** Its words' version: `WORDS_VERSION`. */
  words_version: v.number(),
  /** False while its object is being written: searches pass it over. */
  ready: v.boolean(),
  /** Objects of the parts that it replaced and that are still to be deleted. */
  leftovers: v.array(v.string()),
});
export type WordPart = v.InferOutput<typeof WordPart>;

/** The index of a base's words: its parts, and the generations of contents that are to leave them. */
export type WordManifest = {
  readonly parts: readonly WordPart[];
  /** `<content id>_<hash>` */
  readonly gone: readonly string[];
};

const pkOf = (knowledgeId: string): string => `words#${knowledgeId}`;
const partKey = (knowledgeId: string, name: string) => ({ pk: pkOf(knowledgeId), sk: `part#${name}` });
const goneKey = (knowledgeId: string, generation: string) => ({
  pk: pkOf(knowledgeId),
  sk: `gone#${generation}`,
});
const lockKey = (knowledgeId: string) => ({ pk: pkOf(knowledgeId), sk: "lock" });

/** Prefix of the objects of the parts whose names begin with some letters. */
export const wordObjects = (knowledgeId: string, names: string): string => `words/${knowledgeId}/${names}`;

/** Names of parts with chunks of several batches begin with this; others with their generation. */
const SHARED_PART = "shared-";
export const sharedName = (unique: string): string => `${SHARED_PART}${unique}`;
export const isShared = ({ name }: Pick<WordPart, "name">): boolean => name.startsWith(SHARED_PART);

/** A generation of a content, as rows name it. */
export const generationName = (contentId: string, hash: string): string => `${contentId}_${hash}`;

/** @param prefix  only parts whose names begin with it */
export async function readManifest(db: Db, knowledgeId: string, prefix?: string): Promise<WordManifest> {
  const parts: WordPart[] = [];
  const gone: string[] = [];
  const pages = queryPages(db, {
    TableName: db.tables.chunks,
    KeyConditionExpression: prefix === undefined ? "pk = :pk" : "pk = :pk AND begins_with(sk, :prefix)",
    ExpressionAttributeValues: {
      ":pk": pkOf(knowledgeId),
      ...(prefix !== undefined && { ":prefix": `part#${prefix}` }),
    },
    ConsistentRead: true,
  });
  for await (const { Items = [] } of pages) {
    for (const item of Items) {
      const sk = String(item.sk);
      if (sk.startsWith("part#")) parts.push(v.parse(WordPart, item));
      if (sk.startsWith("gone#")) gone.push(sk.slice("gone#".length));
    }
  }
  return { parts, gone };
}

/** @returns the part of that name that it replaced */
export async function putPart(db: Db, knowledgeId: string, part: WordPart): Promise<WordPart | undefined> {
  const put = putItem("chunks", partItem(knowledgeId, part));
  const result = await writeAndReplace(db, put);
  return result.written && result.replaced ? v.parse(WordPart, result.replaced) : undefined;
}

const partItem = (knowledgeId: string, part: WordPart): Item => ({
  ...partKey(knowledgeId, part.name),
  ...part,
  shape: WORD_PART_SHAPE,
});

/** Searches use a part from now on, or pass it over. @returns false where the part is another one by now, or gone */
export const setReady = (db: Db, knowledgeId: string, part: WordPart, ready: boolean): Promise<boolean> =>
  updateIfSame(db, knowledgeId, part, { ready });

/** Records that the leftovers of a part are deleted. */
export const clearLeftovers = (db: Db, knowledgeId: string, part: WordPart): Promise<boolean> =>
  updateIfSame(db, knowledgeId, part, { leftovers: [] });

async function updateIfSame(
  db: Db,
  knowledgeId: string,
  { name, object }: WordPart,
  set: Partial<WordPart>,
): Promise<boolean> {
  const update = updateItem("chunks", partKey(knowledgeId, name), { set, guard: { object } });
  return (await write(db, update)).written;
}

/** @returns false where it was another one, or gone */
export const removePart = async (db: Db, knowledgeId: string, part: WordPart): Promise<boolean> =>
  (await write(db, deletePart(knowledgeId, part))).written;

const deletePart = (knowledgeId: string, { name, object }: WordPart): Delete =>
  deleteItem("chunks", partKey(knowledgeId, name), { object });

/**
 * Puts a part, whose object is written, in the place of others, all at once.
 *
 * @param by     undefined where nothing is left of the others
 * @param token  of the lock, which must still be held
 * @returns      false where the lock is lost or one of the others was changed or removed; then nothing changed
 */
export async function replaceParts(
  db: Db,
  knowledgeId: string,
  others: readonly WordPart[],
  by: WordPart | undefined,
  token: string,
): Promise<boolean> {
  const { written } = await transact(db, {
    lock: checkItem("chunks", lockKey(knowledgeId), { token }),
    others: others.map((part) => deletePart(knowledgeId, part)),
    part: by && putItem("chunks", partItem(knowledgeId, by)),
  });
  return written;
}

/** Records that a generation of a content is to leave the parts that it shares with others. */
export async function putGone(db: Db, knowledgeId: string, generation: string): Promise<void> {
  await write(db, putItem("chunks", { ...goneKey(knowledgeId, generation), shape: WORD_PART_SHAPE }));
}

export async function removeGone(db: Db, knowledgeId: string, generation: string): Promise<void> {
  await write(db, deleteItem("chunks", goneKey(knowledgeId, generation)));
}

/** One process at a time puts parts together. A lock that is not released expires. @param now epoch seconds */
export async function takeLock(
  db: Db,
  knowledgeId: string,
  token: string,
  now: number,
  seconds: number,
): Promise<boolean> {
  const item = { ...lockKey(knowledgeId), token, until: now + seconds, shape: WORD_PART_SHAPE };
  const guard = anyOf(isNew, { until: below(now) }, { token });
  return (await write(db, putItem("chunks", item, guard))).written;
}

export const releaseLock = async (db: Db, knowledgeId: string, token: string): Promise<boolean> =>
  (await write(db, deleteItem("chunks", lockKey(knowledgeId), { token }))).written;
