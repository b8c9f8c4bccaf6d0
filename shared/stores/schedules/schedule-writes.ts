import { isNew } from "../../data/guard.ts";
import { deleteItem, putItem, type Write } from "../../data/writes.ts";
import { targetsOf } from "../../domain/schedules/targets-of.ts";
import type { Schedule } from "../../schemas/schedules/schedule.ts";
import { nameKey, targetKey } from "./schedule-keys.ts";

type Named = Pick<Schedule, "id" | "user_id" | "name">;

/** The write that claims a name for an owner; refused when it is taken. */
export const claimName = ({ id, user_id, name }: Named): Write =>
  putItem("schedules", { ...nameKey(user_id, name), schedule_id: id }, isNew);

/** The write that frees a name again. */
export const releaseName = ({ user_id, name }: Named): Write =>
  deleteItem("schedules", nameKey(user_id, name));

type Targeting = Parameters<typeof targetsOf>[0];

/** The writes that update the targets of a schedule, if they have changed. */
export function targetWrites(
  id: string,
  before: Targeting | undefined,
  after: Targeting | undefined,
): Write[] {
  const keys = (schedule: Targeting | undefined) =>
    new Map((schedule ? targetsOf(schedule) : []).map((target) => [targetKey(target, id).pk, target]));
  const [old, wanted] = [keys(before), keys(after)];
  return [
    ...[...old.entries()]
      .filter(([pk]) => !wanted.has(pk))
      .map(([, target]) => deleteItem("schedules", targetKey(target, id))),
    ...[...wanted.entries()]
      .filter(([pk]) => !old.has(pk))
      .map(([, target]) => putItem("schedules", { ...targetKey(target, id), schedule_id: id })),
  ];
}
