import {
  type Changes,
  exists,
  type Guard,
  type Item,
  type Key,
  type Update,
  updateItem,
  writeAndRead,
} from "../data/index.ts";
import type { TableName } from "../settings/table-env.ts";
import type { Db } from "../stores/db.ts";
import type { DueRow } from "./due.ts";
import { type Holder, type LeaseRow, leaseOf } from "./lease.ts";
import { type WakeRow, wakeUps } from "./wake-ups.ts";

/** What becomes of work that fails, or whose worker dies. */
export type RetryRow<Stored> = {
  /** The attribute that counts claims since the last progress: a worker that dies is counted too. Absent where none does. */
  readonly stalls?: string;
  readonly stallsOf: (record: Stored) => number;
  /** With more of them the work is given up. */
  readonly most: number;
  /** How long after a failed execution the next one begins, if that follows from nothing else. */
  readonly delaySeconds?: (stalls: number) => number;
};

/** One kind of leased work. What differs between the kinds is here; what they have in common is in `defineWork`. */
export type WorkRow<Stored extends object, Ref, Message extends object> = WakeRow<Message> & {
  readonly table: TableName;
  readonly keyOf: (ref: Ref) => Key;
  /** @throws when the item is not of a shape that this code reads */
  readonly read: (item: Item) => Stored;
  /** Under which condition there is work to do, whoever does it. */
  readonly open: Guard;
  /** What must hold for every write of a worker, in addition to its lease. */
  readonly alive?: Guard;
  readonly lease: Omit<LeaseRow, "stores" | "releasedAs">;
  readonly retry: RetryRow<Stored>;
  readonly due: DueRow<Ref>;
};

/** Every attribute of a stored record, also of one that only some of its variants have. */
type FieldsOf<Stored> = {
  readonly [Name in Stored extends unknown ? keyof Stored : never]?:
    | (Stored extends { readonly [K in Name]?: infer Value } ? Value : never)
    | undefined;
};

/** What a write changes: `undefined` removes an attribute. */
export type WorkChange<Stored> = {
  readonly set?: FieldsOf<Stored>;
  readonly add?: Readonly<Record<string, number>>;
  /** Attributes to remove that are not fields, such as keys of indexes. */
  readonly unset?: readonly string[];
  /** When it is due next, epoch seconds; null for never. Absent: as it is. */
  readonly due?: number | null;
};

/** The same with attributes by the names in the row. */
type AnyChange = Pick<Changes, "set" | "add"> & Pick<WorkChange<object>, "due" | "unset">;

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
  /** Called where the worker before this one let its lease run out: its process has died, or it has left its work by an error. */
  readonly lapsed?: () => void;
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
export function defineWork<Stored extends object, Ref, Message extends object>(
  row: WorkRow<Stored, Ref, Message>,
) {
  const { table, keyOf, read, alive, retry, due } = row;
  const lease = leaseOf({ ...row.lease, stores: "end", releasedAs: undefined }, alive);

  /** The write of a guarded change, for a transaction. */
  const update = (ref: Ref, { set, add = {}, unset = [], due: at }: AnyChange, guard: Guard): Update => {
    const time = at === undefined ? {} : due.attributes(ref, at ?? undefined);
    return updateItem(table, keyOf(ref), { set: { ...set, ...time }, add, remove: unset, guard });
  };
  /** The write of a worker's step, for a transaction. */
  const step = (ref: Ref, by: Holder, change: AnyChange, guard: Guard = []): Update =>
    update(ref, withSet(change, lease.raised(by)), [lease.held(by), guard]);
  const writeStep = stepWriter(read);
  /** Attributes of a lease that begins now, in addition to a change; the record is due some time after its end. */
  const leased = (change: WorkChange<Stored>, worker: Holder, now: number, seconds?: number): AnyChange => ({
    ...change,
    set: { ...change.set, ...lease.taken(worker, now, seconds) },
    due: lease.end(now, seconds).due,
  });
  const released = (change: WorkChange<Stored>): AnyChange => withSet(change, lease.released);

  return {
    ...wakeUps(row),
    open: row.open,
    held: lease.held,
    free: lease.free,
    leaseEnd: lease.end,
    lease: row.lease,
    retry,
    leased,
    released,
    update,
    step,

    /** A guarded change by anybody. */
    change: (db: Db, ref: Ref, change: AnyChange, guard: Guard) =>
      writeStep(db, update(ref, change, [exists, guard])),

    /**
     * Claims a record for a worker. Counted from here, so that an execution whose process dies is counted too.
     *
     * @param now  epoch seconds
     * @returns    undefined when there is nothing to do, or another worker has it
     */
    claim: claimer(row, lease, (ref, change, worker, now, seconds, guard) =>
      update(ref, leased(change, worker, now, seconds), guard),
    ),

    /** The worker's heartbeat. @returns false when another worker has the record by now, or it is gone */
    renew: async (db: Db, ref: Ref, worker: Holder, now: number): Promise<boolean> =>
      (await writeAndRead(db, update(ref, leased({}, worker, now), lease.held(worker)))).written,

    /** A step of the worker. @param guard further conditions */
    write: (db: Db, ref: Ref, by: Holder, change: WorkChange<Stored>, guard?: Guard) =>
      writeStep(db, step(ref, by, change, guard)),

    /** The last step of the worker: releases the lease, and says when the record is due again, if it is. */
    release: (db: Db, ref: Ref, by: Holder, change: WorkChange<Stored>, guard?: Guard) =>
      writeStep(db, step(ref, by, released(change), guard)),

    /** How long after a failed execution the next one begins, in seconds. @param stalls that one included */
    retryDelay: (stalls: number): number => retry.delaySeconds?.(stalls) ?? 0,
  };
}

/** The claim of a row. @param claimed the write that leases a record with a change, if a guard holds */
const claimer =
  <Stored extends object, Ref, Message extends object>(
    { alive, open, read, retry, lease: { isRevision, holder, time } }: WorkRow<Stored, Ref, Message>,
    lease: Pick<ReturnType<typeof leaseOf>, "held" | "none" | "free">,
    claimed: (
      ref: Ref,
      change: WorkChange<Stored>,
      worker: Holder,
      now: number,
      seconds: number | undefined,
      guard: Guard,
    ) => Update,
  ) =>
  async (
    db: Db,
    ref: Ref,
    worker: Holder,
    now: number,
    { seconds, guard = [], change = {}, uncounted, lapsed }: ClaimOptions<Stored> = {},
  ): Promise<Stored | undefined> => {
    const add = { ...change.add, ...(retry.stalls !== undefined && !uncounted && { [retry.stalls]: 1 }) };
    const claimIf = (unleased: Guard) => {
      const unclaimed = [exists, alive ?? [], open, guard, unleased];
      return writeAndRead(db, claimed(ref, { ...change, add }, worker, now, seconds, unclaimed));
    };
    // A lease that is over is a case of its own: no worker released it. Of revisions only the holder knows.
    let result = await claimIf(isRevision ? lease.held(worker) : lease.none);
    if (!result.written && !isRevision && Number(result.seen?.[time] ?? now) < now) {
      result = await claimIf(lease.free(now));
      if (result.written) lapsed?.();
    }
    if (result.written) return read(result.item);
    // The SDK repeats a claim whose answer was lost, and its own first write refuses it.
    return !isRevision && result.seen?.[holder] === worker ? read(result.seen) : undefined;
  };

/** Sends the write of a step. */
const stepWriter =
  <Stored>(read: (item: Item) => Stored) =>
  async (db: Db, change: Update): Promise<Changed<Stored>> => {
    const updated = await writeAndRead(db, change);
    if (updated.written) return { changed: true, record: read(updated.item) };
    return { changed: false, seen: updated.seen && read(updated.seen) };
  };

const withSet = (change: AnyChange, set: AnyChange["set"]): AnyChange => ({
  ...change,
  set: { ...change.set, ...set },
});

export type Work<Stored extends object, Ref, Message extends object> = ReturnType<
  typeof defineWork<Stored, Ref, Message>
>;

/** A delay that doubles with every stall. @param base seconds; most seconds */
export const doubling =
  ({ base, most }: { readonly base: number; readonly most: number }) =>
  (stalls: number): number =>
    Math.min(most, base * 2 ** stalls);
