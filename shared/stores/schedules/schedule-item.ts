import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import type { Item } from "../../data/index.ts";
import { Schedule, type ScheduleTarget } from "../../schemas/schedules/schedule.ts";
import { batchGet } from "../batch-get.ts";
import type { Db } from "../db.ts";
import { indexKeys } from "../index-keys.ts";
import type { Listed, Listing } from "../listing/listing.ts";

/** Version of the stored shape; raised with every change of it. */
export const SCHEDULE_SHAPE = 1;

/** A schedule as it is stored. */
export const StoredSchedule = v.object({
  ...Schedule.entries,
  /**
   * Identifies the times at which it fires. Changed times, and enabling, are another plan: the scheduler's entries carry
   * its id, so that those of an older plan can be distinguished from those of this one.
   */
  plan_id: v.string(),
  /** How many entries the plan has at the scheduler. */
  entries: v.number(),
  /** Raised by every write, so that a write can depend on what was read. */
  version: v.number(),
});
export type StoredSchedule = v.InferOutput<typeof StoredSchedule>;

export const scheduleItem = (schedule: StoredSchedule): Item => ({
  ...scheduleKey(schedule.id),
  ...schedule,
  ...indexKeys(schedule),
  shape: SCHEDULE_SHAPE,
});

const scheduleFrom = (item: Item): StoredSchedule => v.parse(StoredSchedule, item);

/** A schedule and its runs. */
export const schedulePartition = (id: string): string => `schedule#${id}`;

export const scheduleKey = (id: string) => ({ pk: schedulePartition(id), sk: "schedule" });

/** Names are unique for each owner; schedules without an owner share one namespace. */
export const nameKey = (owner: string | null, name: string) => ({
  pk: `name#${encodeURIComponent(owner ?? "")}#${name}`,
  sk: "name",
});

export const targetPartition = ({ type, id }: ScheduleTarget): string => `target#${type}#${id}`;

/** One item for each target of a schedule, so that archiving a component finds them without a lagging index. */
export const targetKey = (target: ScheduleTarget, scheduleId: string) => ({
  pk: targetPartition(target),
  sk: `schedule#${scheduleId}`,
});

export const REMOVED = "removed";

/** Sorts removed schedules, the longest ago first. @param removedAt epoch seconds */
export const removalKey = (removedAt: number, id: string) => ({
  pk: REMOVED,
  sk: `${String(removedAt).padStart(12, "0")}#${id}`,
});

/** What an index carries of a schedule. */
export type ScheduleRow = Listed &
  Pick<StoredSchedule, "id" | "user_id" | "enabled" | "created_at" | "plan_id" | "entries">;

/** Schedules are counted by whether they are enabled. */
export const scheduleListing: Listing<StoredSchedule, ScheduleRow> = {
  table: "schedules",
  plural: "schedules",
  placeOf: indexKeys,
  countKey: ({ enabled }) => String(enabled),
};

/** Reads schedules by id, in the order of the ids. Missing ones are left out. */
export async function readSchedules(db: Db, ids: readonly string[]): Promise<StoredSchedule[]> {
  const items = await batchGet(db, db.tables.schedules, ids.map(scheduleKey));
  const byId = new Map(items.map((item) => [item.id, scheduleFrom(item)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

export async function getSchedule(db: Db, id: string): Promise<StoredSchedule | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.schedules, Key: scheduleKey(id), ConsistentRead: true }),
  );
  return Item && scheduleFrom(Item);
}
