import { absent, absentOr, below } from "../../data/guard.ts";
import type { Db } from "../db.ts";
import { dueSort } from "../due/due-keys.ts";
import { changeEval } from "./change-eval.ts";
import { type LeasedEval, leasedBy } from "./eval-item.ts";

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
    set: { worker, ...renewed(id, now) },
    add: { stalls: 1 },
    guard: { status: "running", removed_at: absent, lease_until: absentOr(below(now)) },
  });
  return claimed && { ...claimed, worker };
}

/** The worker's heartbeat. @returns false when another worker has the evaluation by now, or it is gone */
export async function renewLease(db: Db, record: LeasedEval, now: number): Promise<boolean> {
  const change = { set: renewed(record.id, now), guard: leasedBy(record) };
  return (await changeEval(db, record.id, change)) !== undefined;
}

/**
 * Releases an evaluation so that another worker can continue it.
 *
 * @param at        epoch seconds at which the sweeper sends a message, in case the first one is lost
 * @param progress  whether there was progress that no recorded trial shows; the claim then does not count as a stall
 */
export async function releaseEval(
  db: Db,
  record: LeasedEval,
  at: number,
  { progress }: { readonly progress: boolean },
): Promise<void> {
  await changeEval(db, record.id, {
    set: { due: dueSort(at, record.id), ...(progress && { stalls: 0 }) },
    remove: ["worker", "lease_until"],
    guard: leasedBy(record),
  });
}

/** A lease that begins now; the evaluation is due when it ends. */
export const renewed = (id: string, now: number) => ({
  lease_until: now + LEASE_SECONDS,
  due: dueSort(now + LEASE_SECONDS + 1, id),
});
