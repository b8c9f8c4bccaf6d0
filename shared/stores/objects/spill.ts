import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from "node:zlib";
import * as v from "valibot";
import { ObjectPointer } from "../../schemas/values/object-pointer.ts";
import type { Db } from "../db.ts";
import { getObject, putObject } from "./object-bytes.ts";

/** JSON of a record's fields up to this many bytes stays in its item as it is. DynamoDB allows 400 KB an item. */
const MAX_PLAIN_BYTES = 100_000;
/** One packed field up to this size stays in the item: a record has few large ones. */
const MAX_PACKED_FIELD_BYTES = 16_000;
/** The same for bytes that are the only large attribute of their item. */
const MAX_PACKED_BYTES = 64_000;

/** Leaves bytes in their item, or writes them as an object if they are too many. */
export async function spillBytes(
  db: Db,
  prefix: string,
  bytes: Uint8Array,
  most = MAX_PACKED_BYTES,
): Promise<Spilled> {
  return bytes.length <= most ? new Uint8Array(bytes) : putObject(db, prefix, bytes);
}

export type Fitted<R> = {
  /** The fields that stay as they are. */
  readonly plain: Partial<R>;
  /** The others. Undefined when the record fits as it is. */
  readonly large: Large | undefined;
};

/**
 * Makes a record fit into an item: its largest fields are packed, and become objects where that is not enough.
 *
 *   record ≤ 100 KB ─▶ as it is
 *   else the largest fields, until the rest is ─▶ packed ≤ 16 KB ─▶ in the item
 *                                                 else           ─▶ object, written now; its pointer in the item
 *
 * @param packed  which fields are packed in any case
 */
export async function spillFields<R extends object>(
  db: Db,
  prefix: string,
  record: R,
  packed: (name: string, value: unknown) => boolean = () => false,
): Promise<Fitted<R>> {
  const sizes = Object.entries(record).map(([name, value]) => ({ name, value, bytes: sizeOf(value) }));
  let total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  const spilled = new Map<string, Promise<Spilled>>();
  for (const { name, value, bytes } of sizes.sort((a, b) => b.bytes - a.bytes)) {
    if (total <= MAX_PLAIN_BYTES && !packed(name, value)) continue;
    spilled.set(name, spillField(db, prefix, value));
    total -= bytes;
  }
  if (spilled.size === 0) return { plain: record, large: undefined };
  const large = await Promise.all([...spilled].map(async ([name, field]) => [name, await field] as const));
  const plain = Object.entries(record).filter(([name]) => !spilled.has(name));
  // Fields of the record itself; `Object.fromEntries` loses their types.
  return { plain: Object.fromEntries(plain) as Partial<R>, large: Object.fromEntries(large) };
}

const spillField = async (db: Db, prefix: string, value: unknown): Promise<Spilled> =>
  spillBytes(db, prefix, await packJson(value), MAX_PACKED_FIELD_BYTES);

const sizeOf = (value: unknown): number =>
  value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value));

/** The bytes in an item or behind its pointer. @throws ServiceError when their object is missing or damaged */
export const unspillBytes = async (db: Db, spilled: Spilled): Promise<Uint8Array> =>
  spilled instanceof Uint8Array ? spilled : getObject(db, spilled);

/**
 * Puts back the fields that were taken out of a record.
 *
 * @param only  the fields that are needed; all when absent
 * @throws ServiceError when an object is missing or damaged
 */
export async function unspillFields<R extends object>(
  db: Db,
  record: R,
  large: Large | undefined,
  only?: readonly (keyof R)[],
): Promise<R> {
  const wanted = Object.entries(large ?? {}).filter(([name]) => !only || only.includes(name as keyof R));
  const fields = await Promise.all(
    wanted.map(async ([name, field]) => [name, await unpackJson(await unspillBytes(db, field))] as const),
  );
  return { ...record, ...Object.fromEntries(fields) };
}

/** Bytes in an item, or a pointer to an object if they would make the item too large. */
export const Spilled = v.union([v.instance(Uint8Array), ObjectPointer]);
export type Spilled = v.InferOutput<typeof Spilled>;

/** Fields that were taken out of a record, packed, by their names. */
export const Large = v.record(v.string(), Spilled);
export type Large = v.InferOutput<typeof Large>;

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** 5 MB take 100 ms, which would block other runs of the process; a small value is packed before a thread starts. */
const WORTH_A_THREAD_BYTES = 256_000;

/** A value as packed JSON. */
export async function packJson(value: unknown): Promise<Uint8Array<ArrayBuffer>> {
  const text = Buffer.from(JSON.stringify(value));
  return new Uint8Array(text.length > WORTH_A_THREAD_BYTES ? await deflate(text) : deflateRawSync(text));
}

/** @returns the value; its type is what was packed under this name */
export async function unpackJson<Value>(packed: Uint8Array): Promise<Value> {
  const text = packed.length > WORTH_A_THREAD_BYTES ? await inflate(packed) : inflateRawSync(packed);
  return JSON.parse(text.toString("utf8"));
}

/**
 * Prefix of all objects of a session: its media, and values of its runs that are too large for an item. A value that
 * several runs of a session share is one object; all are removed with the session.
 */
export const sessionObjects = (owner: string | null, sessionId: string): string =>
  `sessions/${partOf(owner)}/${partOf(sessionId)}/`;

/** The name of an object within its prefix. */
export const objectName = (key: string): string => key.slice(key.lastIndexOf("/") + 1);

/** A key may have 1,024 bytes. */
const MAX_PART_CHARS = 200;

/** Encoded so that no id leads into another's prefix; `-` is for no owner, and every other part begins with a mark. */
function partOf(id: string | null): string {
  if (id === null) return "-";
  const encoded = `=${encodeURIComponent(id)}`;
  if (encoded.length <= MAX_PART_CHARS) return encoded;
  return `#${createHash("sha256").update(id).digest("hex")}`;
}

/** Prefix of the objects of one revision of a content: the uploaded bytes. */
export const knowledgeObjects = (knowledgeId: string, contentId: string, revision: number): string =>
  `knowledge/${knowledgeId}/${contentId}/${revision}/`;

/** Where clients upload large files themselves; files that are not added expire after a day. */
export const UPLOADS_PREFIX = "uploads/";
