import { epochSeconds } from "../../shared/runtime/clock.ts";
import { LEASE_SECONDS, renewLease } from "../../shared/stores/chats/lease-message.ts";
import type { ChatWorkerDeps } from "./chat-worker-deps.ts";

const RENEW_EVERY_MS = (LEASE_SECONDS / 3) * 1000;

/**
 * Renews a worker's lease on a message until it is released. It stops when another worker has it.
 *
 * @returns a signal that aborts then, and the function that ends the heartbeat
 */
export function startLeaseHeartbeat({ db, clock, log }: ChatWorkerDeps, key: string, worker: string) {
  const lost = new AbortController();
  const ended = new AbortController();
  const renew = async (): Promise<void> => {
    try {
      if (!(await renewLease(db, key, worker, epochSeconds(clock)))) lost.abort();
    } catch (error) {
      log.warn("a lease could not be renewed", { error: String(error) });
    }
  };
  const loop = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(RENEW_EVERY_MS, ended.signal).catch(() => undefined);
      if (ended.signal.aborted || lost.signal.aborted) return;
      await renew();
    }
  };
  const running = loop();
  return {
    signal: lost.signal,
    release: (): Promise<void> => {
      ended.abort();
      return running;
    },
  };
}
