import type { Db } from "../db.ts";
import { dueSort } from "../due/due-keys.ts";
import { changeEval } from "./change-eval.ts";
import type { LeasedEval } from "./eval-item.ts";

/** How long a worker without a heartbeat may still be alive. */
export const LEASE_SECONDS = 60;

/**
 * Claims an evaluation that is under way. One worker has it at a time, as long as it renews its lease:
 *
 *   worker a  |-- claim --- renew --- renew --x dead
 *   lease                          |----- 60 s -----|
 *   worker b                              sweeper ▶ claim, continues with the trials that are not recorded
 *
 * @param now  epoch seconds
 * @returns    undefined when there is nothing to do, or another worker has it
 */
export async function claimEval(
  db: Db,
  id: string,
  worker: string,
  now: number,
): Promise<LeasedEval | undefined> {
  const claimed = await changeEval(db, id, {
    UpdateExpression: "SET worker = :worker, lease_until = :until, due = :due ADD stalls :one",
    ConditionExpression:
      "#status = :running AND attribute_not_exists(removed_at) AND (attribute_not_exists(lease_until) OR lease_until < :now)",
    ExpressionAttributeNames: { "#status": "status" },
    ExpressionAttributeValues: {
      ...leaseValues(id, worker, now),
      ":running": "running",
      ":now": now,
      ":one": 1,
    },
  });
  return claimed && { ...claimed, worker };
}

/** The worker's heartbeat. @returns false when another worker has the evaluation by now, or it is gone */
export async function renewLease(db: Db, { id, worker }: LeasedEval, now: number): Promise<boolean> {
  const renewed = await changeEval(db, id, {
    UpdateExpression: "SET lease_until = :until, due = :due",
    ConditionExpression: hasLease,
    ExpressionAttributeValues: leaseValues(id, worker, now),
  });
  return renewed !== undefined;
}

/**
 * Releases an evaluation so that another worker can continue it.
 *
 * @param at        epoch seconds at which the sweeper sends a message, in case the first one is lost
 * @param progress  whether there was progress that no recorded trial shows; the claim then does not count as a stall
 */
export async function releaseEval(
  db: Db,
  { id, worker }: LeasedEval,
  at: number,
  { progress }: { readonly progress: boolean },
): Promise<void> {
  await changeEval(db, id, {
    UpdateExpression: `SET due = :due${progress ? ", stalls = :none" : ""} REMOVE worker, lease_until`,
    ConditionExpression: hasLease,
    ExpressionAttributeValues: {
      ":worker": worker,
      ":due": dueSort(at, id),
      ...(progress && { ":none": 0 }),
    },
  });
}

/** The condition of every write of a worker to an evaluation that it has leased. */
export const hasLease = "worker = :worker AND attribute_not_exists(removed_at)";

/** Values of a lease that begins now; the evaluation is due when it ends. */
export const leaseValues = (id: string, worker: string, now: number) => ({
  ":worker": worker,
  ":until": now + LEASE_SECONDS,
  ":due": dueSort(now + LEASE_SECONDS + 1, id),
});
