import { absent, absentOr, atMost, below, type Guard } from "../data/index.ts";

/** Where the lease of a record is stored, and for how long it is. The names are those of stored records. */
export type LeaseRow = {
  /** The attribute that names who has it. */
  readonly holder: string;
  /** Set where that is a number which every write raises: who has it is whoever has read it last. */
  readonly isRevision?: true;
  /** The attribute with its time; epoch seconds. */
  readonly time: string;
  /** Which time that is. */
  readonly stores: "end" | "begin";
  /** What a release leaves in these attributes. */
  readonly releasedAs: undefined | null;
  readonly seconds: number;
  /** How often it is renewed in that time; 0 for work that ends within its lease. */
  readonly renewals: number;
  /** How long after the end of a lease the record is due. */
  readonly settlingSeconds: number;
};

/** Who has a lease: the name of a worker, or the revision that it has read. */
export type Holder = string | number;

/** The conditions of a lease and the attributes that it writes: the same for every kind of work. */
export function leaseOf({ holder, isRevision, time, stores, releasedAs, ...row }: LeaseRow, alive?: Guard) {
  /** When a lease ends that begins now, and when the record is due then; epoch seconds. */
  const end = (now: number, seconds = row.seconds) => ({
    until: now + seconds,
    due: now + seconds + row.settlingSeconds,
  });
  const timeAt = (now: number, seconds?: number) => (stores === "end" ? end(now, seconds).until : now);
  const isOver = (now: number) => (stores === "end" ? below(now) : atMost(now - row.seconds));
  const released: Readonly<Record<string, undefined | null>> = {
    ...(!isRevision && { [holder]: releasedAs }),
    [time]: releasedAs,
  };
  /** That a holder has it: the condition of all its writes. */
  const held = (by: Holder): Guard => [{ [holder]: by }, ...(alive ? [alive] : [])];
  /** What every write of a holder sets, in addition to its change. */
  const raised = (by: Holder): Readonly<Record<string, unknown>> =>
    isRevision ? { [holder]: Number(by) + 1 } : {};
  return {
    end,
    held,
    raised,
    /** That the last lease is over. @param now epoch seconds */
    over: (now: number): Guard => ({ [time]: isOver(now) }),
    released,
    /** That no worker has it, and the last one has released it. */
    none: { [time]: absent } satisfies Guard,
    /** That no worker has it. @param now epoch seconds */
    free: (now: number): Guard => ({ [time]: absentOr(isOver(now)) }),
    taken: (by: Holder, now: number, seconds?: number): Readonly<Record<string, unknown>> => ({
      ...(isRevision ? raised(by) : { [holder]: by }),
      [time]: timeAt(now, seconds),
    }),
    renewed: (now: number): Readonly<Record<string, unknown>> => ({ [time]: timeAt(now) }),
  };
}
