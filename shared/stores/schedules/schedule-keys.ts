import type { ScheduleTarget } from "../../schemas/schedules/schedule.ts";

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
