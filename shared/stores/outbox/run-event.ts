import { type Put, putItem } from "../../data/writes.ts";
import { orderOfRunEvent, platformEvents, runEventType } from "../../domain/platform-events/catalogue.ts";
import { derivedId } from "../../runtime/ids.ts";
import type { RunStatus } from "../../schemas/runs/run.ts";
import type { Db } from "../db.ts";
import type { RunAddress } from "../runs/run-address.ts";
import type { StoredRun } from "../runs/run-item.ts";
import { eventItem, type StoredEvent } from "./event-item.ts";
import { subjectPartition } from "./outbox-keys.ts";
import { getPushConfigs } from "./push-configs.ts";

/** What of a run's record its events need. */
export type PublishedRun = RunAddress &
  Pick<StoredRun, "component_type" | "component_id" | "callback" | "schedule_run" | "task_token">;

/** How a run ends or pauses. `now` in epoch seconds. */
type RunEnding = {
  readonly status: RunStatus;
  readonly attempt: number;
  readonly now: number;
  /** Whether a message of A2A began it: its client may want to be told. */
  readonly isTask?: boolean;
};

/** A wake-up that was not delivered for so long is sent again. */
export const LOST_AFTER_SECONDS = 60;
const DAY_SECONDS = 86_400;

/** @param now epoch seconds */
export const expiryOfEvent = (now: number, retentionDays: number): number =>
  now + retentionDays * DAY_SECONDS;

/**
 * The event of a run that ends or pauses. Its id follows from run, attempt and type, so that writing it twice is writing
 * it once.
 *
 * @returns undefined where nobody may hear it
 */
export async function runEvent(
  db: Db,
  run: PublishedRun,
  { status, attempt, now, isTask = false }: RunEnding,
): Promise<StoredEvent | undefined> {
  const type = runEventType(status);
  if (!db.outbox || type === undefined) return undefined;
  const { run_id, session_id, owner, component_type, component_id, schedule_run, task_token } = run;
  const callback = run.callback?.events.includes(type) ? run.callback : undefined;
  const isAwaited = task_token !== undefined && platformEvents[type].isFinal;
  const pushed = isTask && (await getPushConfigs(db, run_id)).length > 0;
  if (!callback && !isAwaited && !pushed && !(await db.outbox.hasSubscribers("run"))) return undefined;
  const subject = { kind: "run", id: run_id } as const;
  const order = orderOfRunEvent(attempt, type);
  return {
    id: `evt_${derivedId(`${subjectPartition(subject)}#${order}`)}`,
    type,
    subject,
    order,
    owner,
    occurred_at: now,
    run: {
      ...{ session_id, component_type, component_id, attempt, status },
      ...(callback && { callback }),
      ...(schedule_run && { schedule_run }),
      ...(isAwaited && { task: true as const }),
      ...(pushed && { pushed }),
    },
    due_at: now + LOST_AFTER_SECONDS,
    expires_at: expiryOfEvent(now, db.outbox.retentionDays),
  };
}

/** The write of an event, in the transaction in which it happens. */
export const putEvent = (event: StoredEvent): Put => putItem("outbox", eventItem(event));

/** Wakes the worker for an event that was written. A wake-up that fails is sent by the sweeper. */
export async function wakeForEvent(db: Db, { subject }: StoredEvent): Promise<void> {
  await db.outbox?.wake?.(subjectPartition(subject)).catch(() => undefined);
}
