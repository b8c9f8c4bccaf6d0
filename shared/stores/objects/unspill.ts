import type { Db } from "../db.ts";
import { getObject } from "./get-object.ts";
import { unpackJson } from "./packed.ts";
import type { Large, Spilled } from "./spilled.ts";

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
