import { absentOr, below, noneOf } from "../../data/guard.ts";
import type { Db } from "../db.ts";
import { changeMessage, type MessageChange } from "./change-message.ts";
import type { StoredChatMessage } from "./message-item.ts";

/**
 * How long a worker without a heartbeat may still be alive. It renews its lease while it works.
 *
 *   lease  |------ 60 s ------|
 *   renew        ♥     ♥  x dead
 *   due                       |-- 10 s --| the sweeper sends a wake-up
 */
export const LEASE_SECONDS = 60;
const SETTLING_SECONDS = 10;

const leaseOf = (worker: string, now: number): MessageChange => ({
  lease_by: worker,
  lease_until: now + LEASE_SECONDS,
  due_at: now + LEASE_SECONDS + SETTLING_SECONDS,
});

/**
 * Leases a message that has not been answered, and that no other worker has leased. The execution counts as a fault from
 * its beginning, so that one whose process dies is counted; what ends without one takes it back.
 *
 * @param now  epoch seconds
 * @returns    undefined if there is nothing to do
 */
export const leaseMessage = (
  db: Db,
  key: string,
  worker: string,
  now: number,
): Promise<StoredChatMessage | undefined> =>
  changeMessage(
    db,
    key,
    { ...leaseOf(worker, now), status: "open" },
    { status: noneOf(["done", "failed"]), lease_until: absentOr(below(now)) },
    { faults: 1 },
  );

/** Changes a message for the worker that has leased it. @returns undefined when another worker has it by now */
export const changeLeased = (
  db: Db,
  key: string,
  worker: string,
  change: MessageChange,
): Promise<StoredChatMessage | undefined> => changeMessage(db, key, change, { lease_by: worker });

/** @param now epoch seconds */
export const renewLease = (db: Db, key: string, worker: string, now: number) =>
  changeLeased(db, key, worker, leaseOf(worker, now));

/** Releases the lease of a message. @param change what is written with it */
export const releaseMessage = (db: Db, key: string, worker: string, change: MessageChange) =>
  changeLeased(db, key, worker, { lease_by: undefined, lease_until: undefined, ...change });
