import type { Item } from "../../data/item.ts";
import { batchGet } from "../batch-get.ts";
import type { Db } from "../db.ts";
import { ownerKey, tallyKeys } from "./content-item.ts";
import type { Visibility } from "./visibility.ts";

/** Contents are counted by owner, with the shared ones as one, and for all of a base. */
export const ALL_OWNERS = "all";

/** How many contents a user sees, by counters that every write updates. */
export async function countContents(db: Db, visibility: Visibility): Promise<number> {
  const items = await talliesOf(db, visibility);
  return items.reduce((sum, { contents }) => sum + Number(contents ?? 0), 0);
}

/** Keys of the metadata of the contents that a user sees, sorted. */
export async function metadataKeys(db: Db, visibility: Visibility): Promise<string[]> {
  const items = await talliesOf(db, visibility);
  const used = items.flatMap((item) =>
    Object.entries(item).flatMap(([name, n]) =>
      name.startsWith("key#") && Number(n) > 0 ? [name.slice(4)] : [],
    ),
  );
  return [...new Set(used)].sort();
}

function talliesOf(db: Db, { knowledge_id, owner }: Visibility): Promise<Item[]> {
  const counted =
    owner === undefined
      ? [`${knowledge_id}#${ALL_OWNERS}`]
      : [...new Set([ownerKey(knowledge_id, owner), ownerKey(knowledge_id, null)])];
  return batchGet(db, db.tables.knowledge, counted.flatMap(tallyKeys));
}
