import type { MessageQueue } from "../queue/message-queue.ts";
import type { Log } from "../runtime/log.ts";
import type { TableName } from "../runtime/table-env.ts";
import type { Db } from "../stores/db.ts";
import { guardedUpdate } from "../stores/guarded-update.ts";
import type { Item } from "../stores/transact.ts";
import { type DueRow, delayUntil } from "./due.ts";
import { allOf, type Changes, type Guard, updateOf } from "./guard.ts";

/** Where the lease of a record is stored, and for how long it is. The names are those of stored records. */
export type LeaseRow = {
  /** The attribute that names the worker which has leased the record. */
  readonly holder: string;
  /** The attribute that says until when that worker counts as alive; epoch seconds. */
  readonly until: string;
  readonly seconds: number;
  /** How often it is renewed in that time; 0 for work that ends within its lease. */
  readonly renewals: number;
  /** How long after the end of a lease the record is due. */
  readonly settlingSeconds: number;
};

/** What becomes of work that fails, or whose worker dies. */
export type RetryRow<Stored> = {
  /** The attribute that counts claims since the last progress: a worker that dies is counted too. */
  readonly stalls: string;
  readonly stallsOf: (record: Stored) => number;
  /** With more of them the work is given up. */
  readonly most: number;
  /** How long after a failed execution the next one begins, if that follows from nothing else. */
  readonly delaySeconds?: (stalls: number) => number;
};

/** One kind of leased work. What differs between the kinds is here; what they have in common is in `defineWork`. */
export type WorkRow<Stored extends object, Ref, Message> = {
  /** What one record is called in the log. */
  readonly kind: string;
  readonly table: TableName;
  readonly keyOf: (ref: Ref) => Item;
  /** @throws when the item is not of a shape that this code reads */
  readonly read: (item: Item) => Stored;
  /** Under which condition there is work to do, whoever does it. */
  readonly open: Guard;
  /** What must hold for every write of a worker, in addition to its lease. */
  readonly alive?: Guard;
  readonly lease: LeaseRow;
  readonly retry: RetryRow<Stored>;
  readonly due: DueRow<Ref>;
  /** The message that wakes a worker. @param row what names the record, as `due` finds it; now epoch seconds */
  readonly message: (row: Item, now: number) => Message;
};

/** Every attribute of a stored record, also of one that only some of its variants have. */
type FieldsOf<Stored> = {
  readonly [Name in Stored extends unknown ? keyof Stored : never]?:
    | (Stored extends { readonly [K in Name]?: infer Value } ? Value : never)
    | undefined;
};

const exists: Guard = { condition: "attribute_exists(#pk)" };

/** What a write changes: `undefined` removes an attribute. */
export type WorkChange<Stored> = {
  readonly set?: FieldsOf<Stored>;
  readonly add?: Readonly<Record<string, number>>;
  /** Attributes to remove that are not fields, such as keys of indexes. */
  readonly unset?: readonly string[];
  /** When it is due next, epoch seconds; null for never. Absent: as it is. */
  readonly due?: number | null;
};

/** The same for the writes of this file, which know attributes by the names in the row. */
type AnyChange = Changes & Pick<WorkChange<object>, "due" | "unset">;

/** A refused write says what it saw. */
export type Changed<Stored> =
  | { readonly changed: true; readonly record: Stored }
  | { readonly changed: false; readonly seen: Stored | undefined };

export type ClaimOptions<Stored> = {
  /** How long this lease is, where it differs from the row's. */
  readonly seconds?: number;
  /** Further conditions: that the record is as it was read. */
  readonly guard?: Guard;
  /** Written with the claim. */
  readonly change?: WorkChange<Stored>;
  /** Set where the claim is not counted as a stall. */
  readonly uncounted?: boolean;
};

export type WakeDeps<Message> = {
  readonly queue: Pick<MessageQueue<Message>, "send">;
  readonly log: Pick<Log, "warn">;
};

/**
 * Leased work: records that one worker at a time processes, of which a message is only a wake-up.
 *
 *   worker a  |-- claim --- renew --- renew --x dies
 *   lease                          |---- seconds ----|
 *   due                                              |-- settling --| sweep ▶ message ▶ worker b claims
 *
 * Every write of a worker has its lease as a condition, so one that lost it changes nothing any more.
 */
export function defineWork<Stored extends object, Ref, Message>(row: WorkRow<Stored, Ref, Message>) {
  const { table, keyOf, read, open, alive, lease, retry, due, message } = row;

  /** The lease of a worker: the condition of all its writes. */
  const held = (worker: string): Guard =>
    allOf({ condition: `#${lease.holder} = :holder`, values: { ":holder": worker } }, alive);
  /** That no worker has leased it. @param now epoch seconds */
  const free = (now: number): Guard => ({
    condition: `attribute_not_exists(#${lease.until}) OR #${lease.until} < :now_free`,
    values: { ":now_free": now },
  });
  /** When a lease ends that begins now, and when the record is due then; epoch seconds. */
  const leaseEnd = (now: number, seconds = lease.seconds) => ({
    until: now + seconds,
    due: now + seconds + lease.settlingSeconds,
  });
  /** The change that leases a record from now on. */
  const leased = (worker: string, now: number, seconds?: number) => {
    const { until, due } = leaseEnd(now, seconds);
    return { set: { [lease.holder]: worker, [lease.until]: until }, due };
  };
  /** The change that releases the lease. */
  const released = (change: WorkChange<Stored>): WorkChange<Stored> => {
    const set = { ...change.set, [lease.holder]: undefined, [lease.until]: undefined };
    return { ...change, set: set as FieldsOf<Stored> }; // the row names fields of the record
  };

  const updateParams = (
    db: Db,
    ref: Ref,
    { set, add = {}, unset = [], due: at }: AnyChange,
    guard: Guard,
  ) => {
    const removed = Object.fromEntries(unset.map((name) => [name, undefined]));
    const time = at === undefined ? {} : due.attributes(ref, at ?? undefined);
    const params = updateOf({ set: { ...set, ...time, ...removed }, add }, guard);
    return { TableName: db.tables[table], Key: keyOf(ref), ...params };
  };
  const write = async (db: Db, ref: Ref, change: AnyChange, guard: Guard): Promise<Changed<Stored>> => {
    const updated = await guardedUpdate(db, updateParams(db, ref, change, guard));
    return updated.changed
      ? { changed: true, record: read(updated.item) }
      : { changed: false, seen: updated.seen && read(updated.seen) };
  };

  return {
    kind: row.kind,
    lease,
    retry,
    message,
    open,
    held,
    free,
    leaseEnd,
    leased,
    released,

    /** The parameters of a guarded change, for an entry of a transaction. */
    update: (db: Db, ref: Ref, change: WorkChange<Stored>, guard: Guard) =>
      updateParams(db, ref, change, guard),

    /** A guarded change by anybody. */
    change: (db: Db, ref: Ref, change: WorkChange<Stored>, guard: Guard) =>
      write(db, ref, change, allOf(exists, guard)),

    /**
     * Claims a record for a worker. Counted from here, so that an execution whose process dies is counted too.
     *
     * @param now  epoch seconds
     * @returns    undefined when there is nothing to do, or another worker has it
     */
    async claim(
      db: Db,
      ref: Ref,
      worker: string,
      now: number,
      { seconds, guard, change: more = {}, uncounted }: ClaimOptions<Stored> = {},
    ): Promise<Stored | undefined> {
      const lease = leased(worker, now, seconds);
      const change = {
        set: { ...more.set, ...lease.set },
        add: { ...more.add, ...(!uncounted && { [retry.stalls]: 1 }) },
        due: lease.due,
      };
      const claim = updateParams(db, ref, change, allOf(exists, alive, open, guard, free(now)));
      const claimed = await guardedUpdate(db, claim);
      if (claimed.changed) return read(claimed.item);
      // A claim whose answer was lost is repeated by the SDK, and is then refused by its own first write.
      return claimed.seen?.[row.lease.holder] === worker ? read(claimed.seen) : undefined;
    },

    /** The worker's heartbeat. @returns false when another worker has the record by now, or it is gone */
    renew: async (db: Db, ref: Ref, worker: string, now: number): Promise<boolean> =>
      (await guardedUpdate(db, updateParams(db, ref, leased(worker, now), held(worker)))).changed,

    /** A step of the worker. @param guard further conditions */
    write: (db: Db, ref: Ref, worker: string, change: WorkChange<Stored>, guard?: Guard) =>
      write(db, ref, change, allOf(held(worker), guard)),

    /** The last step of the worker: releases the lease, and says when the record is due again, if it is. */
    release: (db: Db, ref: Ref, worker: string, change: WorkChange<Stored>, guard?: Guard) =>
      write(db, ref, released(change), allOf(held(worker), guard)),

    /** How long after a failed execution the next one begins, in seconds. @param stalls that one included */
    retryDelay: (stalls: number): number => retry.delaySeconds?.(stalls) ?? 0,

    /** Sends a wake-up. One that is lost is sent by the sweeper. */
    async wake({ queue, log }: WakeDeps<Message>, named: Message, delaySeconds = 0): Promise<void> {
      await queue
        .send(named, delaySeconds)
        .catch((error) => log.warn(`${row.kind}: wake-up not sent`, { ...named, error: String(error) }));
    },

    /** The messages of everything that is due, those that have waited longest first. @param now epoch seconds */
    due: (db: Db, now: number) => dueMessages({ due, message }, db, now),

    /**
     * Sends a message for each record that is due: its message was lost, its worker died, or it waits for longer than a
     * message can be delayed.
     *
     * @param now  epoch seconds
     * @returns    how many were sent
     */
    sweep: (db: Db, queue: Pick<MessageQueue<Message>, "send">, now: number): Promise<number> =>
      sweepDue({ due, message }, db, queue, now),
  };
}

export type Work<Stored extends object, Ref, Message> = ReturnType<typeof defineWork<Stored, Ref, Message>>;

/** A message to send now, which arrives after a delay. */
type DueMessage<Message> = { readonly message: Message; readonly delaySeconds: number };

type DueWork<Message> = Pick<WorkRow<object, never, Message>, "due" | "message">;

/** Each message once: several records may be woken by one. */
async function dueMessages<Message>(
  { due, message }: DueWork<Message>,
  db: Db,
  now: number,
): Promise<DueMessage<Message>[]> {
  const messages = (await due.list(db, now)).map(({ row, dueAt }) => ({
    message: message(row, now),
    delaySeconds: delayUntil(dueAt, now),
  }));
  return [...new Map(messages.map((one) => [JSON.stringify(one.message), one])).values()];
}

/** See `sweep`; also for due work that is found otherwise. */
export async function sweepDue<Message>(
  work: DueWork<Message>,
  db: Db,
  queue: Pick<MessageQueue<Message>, "send">,
  now: number,
): Promise<number> {
  const messages = await dueMessages(work, db, now);
  for (const { message, delaySeconds } of messages) await queue.send(message, delaySeconds);
  return messages.length;
}
