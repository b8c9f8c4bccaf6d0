import * as v from "valibot";
import type { Item } from "../../data/item.ts";
import { Schedule } from "../../schemas/schedules/schedule.ts";
import { indexKeys } from "../listing/index-keys.ts";
import { scheduleKey } from "./schedule-keys.ts";

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

export const scheduleFrom = (item: Item): StoredSchedule => v.parse(StoredSchedule, item);
