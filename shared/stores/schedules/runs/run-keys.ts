import { createHash } from "node:crypto";
import type { ScheduleRunRef } from "../../../schemas/schedules/schedule-run.ts";
import { dueIndex, dueShardOf, dueShards } from "../../../work/index.ts";
import { schedulePartition } from "../schedule-item.ts";

/**
 * The sweeper sends the wake-up of an attempt this long before it is due: more than the minute between two rounds, so
 * that a round sees it in time. What is due earlier is sent by whoever records when it is due.
 */
export const AHEAD_SECONDS = 90;

/** Prefix of the sort keys of all runs of a schedule; ids are in the order of creation. */
export const RUN_PREFIX = "run#";

export const scheduleRunKey = ({ schedule_id, schedule_run_id }: ScheduleRunRef) => ({
  pk: schedulePartition(schedule_id),
  sk: `${RUN_PREFIX}${schedule_run_id}`,
});

/** Reads a key back. */
export const refOfKeys = (pk: string, sk: string): ScheduleRunRef => ({
  schedule_id: pk.slice(schedulePartition("").length),
  schedule_run_id: sk.slice(RUN_PREFIX.length),
});

const timeOf = (at: number): string => (at * 1000).toString(16).padStart(12, "0");

/** All attempts due then or later sort after this. @param at epoch seconds */
export function runsFrom(at: number): string {
  const time = timeOf(at);
  return `${RUN_PREFIX}${time.slice(0, 8)}-${time.slice(8)}`;
}

/** When the attempt with a sort key was due; epoch seconds. */
export const dueOfKey = (sk: string): number =>
  Number.parseInt(sk.slice(RUN_PREFIX.length).replaceAll("-", "").slice(0, 12), 16) / 1000;

/** How many attempts a schedule has; see `count-runs.ts`. */
export const runTallyKey = (scheduleId: string) => ({ pk: schedulePartition(scheduleId), sk: "tally" });

/** The turn among the slots of a schedule that may not overlap. */
export const turnKey = (scheduleId: string) => ({ pk: schedulePartition(scheduleId), sk: "turn" });

/**
 * Attempts that something has to be done for: a run that has ended, an answer that never came, a deadline, a retry. What
 * is due soon after a round gets a message that is delayed until then: so a limit of time is noticed within seconds
 * although a round comes once a minute.
 */
export const scheduleRunDue = dueIndex<Pick<ScheduleRunRef, "schedule_run_id">>({
  table: "schedules",
  partition: "due_shard",
  partitions: dueShards,
  keyOf: ({ schedule_run_id: id }) => ({ partition: dueShardOf(id), sort: id }),
  storesTime: true,
  perRound: 250,
  settlingSeconds: 5,
  aheadSeconds: AHEAD_SECONDS,
});

/** One attempt at a slot of a schedule, or at a run that was triggered by hand. */
export type Slot = {
  readonly schedule_id: string;
  /** The slot's time in ISO 8601, or `trigger:<uuid>`. */
  readonly slot: string;
  readonly attempt: number;
  /** When this attempt is due; epoch seconds. The same in every delivery. */
  readonly at: number;
};

/** The first attempt at a slot. @param at when it is due; epoch seconds */
export const slotAt = (scheduleId: string, at: number): Slot => ({
  schedule_id: scheduleId,
  slot: new Date(at * 1000).toISOString(),
  attempt: 1,
  at,
});

/**
 * The id of an attempt. It follows from the slot and the attempt's number, so that a message that is delivered twice
 * finds the record that it created; and it begins with the time, so that ids sort by it.
 *
 *   019a3c5e-8f00 - 8 001 - 8f3a - 1b2c3d4e5f60     a UUID of version 8
 *   milliseconds    attempt  digest of schedule, slot and attempt
 *
 * @source RFC 9562, section 5.8
 */
export function scheduleRunId({ schedule_id, slot, attempt, at }: Slot): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([schedule_id, slot, attempt]))
    .digest("hex");
  const time = timeOf(at);
  const variant = (8 + (Number.parseInt(digest.slice(0, 1), 16) % 4)).toString(16);
  return [
    time.slice(0, 8),
    time.slice(8),
    `8${attempt.toString(16).padStart(3, "0")}`,
    `${variant}${digest.slice(1, 4)}`,
    digest.slice(4, 16),
  ].join("-");
}
