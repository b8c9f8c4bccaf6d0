import { batchGet } from "../batch-get.ts";
import type { Db } from "../db.ts";
import type { Item } from "../transact.ts";
import { ownerKey, tallyKeys } from "./content-item.ts";
import type { Visibility } from "./visibility.ts";

/** Whose contents are counted together: those of one owner, the shared ones, and all of a base. */
export const ALL_OWNERS = "all";

/** How many contents somebody sees, by counters that move with every write. */
export async function countContents(db: Db, sight: Visibility): Promise<number> {
  const items = await talliesOf(db, sight);
  return items.reduce((sum, { contents }) => sum + Number(contents ?? 0), 0);
}

/** Keys of the metadata of the contents that somebody sees, in their order. */
export async function metadataKeys(db: Db, sight: Visibility): Promise<string[]> {
  const items = await talliesOf(db, sight);
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
