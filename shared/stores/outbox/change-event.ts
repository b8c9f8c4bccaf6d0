import type { Write } from "../../data/writes.ts";
import { familyOf, orderOfChange, topicOf } from "../../domain/platform-events/catalogue.ts";
import { newId } from "../../runtime/ids.ts";
import type { ChangeType } from "../../schemas/deliveries/event-type.ts";
import type { Db } from "../db.ts";
import type { ChangedComponent, ChangeFacts, StoredEvent } from "./event-item.ts";
import { expiryOfEvent, LOST_AFTER_SECONDS, putEvent, wakeForEvent } from "./run-event.ts";

/** A change that somebody may want to hear of. */
export type Change = {
  readonly type: ChangeType;
  /** Of the record that changes; its kind follows from the type. */
  readonly id: string;
  /** Whose it is; null for nobody's. */
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
  /** Nothing refuses them. Empty where nobody hears of it. */
  readonly entries: readonly Write[];
  readonly wake: () => Promise<void>;
};

/** Costs nothing where nobody hears of such changes. */
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
