import { deleteItem, isNew, putItem, type Write } from "../../data/index.ts";
import { differingFacts } from "../../domain/audit/recorded-facts.ts";
import { runTarget } from "../../domain/schedules/run-target.ts";
import type { ChangeType } from "../../schemas/deliveries/event-type.ts";
import type { Schedule, ScheduleTarget } from "../../schemas/schedules/schedule.ts";
import { auditedChange } from "../audit/audit-item.ts";
import type { Db } from "../db.ts";
import type { Change } from "../outbox/change-event.ts";
import { nameKey, type StoredSchedule, targetKey } from "./schedule-item.ts";

type Named = Pick<Schedule, "id" | "user_id" | "name">;

/** The write that claims a name for an owner; refused when it is taken. */
export const claimName = ({ id, user_id, name }: Named): Write =>
  putItem("schedules", { ...nameKey(user_id, name), schedule_id: id }, isNew);

/** The write that frees a name again. */
export const releaseName = ({ user_id, name }: Named): Write =>
  deleteItem("schedules", nameKey(user_id, name));

type Targeting = Pick<Schedule, "method" | "endpoint" | "target_type" | "target_id">;

/** The components that a schedule targets, each once: by its endpoint, and by its provenance. */
function targetsOf({ method, endpoint, target_type, target_id }: Targeting): ScheduleTarget[] {
  const run = runTarget(method, endpoint);
  if (target_type === null || target_id === null) return run ? [run] : [];
  const managed = { type: target_type, id: target_id };
  return run && !(run.type === managed.type && run.id === managed.id) ? [managed, run] : [managed];
}

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

/** What is published of a schedule, as it is after the change, or was before it was deleted. @param now epoch seconds */
export function scheduleChange(
  type: Extract<ChangeType, `schedule.${string}`>,
  schedule: StoredSchedule,
  now: number,
): Change {
  const { id, user_id, target_type, target_id } = schedule;
  const { name, cron_expr, timezone, enabled, disabled_reason, next_run_at } = schedule;
  return {
    type,
    id,
    owner: user_id,
    component: target_type === null || target_id === null ? undefined : { type: target_type, id: target_id },
    facts: { name, cron_expr, timezone, enabled, disabled_reason, next_run_at },
    now,
  };
}

/** The audit record of a change of a schedule; one of the two states is missing where it is created or removed. */
export function auditedSchedule(
  db: Db,
  before: StoredSchedule | undefined,
  after: StoredSchedule | undefined,
): Write {
  const schedule = after ?? before;
  return auditedChange(db, {
    operation: "changeSchedule",
    on_behalf_of: schedule?.user_id ?? null,
    target: { schedule_id: schedule?.id ?? "" },
    ...(before && after ? differingFacts(before, after) : { before, after }),
  });
}
