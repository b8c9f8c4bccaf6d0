import { RunStopped } from "../engine/run/run-stopped.ts";
import { epochSeconds } from "../runtime/clock.ts";
import { LEASE_SECONDS, renewLease } from "../stores/evals/claim-eval.ts";
import type { LeasedEval } from "../stores/evals/eval-item.ts";
import type { EvalDeps } from "./eval-deps.ts";

const RENEWALS_PER_LEASE = 3;

export type LeaseHeartbeat = {
  /** Aborts with RunStopped `lost` when another worker has the lease, or the process is about to end. */
  readonly signal: AbortSignal;
  /** Whether another worker has the evaluation, or it is gone: then nothing more may be written. */
  readonly isLost: () => boolean;
  /** Stops the renewals and waits for one in progress. */
  readonly release: () => Promise<void>;
};

/**
 * Renews the lease of an evaluation while its trials run. A lease that could not be renewed for its whole length counts
 * as lost.
 *
 * @param lifeMs  how long the process may still work
 */
export function startLeaseHeartbeat(
  { db, clock, log }: Pick<EvalDeps, "db" | "clock" | "log">,
  record: LeasedEval,
  lifeMs: number,
): LeaseHeartbeat {
  const stop = new AbortController();
  const ended = new AbortController();
  const everyMs = (LEASE_SECONDS * 1000) / RENEWALS_PER_LEASE;
  const over = setTimeout(() => stop.abort(new RunStopped("lost", "the process ends")), Math.max(0, lifeMs));
  let renewedAt = clock.now();
  let isLost = false;
  const markLost = () => {
    isLost = true;
    stop.abort(new RunStopped("lost", "the evaluation belongs to somebody else, or is gone"));
  };
  const loop = async () => {
    while (!stop.signal.aborted) {
      await clock.sleep(everyMs, ended.signal).catch(() => undefined);
      if (ended.signal.aborted) return;
      try {
        if (!(await renewLease(db, record, epochSeconds(clock)))) return markLost();
        renewedAt = clock.now();
      } catch (error) {
        log.warn("a lease could not be renewed", { eval_id: record.id, error: String(error) });
        if (clock.now() - renewedAt >= LEASE_SECONDS * 1000) return markLost();
      }
    }
  };
  const running = loop();
  return {
    signal: stop.signal,
    isLost: () => isLost,
    release: () => {
      clearTimeout(over);
      ended.abort();
      return running;
    },
  };
}
