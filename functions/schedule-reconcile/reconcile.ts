import { epochSeconds } from "../../shared/runtime/clock.ts";
import { entryNames, scheduleOfEntry } from "../../shared/scheduler/plan-entries.ts";
import type { Db } from "../../shared/stores/db.ts";
import { allPartitions } from "../../shared/stores/index-keys.ts";
import { listedRows } from "../../shared/stores/listing/listed-rows.ts";
import { getSchedule, purgeRemoved, scheduleListing } from "../../shared/stores/schedules/index.ts";
import type { ReconcileDeps, Reconciled } from "./reconcile-deps.ts";
import { recordMissedSlots } from "./record-missed-slots.ts";

/** What changed in this time may be on its way, or not yet in an index. */
const SETTLING_SECONDS = 900;
/** A process that wrote a run while its schedule was removed has ended after this. */
const PURGE_AFTER_SECONDS = 3_600;

/**
 * Compares the schedules with what the scheduler has, and corrects the scheduler. The table is the truth.
 *
 * Schedules are read before the entries: the entries of every schedule that is seen were there before it. Each
 * difference is checked once more in the table itself before anything is done, so running twice does no harm.
 *
 * @param groupMadeAt  when the scheduler's group was made; epoch seconds
 * @param settling     what changed in this time is left to the next comparison; seconds
 * @throws what the table or the scheduler throw; what was done until then stays done
 */
export async function reconcile(
  deps: ReconcileDeps,
  groupMadeAt: number,
  settling = SETTLING_SECONDS,
): Promise<Reconciled> {
  const { db, scheduler, clock } = deps;
  const settled = epochSeconds(clock) - settling;
  const wanted = await listWanted(db);
  const present = new Set<string>();
  const surplus: string[] = [];
  for await (const { name, created_at } of scheduler.list()) {
    present.add(name);
    if (!wanted.has(name) && created_at <= settled) surplus.push(name);
  }
  const missing = new Set([...wanted].filter(([name]) => !present.has(name)).map(([, id]) => id));
  return {
    enabled: new Set(wanted.values()).size,
    ...(await repairMissing(deps, [...missing], settled, groupMadeAt)),
    dropped: await dropSurplus(deps, surplus),
    missed: await recordMissedSlots(deps, new Set(wanted.values())),
    purged: await purgeRemoved(db, epochSeconds(clock) - PURGE_AFTER_SECONDS),
  };
}

/** Removes entries that belong to no schedule. @returns how many */
async function dropSurplus({ db, scheduler, log }: ReconcileDeps, names: readonly string[]): Promise<number> {
  let dropped = 0;
  for (const name of names) {
    const schedule = await getSchedule(db, scheduleOfEntry(name));
    if (schedule?.enabled && entryNames(schedule).includes(name)) continue;
    await scheduler.remove([name]);
    log.warn("an entry that belongs to no schedule was removed", { entry: name });
    dropped += 1;
  }
  return dropped;
}

/** Names of the entries that the scheduler should have, each with the id of its schedule. */
async function listWanted(db: Db): Promise<Map<string, string>> {
  const wanted = new Map<string, string>();
  for (const partition of allPartitions()) {
    for await (const row of listedRows(db, scheduleListing, partition, { forward: true })) {
      if (!row.enabled) continue;
      for (const name of entryNames(row)) wanted.set(name, row.id);
    }
  }
  return wanted;
}

/** Schedules that lacked entries, counted by what became of them. */
type Repaired = { readonly repaired: number; readonly restored: number; readonly unsettled: number };

/**
 * Adds the entries that schedules lack. Those of a schedule that is older than the group went with the group before: they
 * are restored whatever their age, and it is no accident.
 *
 * @param settled      schedules that were written after this are on their way; epoch seconds
 * @param groupMadeAt  epoch seconds
 */
async function repairMissing(
  { db, scheduler, log }: ReconcileDeps,
  ids: readonly string[],
  settled: number,
  groupMadeAt: number,
): Promise<Repaired> {
  const counts = { repaired: 0, restored: 0, unsettled: 0 };
  for (const id of ids) {
    const schedule = await getSchedule(db, id);
    if (!schedule?.enabled) continue;
    const changedAt = schedule.updated_at ?? schedule.created_at;
    if (changedAt < groupMadeAt) {
      await scheduler.add(schedule);
      counts.restored += 1;
    } else if (changedAt > settled) {
      counts.unsettled += 1;
    } else {
      await scheduler.add(schedule);
      log.error("a schedule would not have fired", { schedule_id: id, plan_id: schedule.plan_id });
      counts.repaired += 1;
    }
  }
  return counts;
}
