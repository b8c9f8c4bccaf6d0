import type { ScheduleTarget } from "../../schemas/schedules/schedule.ts";

/** A schedule and its runs. */
export const schedulePartition = (id: string): string => `schedule#${id}`;

export const scheduleKey = (id: string) => ({ pk: schedulePartition(id), sk: "schedule" });

/** Names are unique for each owner; what belongs to nobody is a bucket of its own. */
export const nameKey = (owner: string | null, name: string) => ({
  pk: `name#${encodeURIComponent(owner ?? "")}#${name}`,
  sk: "name",
});

export const targetPartition = ({ type, id }: ScheduleTarget): string => `target#${type}#${id}`;

/** One for each component that a schedule is aimed at, so that archiving one finds them without a lagging index. */
export const targetKey = (target: ScheduleTarget, scheduleId: string) => ({
  pk: targetPartition(target),
  sk: `schedule#${scheduleId}`,
});

export const REMOVED = "removed";

/** What is removed, the longest ago first. @param removedAt epoch seconds */
export const removalKey = (removedAt: number, id: string) => ({
  pk: REMOVED,
  sk: `${String(removedAt).padStart(12, "0")}#${id}`,
});
