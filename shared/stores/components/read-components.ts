import type { ComponentRecord } from "../../schemas/components/component-record.ts";
import { fitsKey } from "../../schemas/values/key-text.ts";
import { batchGet } from "../batch-get.ts";
import type { Db } from "../db.ts";
import { componentFrom } from "./component-item.ts";
import { componentKey } from "./component-keys.ts";

/**
 * Reads components by id, in the order of the ids, each once. Ids that do not exist are left out, and so are those that
 * no key can hold: configs may name anything.
 */
export async function readComponents(db: Db, ids: readonly string[]): Promise<ComponentRecord[]> {
  const distinct = [...new Set(ids)].filter(fitsKey);
  const items = await batchGet(db, db.tables.components, distinct.map(componentKey));
  const byId = new Map(items.map((item) => [item.component_id, componentFrom(item)]));
  return distinct.flatMap((id) => byId.get(id) ?? []);
}
