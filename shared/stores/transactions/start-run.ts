import { type Part, putItem, transact, type Write, write } from "../../data/index.ts";
import { type ForegroundSlot, takeSlot } from "../budgets/foreground-slots.ts";
import type { Db } from "../db.ts";
import type { Publication } from "../outbox/change-event.ts";
import { watchEntries } from "../outbox/lease-watch.ts";
import { publishStart } from "../runs/mark-running.ts";
import { runItem, type StoredRun, spillRun } from "../runs/run-item.ts";
import { enterSession, type SessionEntry, spillEntry } from "../sessions/session-writes.ts";

type RunStart = {
  readonly slots?: readonly ForegroundSlot[];
  /** Epoch seconds; needed with a slot, and where it is published. */
  readonly now?: number;
  /** Whether events are published; not for the trials of an evaluation. */
  readonly isPublished?: boolean;
  /** Claims the idempotency key of the request. */
  readonly key?: Write | undefined;
};

/**
 * Writes the record of a foreground run that starts, together with its entry in the session and its slots.
 */
export async function startRun(
  db: Db,
  run: StoredRun,
  entry: SessionEntry,
  { slots = [], now = 0, isPublished = false, key }: RunStart = {},
): Promise<Started> {
  const [spilled, fitted, watch, publication] = await Promise.all([
    spillRun(db, run),
    spillEntry(db, entry),
    watchEntries(db, run),
    publishStart(db, isPublished ? run : undefined, now),
  ]);
  const session = enterSession(fitted);
  const put = putItem("runs", runItem(spilled, db));
  if (!session && !key && slots.length === 0 && watch.length === 0 && publication.entries.length === 0) {
    await write(db, put);
    return { written: true };
  }
  return commitStart(db, { writes: () => [put], session, key, slots, watch, publication, now });
}

type Start = {
  /** What the start itself writes, in the given try. */
  readonly writes: (tryNumber: number) => Part;
  /** Its entry or its turn in the session, if it takes one. */
  readonly session?: Write | undefined;
  readonly key?: Write | undefined;
  readonly slots: readonly ForegroundSlot[];
  /** Nothing refuses this. */
  readonly watch: Part;
  readonly publication: Publication;
  /** Epoch seconds. */
  readonly now: number;
};

/** Writes that an execution starts or continues with, all or nothing, and publishes it. */
export async function commitStart(
  db: Db,
  { writes, session, key, slots, watch, publication, now }: Start,
): Promise<Started> {
  const result = await transact(db, (tryNumber) => ({
    key,
    start: writes(tryNumber),
    session,
    slots: slots.map((slot) => takeSlot(slot, now)),
    watch,
    publication: publication.entries,
  }));
  if (result.written) {
    await publication.wake();
    return result;
  }
  return { written: false, because: reasons[result.refused] ?? "slot_taken" };
}

const reasons: Readonly<Record<string, Refusal>> = {
  start: "changed",
  session: "session_changed",
  key: "duplicate",
};

/**
 * `changed`: the run, its job or an approval is not as it was read. `session_changed`: the session was created, or a turn in it was
 * claimed, concurrently. `duplicate`: the idempotency key was used before. `slot_taken`: another run has one of the slots.
 */
type Refusal = "changed" | "session_changed" | "duplicate" | "slot_taken";

/** Whether a run was started; if not, nothing was written. */
export type Started = { readonly written: true } | { readonly written: false; readonly because: Refusal };
