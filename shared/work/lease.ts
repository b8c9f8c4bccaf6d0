import { absent, absentOr, atMost, below, type Guard } from "../data/index.ts";
import { after, type Clock, epochSeconds } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";

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

/** Another worker has the record, or it is gone; this one must not write to it any more. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

export type KeptLease = {
  /** Aborts when the lease is lost, or the time of the process is over. */
  readonly signal: AbortSignal;
  /** Whether another worker has the record, or may have it by now: then nothing more may be written. */
  readonly isLost: () => boolean;
  /** Counts the lease as lost where it was not renewed for its whole length: the process may have been frozen. */
  readonly loseIfOver: () => void;
  /** Stops the renewals and waits for one in progress. */
  readonly end: () => Promise<void>;
};

export type KeepOptions = {
  /** For how long the process may still work; absent where the work itself sees to that. */
  readonly lifeMs?: number;
  /** The reason with which the signal aborts. */
  readonly reason?: (why: "lost" | "out of time") => unknown;
  /** Aborted in place of a controller of its own: by others too. */
  readonly stop?: AbortController;
};

type Lease = {
  readonly kind: string;
  readonly seconds: number;
  /** In the length of a lease; 0 for none. */
  readonly renewals: number;
  /** When it was taken, epoch milliseconds; now where absent. */
  readonly takenAt?: number;
  /** @param now epoch seconds @returns false when another worker has the record, or it is gone */
  readonly renew: (now: number) => Promise<boolean>;
  /** What is read between two renewals. @returns as `renew` */
  readonly check?: { readonly everyMs: number; readonly read: () => Promise<boolean> };
};

/** Renewals that come faster cost more than they save. */
const LEAST_MS = 1_000;

/**
 * Renews a lease while work is done under it.
 *
 *   claim  check  check   renewal  check  check   renewal      end of the lease
 *     |──────·──────·────────♥────────·──────·────────♥─ ⋯ ──────────|
 *
 * A lease that is refused is lost at once. A renewal that fails is tried again; a lease that could not be renewed for its
 * whole length counts as lost too, because another worker may have it by then.
 */
export function startHeartbeat(
  { clock, log }: { readonly clock: Clock; readonly log: Pick<Log, "warn"> },
  { kind, seconds, renewals, takenAt = clock.now(), renew, check }: Lease,
  {
    lifeMs,
    reason = (why) => new LeaseLost(`${kind}: ${why}`),
    stop = new AbortController(),
  }: KeepOptions = {},
): KeptLease {
  const ended = new AbortController();
  const isOver =
    lifeMs === undefined
      ? () => {}
      : after(clock, Math.max(0, lifeMs), () => stop.abort(reason("out of time")));
  const everyMs = Math.max(LEAST_MS, (seconds * 1000) / renewals);
  let renewedAt = takenAt;
  let renewAt = clock.now() + everyMs;
  let isLost = false;
  const lose = () => {
    isLost = true;
    stop.abort(reason("lost"));
  };
  const loseIfOver = () => {
    if (clock.now() - renewedAt >= seconds * 1000) lose();
  };
  const renewNow = async (): Promise<boolean> => {
    renewAt = clock.now() + everyMs;
    const now = epochSeconds(clock);
    const renewed = await renew(now);
    // The time that others will read, not the time of the answer.
    if (renewed) renewedAt = now * 1000;
    return renewed;
  };
  const loop = async (): Promise<void> => {
    const waitMs = Math.min(check?.everyMs ?? everyMs, everyMs);
    while (renewals > 0) {
      await clock.sleep(waitMs, ended.signal).catch(() => undefined);
      if (ended.signal.aborted || stop.signal.aborted) return;
      try {
        const isHeld = check && clock.now() < renewAt ? check.read : renewNow;
        if (!(await isHeld())) return lose();
      } catch (error) {
        log.warn(`${kind}: the lease could not be renewed or checked`, { error: String(error) });
        loseIfOver();
      }
    }
  };
  const running = loop();
  return {
    signal: stop.signal,
    isLost: () => isLost,
    loseIfOver,
    end: () => {
      isOver();
      ended.abort();
      return running;
    },
  };
}
