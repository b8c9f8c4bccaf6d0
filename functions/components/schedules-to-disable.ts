import type { ComponentRecord } from "../../shared/schemas/component-record.ts";
import type { Db } from "../../shared/stores/db.ts";
import type { Write } from "../../shared/stores/transact.ts";

export async function schedulesToDisable(
  _db: Db,
  _component: ComponentRecord,
  _now: number,
): Promise<Write[]> {
  return [];
}
