import { after, type Clock, epochSeconds } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";

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
