import { backOff, countWrites, joined, type Parts, resultOf, transact } from "../../data/index.ts";
import type { ScheduleTarget } from "../../schemas/schedules/schedule.ts";
import { type Db, queryPages } from "../db.ts";
import { ownerPartition } from "../index-keys.ts";
import { changeListed, type ListedChange } from "../listing/change-listed.ts";
import { rowsByCreation } from "../listing/listed-rows.ts";
import { publishChanges } from "../outbox/change-event.ts";
import { changeParts } from "./change-schedule.ts";
import { readSchedules, type StoredSchedule, scheduleListing, targetPartition } from "./schedule-item.ts";
import { scheduleChange } from "./schedule-writes.ts";

/** Most writes of one transaction (documented limit of the service). */
const MAX_WRITES = 100;
/** A schedule, its audit record, the tallies of its owner and of everybody's, and the event where it is published. */
const WRITES_EACH = { published: 5, unpublished: 4 } as const;

/** How many schedules fit into a transaction, beside the caller's writes and the shared tallies. */
const roomBeside = (own: Parts, isPublished: boolean): number =>
  Math.floor((MAX_WRITES - countWrites(own)) / WRITES_EACH[isPublished ? "published" : "unpublished"]) - 2;
const TRIES = 8;

/** `refused` names the caller's part that was refused. */
export type Disabled<Name extends string> =
  | { readonly written: true; readonly disabled: StoredSchedule[] }
  | { readonly written: false; readonly refused: Name };

/**
 * Disables every schedule that targets a component, together with the caller's writes to the component. The first of
 * them are in the caller's own transaction; if there are many, the rest follows in further transactions.
 *
 * @param own     the caller's writes, such as the archiving itself; at most eighty
 * @param reason  `target_archived:<type>:<id>`
 * @param now     epoch seconds
 * @source docs/interface/schedules.md 4.1
 */
export const disableSchedulesOf = <Name extends string>(
  db: Db,
  target: ScheduleTarget,
  own: Parts<Name>,
  reason: string,
  now: number,
): Promise<Disabled<Name>> => disableAll(db, () => listSchedulesOf(db, target), own, reason, now);

/**
 * Disables every schedule of an owner. The index that finds them lags a moment, so one that is created at the same
 * moment may be missed; its next firing finds that its owner may not call.
 *
 * @param now  epoch seconds
 * @returns    those that were enabled
 */
export async function disableSchedulesOfOwner(
  db: Db,
  owner: string,
  reason: string,
  now: number,
): Promise<StoredSchedule[]> {
  const result = await disableAll(db, () => listEnabledOf(db, owner), {}, reason, now);
  return result.written ? result.disabled : [];
}

async function listEnabledOf(db: Db, owner: string): Promise<StoredSchedule[]> {
  const rows = await rowsByCreation(db, scheduleListing, [ownerPartition(owner)], {
    forward: true,
    need: Number.POSITIVE_INFINITY,
    matches: ({ enabled }) => enabled,
  });
  const schedules = await readSchedules(
    db,
    rows.map(({ id }) => id),
  );
  return schedules.filter(({ enabled }) => enabled);
}

async function disableAll<Name extends string>(
  db: Db,
  listEnabled: () => Promise<StoredSchedule[]>,
  parts: Parts<Name>,
  reason: string,
  now: number,
): Promise<Disabled<Name>> {
  const disabled: StoredSchedule[] = [];
  const isPublished = (await db.outbox?.hasSubscribers("schedule")) ?? false;
  let own: Parts = parts;
  for (let tryNumber = 0; ; ) {
    const some = (await listEnabled()).slice(0, roomBeside(own, isPublished));
    if (some.length === 0 && countWrites(own) === 0) return { written: true, disabled };
    const result = await disableSome(db, some, own, reason, now);
    if (result.written) {
      own = {};
      disabled.push(...some);
      continue;
    }
    const ofCaller = resultOf(parts, result);
    if (ofCaller && !ofCaller.written) return { written: false, refused: ofCaller.refused };
    tryNumber += 1;
    if (tryNumber >= TRIES) throw new Error("the schedules were changed concurrently too often");
    await backOff(tryNumber);
  }
}

async function disableSome(
  db: Db,
  schedules: readonly StoredSchedule[],
  own: Parts,
  reason: string,
  now: number,
) {
  const changes = schedules.map((before) => {
    const after = disabledBy(before, reason, now);
    return { before, parts: changeParts(db, before, after), after };
  });
  const publication = await publishChanges(
    db,
    changes.map(({ after }) => scheduleChange("schedule.updated", after, now)),
  );
  const [first, ...others] = changes;
  if (!first) return transact(db, own);
  const parts = joined<string>([own, first.parts, { publication: publication.entries }]);
  const listed: ListedChange<StoredSchedule>[] = [{ ...first, parts }, ...others];
  const result = await changeListed(db, scheduleListing, listed, now);
  if (result.written) await publication.wake();
  return result;
}

/** A schedule that the platform itself disables. @param now epoch seconds */
export const disabledBy = (schedule: StoredSchedule, reason: string, now: number): StoredSchedule => ({
  ...schedule,
  enabled: false,
  disabled_reason: reason,
  updated_at: now,
  version: schedule.version + 1,
});

/** The enabled schedules of every owner that target a component. The read is consistent. */
export async function listSchedulesOf(db: Db, target: ScheduleTarget): Promise<StoredSchedule[]> {
  const pages = queryPages(db, {
    TableName: db.tables.schedules,
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: { ":pk": targetPartition(target) },
    ConsistentRead: true,
  });
  const ids: string[] = [];
  for await (const { Items = [] } of pages) ids.push(...Items.map(({ schedule_id }) => String(schedule_id)));
  return (await readSchedules(db, ids)).filter(({ enabled }) => enabled);
}
