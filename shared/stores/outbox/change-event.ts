import { type Put, putItem, type Write } from "../../data/index.ts";
import {
  familyOf,
  orderOfChange,
  orderOfRunEvent,
  platformEvents,
  runEventType,
  topicOf,
} from "../../domain/platform-events.ts";
import { derivedId, newId } from "../../runtime/ids.ts";
import type { ChangeType } from "../../schemas/deliveries/event-type.ts";
import type { RunStatus } from "../../schemas/runs/run.ts";
import type { Db } from "../db.ts";
import type { StoredRun } from "../runs/run-item.ts";
import type { RunAddress } from "../runs/run-keys.ts";
import { type ChangedComponent, type ChangeFacts, eventItem, type StoredEvent } from "./event-item.ts";
import { subjectPartition } from "./outbox-keys.ts";
import { getPushConfigs } from "./push-configs.ts";

/** A change that may have subscribers. */
export type Change = {
  readonly type: ChangeType;
  /** Of the record that changes; its kind follows from the type. */
  readonly id: string;
  /** Its owner; null if unowned. */
  readonly owner: string | null;
  readonly component?: ChangedComponent | undefined;
  readonly facts: ChangeFacts;
  /** Orders the changes of one record within a second. */
  readonly step?: string;
  /** Epoch seconds. */
  readonly now: number;
};

/** The events of changes, as entries of the transaction in which they happen, and what wakes the worker afterwards. */
export type Publication = {
  /** Nothing refuses them. Empty where there is no subscriber. */
  readonly entries: readonly Write[];
  readonly wake: () => Promise<void>;
};

/** Costs nothing where such changes have no subscriber. */
export async function publishChanges(db: Db, changes: readonly Change[]): Promise<Publication> {
  const found = await Promise.all(changes.map((change) => changeEvent(db, change)));
  const events = found.filter((event) => event !== undefined);
  return {
    entries: events.map(putEvent),
    wake: async () => {
      await Promise.all(events.map((event) => wakeForEvent(db, event)));
    },
  };
}

async function changeEvent(
  { outbox }: Db,
  { type, id, owner, component, facts, step, now }: Change,
): Promise<StoredEvent | undefined> {
  if (!outbox || !(await outbox.hasSubscribers(topicOf(type)))) return undefined;
  const kind = familyOf(type);
  const unique = newId();
  return {
    id: `evt_${unique}`,
    type,
    subject: { kind, id },
    order: orderOfChange(now, unique, step),
    owner,
    occurred_at: now,
    change: { facts, ...(component && { component }) },
    due_at: now + LOST_AFTER_SECONDS,
    expires_at: expiryOfEvent(now, outbox.retentionDays),
  };
}

/** What of a run's record its events need. */
export type PublishedRun = RunAddress &
  Pick<StoredRun, "component_type" | "component_id" | "callback" | "schedule_run" | "task_token">;

/** How a run ends or pauses. `now` in epoch seconds. */
type RunEnding = {
  readonly status: RunStatus;
  readonly attempt: number;
  readonly now: number;
  /** Whether a message of A2A began it: its client may want to be notified. */
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
 * @returns undefined where it has no subscriber
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
