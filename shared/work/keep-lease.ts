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
  /** Stops the renewals and waits for one in progress. */
  readonly end: () => Promise<void>;
};

export type KeepOptions = {
  /** For how long the process may still work; absent where the work itself sees to that. */
  readonly lifeMs?: number;
  /** The reason with which the signal aborts. */
  readonly reason?: (why: "lost" | "out of time") => unknown;
};

type Lease = {
  readonly kind: string;
  readonly seconds: number;
  /** In the length of a lease; 0 for none. */
  readonly renewals: number;
  /** @param now epoch seconds @returns false when another worker has the record, or it is gone */
  readonly renew: (now: number) => Promise<boolean>;
};

/**
 * Renews a lease while work is done under it. One that is refused is lost at once; one that could not be renewed for its
 * whole length counts as lost too.
 */
export function keepLease(
  { clock, log }: { readonly clock: Clock; readonly log: Pick<Log, "warn"> },
  { kind, seconds, renewals, renew }: Lease,
  { lifeMs, reason = (why) => new LeaseLost(`${kind}: ${why}`) }: KeepOptions = {},
): KeptLease {
  const stop = new AbortController();
  const ended = new AbortController();
  const isOver =
    lifeMs === undefined
      ? () => {}
      : after(clock, Math.max(0, lifeMs), () => stop.abort(reason("out of time")));
  let renewedAt = clock.now();
  let isLost = false;
  const lose = () => {
    isLost = true;
    stop.abort(reason("lost"));
  };
  const loop = async (): Promise<void> => {
    while (renewals > 0 && !stop.signal.aborted) {
      await clock.sleep((seconds * 1000) / renewals, ended.signal).catch(() => undefined);
      if (ended.signal.aborted) return;
      try {
        const now = epochSeconds(clock);
        if (!(await renew(now))) return lose();
        // The time that others will read, not the time of the answer.
        renewedAt = now * 1000;
      } catch (error) {
        log.warn(`${kind}: the lease could not be renewed`, { error: String(error) });
        if (clock.now() - renewedAt >= seconds * 1000) return lose();
      }
    }
  };
  const running = loop();
  return {
    signal: stop.signal,
    isLost: () => isLost,
    end: () => {
      isOver();
      ended.abort();
      return running;
    },
  };
}
