import type { ScheduleTarget } from "../../schemas/schedule.ts";

export const scheduleKey = (id: string) => ({ pk: `schedule#${id}`, sk: "schedule" });

/** Names are unique for each owner; what belongs to nobody is a bucket of its own. */
export const nameKey = (owner: string | null, name: string) => ({
  pk: `name#${encodeURIComponent(owner ?? "")}#${name}`,
  sk: "name",
});

/** One for each component that a schedule is aimed at, so that archiving one finds them without a lagging index. */
export const targetKey = (target: ScheduleTarget, scheduleId: string) => ({
  pk: targetPartition(target),
  sk: `schedule#${scheduleId}`,
});

export const targetPartition = ({ type, id }: ScheduleTarget): string => `target#${type}#${id}`;
