import { backOff, transact } from "../../data/index.ts";
import type { Db } from "../db.ts";
import { publishChanges, putEvent, wakeForEvent } from "../outbox/change-event.ts";
import { endWatch } from "../outbox/lease-watch.ts";
import { type AwaitedBy, awaitedBy, jobsIn } from "../runs/run-update.ts";
import type { Ended, Ending } from "./ending.ts";
import { approvalWrites, fencedParts, optionalParts, without } from "./ending-writes.ts";
import { type FittedEnding, spillEnding, withNewerState } from "./fit-ending.ts";
import { nothingLeft, planRest } from "./plan-rest.ts";

/**
 * Ends one execution: run record, its last events, session sums, job and counters change all or nothing, so that no
 * reader ever sees a finished run without its last event or a finished job without its run.
 *
 * @returns undefined when the fence refuses the job or the record: nothing was written
 */
export async function commitEnding(db: Db, ending: Ending): Promise<Ended | undefined> {
  const fitted = await spillEnding(db, ending);
  const ended = await commit(db, fitted);
  if (ended && fitted.event) await wakeForEvent(db, fitted.event);
  if (ended) await fitted.jobPublication.wake();
  return ended;
}

async function commit(
  db: Db,
  ending: FittedEnding,
  rest = ending.inbox && nothingLeft(ending.inbox),
): Promise<Ended | undefined> {
  for (let tryNumber = 1; tryNumber <= APPROVAL_TRIES; tryNumber += 1) {
    const { writes: approvals, changes } = await approvalWrites(db, ending);
    const publication = await publishChanges(db, changes);
    const result = await transact(db, (again) => ({
      ...fencedParts(db, ending, again),
      approvals,
      inbox: rest?.inbox,
      ...optionalParts(ending, rest?.turnIn),
      // Nothing refuses what follows.
      event: ending.event && putEvent(ending.event),
      jobPublication: ending.jobPublication.entries,
      evaluationPublication: ending.evaluationPublication?.entries,
      publication: publication.entries,
      // Where its own process ends it; another one leaves the watch to the worker of deliveries.
      watch: ending.event && ending.session && !ending.job ? endWatch(ending.at.run_id) : undefined,
    }));
    if (result.written) {
      await publication.wake();
      await Promise.all([ending.evaluationPublication?.wake(), rest?.publication?.wake()]);
      const waiting = [...jobsIn(ending.awaited ?? new Set()), ...(rest?.job ? [rest.job] : [])];
      return { events: ending.events, waiting };
    }
    const awaited = awaitedBy(result.seen);
    if (awaited && !isSame(awaited, ending.awaited)) return commit(db, { ...ending, awaited }, rest);
    // Something was sent after the run's last look, or was withdrawn since it was read; or a run has entered the session.
    const replanned =
      result.refused === "inbox" || (result.refused === "session" && rest?.turnIn !== undefined);
    const left = replanned && ending.inbox ? await planRest(db, ending.inbox) : rest;
    if (result.refused === "inbox") return commit(db, ending, left);
    // An approval was resolved or deleted concurrently: the approvals are read again.
    if (result.refused === "approvals") continue;
    const newer = result.refused === "session" && (await withNewerState(db, ending, result.seen));
    if (newer) {
      // Whoever was first has made progress; of many that end at once, one does with every round.
      await backOff(tryNumber);
      return commit(db, newer, left);
    }
    if (result.refused === "session" && left?.turnIn) {
      await backOff(tryNumber);
      return commit(db, ending, left);
    }
    const remaining = without(ending, result.refused);
    return remaining && commit(db, { ...ending, ...remaining }, left);
  }
  throw new Error(`the approvals of run ${ending.at.run_id} change all the time`);
}

const isSame = (a: AwaitedBy, b: AwaitedBy = new Set()): boolean =>
  a.size === b.size && [...a].every((one) => b.has(one));

/** An approval can change twice: it is resolved once and deleted once. */
const APPROVAL_TRIES = 4;
