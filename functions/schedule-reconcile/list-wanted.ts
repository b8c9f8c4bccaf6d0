import { entryNames } from "../../shared/scheduler/plan-entries.ts";
import type { Db } from "../../shared/stores/db.ts";
import { allPartitions } from "../../shared/stores/listing/index-keys.ts";
import { listedRows } from "../../shared/stores/listing/listed-rows.ts";
import { scheduleListing } from "../../shared/stores/schedules/schedule-item.ts";

/** Names of the entries that the scheduler should have, each with the id of its schedule. */
export async function listWanted(db: Db): Promise<Map<string, string>> {
  const wanted = new Map<string, string>();
  for (const partition of allPartitions()) {
    for await (const row of listedRows(db, scheduleListing, partition, { forward: true })) {
      if (!row.enabled) continue;
      for (const name of entryNames(row)) wanted.set(name, row.id);
    }
  }
  return wanted;
}
