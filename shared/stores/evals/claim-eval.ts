import type { Db } from "../db.ts";
import { dueSort } from "../due/due-keys.ts";
import { changeEval } from "./change-eval.ts";
import type { LeasedEval } from "./eval-item.ts";

/** How long a silent worker may still be alive. */
export const LEASE_SECONDS = 60;

/**
 * Takes hold of an evaluation that is under way. One worker holds it at a time, as long as it renews its hold:
 *
 *   worker a  |-- claim --- renew --- renew --x dead
 *   lease                          |----- 60 s -----|
 *   worker b                              sweeper ▶ claim, goes on with what no trial is recorded of
 *
 * @param now  epoch seconds
 * @returns    undefined when there is nothing to do, or somebody does it
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

/** Says that the worker is alive. @returns false when the evaluation is somebody else's by now, or gone */
export async function renewLease(db: Db, { id, worker }: LeasedEval, now: number): Promise<boolean> {
  const renewed = await changeEval(db, id, {
    UpdateExpression: "SET lease_until = :until, due = :due",
    ConditionExpression: held,
    ExpressionAttributeValues: leaseValues(id, worker, now),
  });
  return renewed !== undefined;
}

/**
 * Gives an evaluation back that another worker shall go on with.
 *
 * @param at        epoch seconds at which the sweeper sends for one, should the message be lost
 * @param progress  whether something was done that no trial tells of: it is then no vain claim
 */
export async function releaseEval(
  db: Db,
  { id, worker }: LeasedEval,
  at: number,
  { progress }: { readonly progress: boolean },
): Promise<void> {
  await changeEval(db, id, {
    UpdateExpression: `SET due = :due${progress ? ", stalls = :none" : ""} REMOVE worker, lease_until`,
    ConditionExpression: held,
    ExpressionAttributeValues: {
      ":worker": worker,
      ":due": dueSort(at, id),
      ...(progress && { ":none": 0 }),
    },
  });
}

/** The condition of every write of a worker to what it holds. */
export const held = "worker = :worker AND attribute_not_exists(removed_at)";

/** Values of a lease that begins now; its end is when the sweeper looks. */
export const leaseValues = (id: string, worker: string, now: number) => ({
  ":worker": worker,
  ":until": now + LEASE_SECONDS,
  ":due": dueSort(now + LEASE_SECONDS + 1, id),
});
