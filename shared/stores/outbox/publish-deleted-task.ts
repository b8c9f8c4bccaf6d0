import { write } from "../../data/index.ts";
import { derivedId } from "../../runtime/ids.ts";
import type { Db } from "../db.ts";
import type { StoredRun } from "../runs/run-item.ts";
import { expiryOfEvent, LOST_AFTER_SECONDS, putEvent, wakeForEvent } from "./change-event.ts";
import type { StoredEvent } from "./event-item.ts";
import { subjectPartition } from "./outbox-keys.ts";
import { readSubject } from "./read-subject.ts";

/**
 * Sees to it that a task of a state machine does not wait for a run that is removed now: its record, with the token, and its
 * events go. What is left is an event of its own, which says nothing but that the run is gone. Nothing is written where the task
 * was notified already, or tasks are switched off. May be called again.
 *
 * @param run  its record, which has ended
 * @param now  epoch seconds
 */
export async function publishDeletedTask(db: Db, run: StoredRun, now: number): Promise<void> {
  const { run_id, session_id, owner, component_type, component_id, attempt, task_token } = run;
  if (task_token === undefined || !db.outbox?.taskTokens || !(await isWaiting(db, run_id))) return;
  const subject = { kind: "task", id: run_id } as const;
  const order = "deleted";
  const event: StoredEvent = {
    id: `evt_${derivedId(`${subjectPartition(subject)}#${order}`)}`,
    type: "run.cancelled",
    subject,
    order,
    owner,
    occurred_at: now,
    run: {
      ...{ session_id, component_type, component_id, attempt },
      ...{ status: "CANCELLED", task: true, task_token },
    },
    due_at: now + LOST_AFTER_SECONDS,
    expires_at: expiryOfEvent(now, db.outbox.retentionDays),
  };
  await write(db, putEvent(event));
  await wakeForEvent(db, event);
}

/** Whether an end was to be sent to the task and was not. Events that are no longer kept were sent long ago. */
async function isWaiting(db: Db, runId: string): Promise<boolean> {
  const { events, deliveries } = await readSubject(db, { kind: "run", id: runId });
  return events.some(({ run, order }) => {
    if (!run?.task) return false;
    const delivery = deliveries.find((one) => one.order === order && one.target.kind === "task");
    return delivery === undefined || delivery.status === "pending";
  });
}
