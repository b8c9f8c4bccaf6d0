import * as v from "valibot";
import { asSeen, type Key, updateItem, write } from "../../../data/index.ts";
import type { Db } from "../../db.ts";
import { Spilled } from "../../objects/spill.ts";

/** An object that its item points to no more, and that is still to be removed. */
const Stale = v.object({ stale: v.optional(v.string()) });

/**
 * Replaces what an item holds packed, so that nothing is left of what it held: the object of that is removed too. After a crash
 * the next call removes what this one has left.
 *
 * @param item  as it was read, with its key
 * @param next  built only once the leftovers of an earlier call are removed
 * @returns     undefined where the item was changed since it was read
 */
export async function replacePacked(
  db: Db,
  item: Readonly<Record<string, unknown>> & Key,
  attribute: string,
  next: () => Promise<Spilled>,
): Promise<true | undefined> {
  const key = { pk: item.pk, sk: item.sk };
  await removeStale(db, item);
  const before = v.parse(Spilled, item[attribute]);
  const stale = before instanceof Uint8Array ? undefined : before.key;
  const replaced = updateItem("evals", key, {
    set: { [attribute]: await next(), stale },
    guard: { [attribute]: asSeen(before) },
  });
  if (!(await write(db, replaced)).written) return undefined;
  await removeStale(db, { ...key, stale });
  return true;
}

/** Removes the object that an earlier replacement has left. */
export async function removeStale(db: Db, item: Readonly<Record<string, unknown>> & Key): Promise<void> {
  const { stale } = v.parse(Stale, item);
  if (stale === undefined) return;
  await db.objects.removeAll(stale);
  await write(db, updateItem("evals", { pk: item.pk, sk: item.sk }, { remove: ["stale"], guard: { stale } }));
}
