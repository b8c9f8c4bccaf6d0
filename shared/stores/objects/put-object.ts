import { createHash } from "node:crypto";
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
