import { indexKeys } from "../listing/index-keys.ts";
import type { Listed, Listing } from "../listing/listing.ts";
import type { StoredSchedule } from "./schedule-item.ts";

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
