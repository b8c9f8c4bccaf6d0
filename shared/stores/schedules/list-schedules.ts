import { GetCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../db.ts";
import { allPartitions, ownerPartition } from "../index-keys.ts";
import { countListed } from "../listing/count-listed.ts";
import { rowsByCreation } from "../listing/listed-rows.ts";
import { nameKey, readSchedules, type StoredSchedule, scheduleListing } from "./schedule-item.ts";

export type SchedulesQuery = {
  /** Whose schedules; undefined for everybody's. */
  readonly owner: string | undefined;
  readonly enabled: boolean | undefined;
  /** Counted from 1. */
  readonly page: number;
  readonly limit: number;
};

export type SchedulesFound = { readonly schedules: StoredSchedule[]; readonly total: number };

/**
 * One page of schedules, the newest first, and the exact number of all that match. Reads the index up to the page's end
 * and the schedules of the page, however many there are.
 *
 * @param now  epoch seconds
 */
export async function listSchedules(db: Db, query: SchedulesQuery, now: number): Promise<SchedulesFound> {
  const { owner, enabled, page, limit } = query;
  const partitions = owner === undefined ? allPartitions() : [ownerPartition(owner)];
  const counts = await Promise.all(
    partitions.map((partition) => countListed(db, scheduleListing, partition, now)),
  );
  const total = counts
    .flatMap((of) => Object.entries(of))
    .filter(([key]) => enabled === undefined || key === String(enabled))
    .reduce((sum, [, count]) => sum + count, 0);
  const offset = (page - 1) * limit;
  if (offset >= total) return { schedules: [], total };
  const rows = await rowsByCreation(db, scheduleListing, partitions, {
    forward: false,
    need: offset + limit,
    counted: total,
    matches: (row) => enabled === undefined || row.enabled === enabled,
  });
  const ids = rows.slice(offset).map(({ id }) => id);
  return { schedules: await readSchedules(db, ids), total: Math.max(total, rows.length) };
}

/** Whether another schedule of the same owner has the name now. */
export async function isNameTaken(
  db: Db,
  { id, user_id, name }: Pick<StoredSchedule, "id" | "user_id" | "name">,
): Promise<boolean> {
  const Key = nameKey(user_id, name);
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.schedules, Key, ConsistentRead: true }),
  );
  return Item !== undefined && Item.schedule_id !== id;
}
