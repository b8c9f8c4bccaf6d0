import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { type Item, present } from "../../../data/index.ts";
import { scheduleRunStages } from "../../../domain/schedules/schedule-run-transitions.ts";
import { ScheduleRun, type ScheduleRunRef } from "../../../schemas/schedules/schedule-run.ts";
import { defineWork } from "../../../work/index.ts";
import type { Db } from "../../db.ts";
import { refOfKeys, scheduleRunDue, scheduleRunKey } from "./run-keys.ts";

/** Version of the stored shape; raised with every change of it. */
export const SCHEDULE_RUN_SHAPE = 1;

export const DAY_SECONDS = 86_400;
/**
 * How long an attempt is stored.
 *
 * @decided  The wire keeps them for ever; a schedule that fires every minute makes half a million in a year.
 */
export const RETENTION_DAYS = 90;

/** What the platform stores with an attempt in addition to what the wire shows. */
const Internals = v.object({
  /** The slot's time in ISO 8601, or `trigger:<uuid>`. */
  slot: v.string(),
  /** Raised by every write: a write by an older one is refused. */
  revision: v.number(),
  /** What it waits for, and when the sweeper wakes it; epoch seconds. Both or none. */
  stage: v.optional(v.picklist(scheduleRunStages)),
  due_at: v.optional(v.number()),
  /** When its turn came; epoch seconds. */
  started_at: v.optional(v.number()),
  /** A request was sent. If it has no idempotency key, it is not sent again. */
  called: v.optional(v.literal(true)),
  /** Other slots of the schedule wait for it, or are skipped. */
  holds_turn: v.optional(v.literal(true)),
  /** The owner in the run's key; absent until the run is known. */
  run_owner: v.optional(v.nullable(v.string())),
  /** How the run ended or paused, by its last transaction. */
  run_ended: v.optional(v.picklist(["completed", "failed", "cancelled", "paused"])),
  /** The id of the attempt after this one. */
  next: v.optional(v.string()),
  /** The output here is only the beginning of the run's. */
  output_cut: v.optional(v.literal(true)),
  /** Epoch seconds. */
  expires_at: v.number(),
});
export const StoredScheduleRun = v.object({ ...ScheduleRun.entries, ...Internals.entries });
export type StoredScheduleRun = v.InferOutput<typeof StoredScheduleRun>;

/** The item of a new attempt. */
export const scheduleRunItem = (run: StoredScheduleRun): Item => ({
  ...scheduleRunKey(refOf(run)),
  ...run,
  ...(run.due_at !== undefined && scheduleRunDue.keys(refOf(run), run.due_at)),
  shape: SCHEDULE_RUN_SHAPE,
});

/** @throws when the item is not an attempt of a shape that this code reads: a defect, never an answer */
export const scheduleRunFrom = (item: Item): StoredScheduleRun => v.parse(StoredScheduleRun, item);

/** The attempt as the wire shows it. */
export const wireScheduleRun = (run: StoredScheduleRun): ScheduleRun => v.parse(ScheduleRun, run);

export const refOf = ({ schedule_id, id }: Pick<StoredScheduleRun, "schedule_id" | "id">) => ({
  schedule_id,
  schedule_run_id: id,
});

/** All attempts of one day expire together, so that the count of a day stays exact. @param at epoch seconds */
export const expiryOf = (at: number): number => (dayOf(at) + 1 + RETENTION_DAYS) * DAY_SECONDS;

/** Days since the epoch. */
export const dayOf = (at: number): number => Math.floor(at / DAY_SECONDS);

/**
 * An attempt of a schedule. Its writes are moves of a table of transitions (`run-update.ts`); what makes a late writer
 * harmless is the revision that it has read. A process that starts a call leases the attempt for longer than any call and
 * the writes around it.
 */
export const scheduleRunWork = defineWork({
  kind: "schedule run",
  table: "schedules",
  keyOf: scheduleRunKey,
  read: scheduleRunFrom,
  open: { stage: present },
  lease: {
    ...{ holder: "revision", isRevision: true, time: "due_at" },
    ...{ seconds: 90, renewals: 0, settlingSeconds: 0 },
  },
  // A retry is an attempt of its own.
  retry: { stallsOf: () => 0, most: 0 },
  due: scheduleRunDue,
  message: ({ pk, sk }) => refOfKeys(String(pk), String(sk)),
});

/** @param now epoch seconds; an expired attempt is not returned */
export async function getScheduleRun(
  db: Db,
  ref: ScheduleRunRef,
  now: number,
): Promise<StoredScheduleRun | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.schedules, Key: scheduleRunKey(ref), ConsistentRead: true }),
  );
  const run = Item && scheduleRunFrom(Item);
  return run && run.expires_at > now ? run : undefined;
}
