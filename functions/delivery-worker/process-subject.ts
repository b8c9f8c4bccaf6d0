import { platformEvents } from "../../shared/domain/platform-events.ts";
import type { DeliveryMessage } from "../../shared/queue/delivery-queue.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import {
  getLeaseWatch,
  publishLostRun,
  readSubject,
  removeWatch,
  runEvent,
  type SubjectSeen,
  subjectOf,
  watchAgain,
} from "../../shared/stores/outbox/index.ts";
import { getRunHead } from "../../shared/stores/runs/get-run.ts";
import { chainsOf, deliverInOrder } from "./deliver-in-order.ts";
import type { DeliveryWorkerDeps } from "./delivery-worker-deps.ts";
import { fanOut } from "./fan-out.ts";

/**
 * Does what is due of one subject. A message that comes twice, late, or for nothing does no harm.
 *
 *   events without deliveries ─▶ deliveries, in the order of the events
 *   deliveries ─▶ for each receiver the first that is not over, if its time has come; then the next
 *
 * Receivers are served side by side: one here, each further one by a message of its own.
 */
export async function processSubject(
  deps: DeliveryWorkerDeps,
  { subject: partition, target }: DeliveryMessage,
): Promise<void> {
  const seen = await fannedOut(deps, partition);
  const now = epochSeconds(deps.clock);
  const due = chainsOf(seen.deliveries).filter(
    ([first]) => (first.due_at ?? 0) <= now && (target === undefined || first.target.id === target),
  );
  const [mine, ...others] = due;
  for (const [{ target: other }] of others) {
    await deps.queue.send({ subject: partition, target: other.id });
  }
  if (!mine || !(await deliverInOrder(deps, seen.events, mine))) return;
  // What was written meanwhile found this worker busy: a start is often followed by its end at once.
  const last = mine[mine.length - 1] ?? mine[0];
  if (!platformEvents[last.type].isFinal)
    await processSubject(deps, { subject: partition, target: last.target.id });
}

async function fannedOut(deps: DeliveryWorkerDeps, partition: string): Promise<SubjectSeen> {
  const subject = subjectOf(partition);
  const seen = await readSubject(deps.db, subject);
  const isPublished = seen.isWatched && (await publishIfLost(deps, subject.id));
  const { events, deliveries } = isPublished ? await readSubject(deps.db, subject) : seen;
  const open = events.filter(({ due_at }) => due_at !== undefined);
  if (open.length === 0) return { ...seen, events, deliveries };
  // In their order, so that no later event of the subject is sent before an earlier one has its deliveries.
  for (const event of open) await fanOut(deps, event, deliveries);
  return readSubject(deps.db, subject);
}

/**
 * Looks whether the process of a foreground run is lost, and writes the event that the process could not write.
 *
 * @returns whether an event was written
 */
async function publishIfLost({ db, clock }: DeliveryWorkerDeps, runId: string): Promise<boolean> {
  const now = epochSeconds(clock);
  const watch = await getLeaseWatch(db, runId);
  if (!watch) return false;
  const { owner, session_id } = watch;
  const run = await getRunHead(db, { owner, session_id, run_id: runId }, now);
  const leaseUntil = run?.lease_until;
  if (run?.status === "RUNNING" && leaseUntil !== undefined) {
    await watchAgain(db, runId, leaseUntil);
    return false;
  }
  // A run whose end was written has no lease any more.
  const isLost = run?.status === "ERROR" && leaseUntil !== undefined;
  const event = isLost
    ? await runEvent(db, run, { status: "ERROR", attempt: run.attempt, now: leaseUntil })
    : undefined;
  if (event && (await publishLostRun(db, runId, event))) return true;
  await removeWatch(db, runId);
  return false;
}
