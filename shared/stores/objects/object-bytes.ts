import { createHash } from "node:crypto";
import { ServiceError } from "../../errors.ts";
import type { ObjectPointer } from "../../schemas/values/object-pointer.ts";
import type { Db } from "../db.ts";

/**
 * Stores bytes as an object under its content address. It must be written before the item that points to it, because
 * an object cannot be part of a transaction: so a pointer without its object never exists, and an object without a
 * pointer only takes room until its prefix is removed.
 *
 * @param prefix  with which the object is removed; see `object-prefix.ts`
 */
export async function putObject(db: Db, prefix: string, bytes: Uint8Array): Promise<ObjectPointer> {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const key = `${prefix}${sha256}`;
  await db.objects.put(key, bytes, sha256);
  return { key, sha256, bytes: bytes.length };
}

/**
 * The bytes behind a pointer.
 *
 * @throws ServiceError INTERNAL_SERVER_ERROR when they are missing or damaged
 */
export async function getObject(db: Db, pointer: ObjectPointer): Promise<Uint8Array> {
  const bytes = await db.objects.get(pointer.key);
  if (!bytes) throw damagedObject(`${pointer.key} is missing`);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  if (sha256 !== pointer.sha256) throw damagedObject(`${pointer.key} has the checksum ${sha256}`);
  return bytes;
}

/** The message for the reader of a stored part. @param cause for the log */
const damagedObject = (cause: string): ServiceError =>
  new ServiceError("INTERNAL_SERVER_ERROR", "A stored part of this record is missing or damaged", {
    cause: new Error(cause),
  });

/** Bytes of a block: few requests for a large object, and little memory. */
export const BLOCK_BYTES = 4_000_000;

/**
 * The bytes behind a pointer, block by block. Each block is a request of its own, so the reader may take its time.
 *
 * @throws ServiceError INTERNAL_SERVER_ERROR when they are missing or damaged; the latter is known only at the end
 */
export async function* objectBlocks(
  db: Pick<Db, "objects">,
  { key, sha256, bytes }: ObjectPointer,
): AsyncGenerator<Uint8Array, undefined> {
  const hash = createHash("sha256");
  for (let from = 0; from < bytes; from += BLOCK_BYTES) {
    const block = await db.objects.getRange(key, from, Math.min(BLOCK_BYTES, bytes - from));
    if (!block) throw damagedObject(`${key} is missing, or ends before byte ${from}`);
    hash.update(block);
    yield block;
  }
  const digest = hash.digest("hex");
  if (digest !== sha256) throw damagedObject(`${key} has the checksum ${digest}`);
  return undefined;
}

/**
 * Copies an object that a client may still overwrite to one that no client does, and reads it once for its checksum.
 *
 * @returns undefined when there is no such object
 */
export async function copiedObject(
  db: Pick<Db, "objects">,
  from: string,
  key: string,
): Promise<ObjectPointer | undefined> {
  const bytes = await db.objects.copy(from, key);
  if (bytes === undefined) return undefined;
  const hash = createHash("sha256");
  for (let at = 0; at < bytes; at += BLOCK_BYTES) {
    const block = await db.objects.getRange(key, at, Math.min(BLOCK_BYTES, bytes - at));
    if (!block) throw damagedObject(`${key} ends before byte ${at}`);
    hash.update(block);
  }
  return { key, sha256: hash.digest("hex"), bytes };
}
