import { targetsOf } from "../../domain/schedules/targets-of.ts";
import type { Schedule } from "../../schemas/schedules/schedule.ts";
import type { Db } from "../db.ts";
import type { Write } from "../transact.ts";
import { nameKey, targetKey } from "./schedule-keys.ts";

type Named = Pick<Schedule, "id" | "user_id" | "name">;

/** The entry that claims a name for an owner; refuses when it is taken. */
export const claimName = (db: Db, { id, user_id, name }: Named): Write => ({
  Put: {
    TableName: db.tables.schedules,
    Item: { ...nameKey(user_id, name), schedule_id: id },
    ConditionExpression: "attribute_not_exists(pk)",
  },
});

/** The entry that frees a name again. */
export const releaseName = (db: Db, { user_id, name }: Named): Write => ({
  Delete: { TableName: db.tables.schedules, Key: nameKey(user_id, name) },
});

type Targeting = Parameters<typeof targetsOf>[0];

/** The entries that update the targets of a schedule, if they have changed. */
export function targetEntries(
  db: Db,
  id: string,
  before: Targeting | undefined,
  after: Targeting | undefined,
): Write[] {
  const keys = (schedule: Targeting | undefined) =>
    new Map((schedule ? targetsOf(schedule) : []).map((target) => [targetKey(target, id).pk, target]));
  const [old, wanted] = [keys(before), keys(after)];
  const TableName = db.tables.schedules;
  return [
    ...[...old.entries()]
      .filter(([pk]) => !wanted.has(pk))
      .map(([, target]) => ({ Delete: { TableName, Key: targetKey(target, id) } })),
    ...[...wanted.entries()]
      .filter(([pk]) => !old.has(pk))
      .map(([, target]) => ({ Put: { TableName, Item: { ...targetKey(target, id), schedule_id: id } } })),
  ];
}
