import { createHash } from "node:crypto";
import { ServiceError } from "../../errors.ts";
import type { ObjectPointer } from "../../schemas/values/object-pointer.ts";
import type { Db } from "../db.ts";

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
export const damagedObject = (cause: string): ServiceError =>
  new ServiceError("INTERNAL_SERVER_ERROR", "A stored part of this record is missing or damaged", {
    cause: new Error(cause),
  });
