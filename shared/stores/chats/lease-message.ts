import type { Db } from "../db.ts";
import { changeMessage, type MessageChange } from "./change-message.ts";
import type { StoredChatMessage } from "./message-item.ts";

/**
 * How long a silent worker may still be alive. It renews its lease while it works.
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
 * Takes a message that has not been answered, and that nobody else is at.
 *
 * @param now  epoch seconds
 * @returns    undefined where there is nothing to do
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
    {
      condition:
        "NOT #status IN (:ended, :failed) AND (attribute_not_exists(#lease_until) OR #lease_until < :now)",
      values: { ":ended": "done", ":failed": "failed", ":now": now },
    },
  );

/** Changes a message for whoever holds it. @returns undefined when somebody else does by now */
export const changeLeased = (
  db: Db,
  key: string,
  worker: string,
  change: MessageChange,
): Promise<StoredChatMessage | undefined> =>
  changeMessage(db, key, change, { condition: "#lease_by = :holder", values: { ":holder": worker } });

/** @param now epoch seconds */
export const renewLease = (db: Db, key: string, worker: string, now: number) =>
  changeLeased(db, key, worker, leaseOf(worker, now));

/** Gives a message back. @param change how it is left */
export const releaseMessage = (db: Db, key: string, worker: string, change: MessageChange) =>
  changeLeased(db, key, worker, { lease_by: undefined, lease_until: undefined, ...change });
