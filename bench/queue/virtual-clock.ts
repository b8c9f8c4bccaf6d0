import type { Clock } from "../../shared/runtime/clock.ts";

type Timer = { readonly at: number; readonly order: number; readonly wake: () => void };

/** A clock that moves from one sleeper to the next, so that an hour takes seconds. */
export function virtualClock() {
  const timers = new Set<Timer>();
  let now = 0;
  let made = 0;
  const clock: Clock = {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const timer = { at: now + ms, order: made++, wake: resolve };
        timers.add(timer);
        signal?.addEventListener("abort", () => {
          timers.delete(timer);
          reject(signal.reason);
        });
      }),
  };
  return {
    clock,
    /** Lets time pass until this instant, or until nothing sleeps any more. */
    async runUntil(end: number): Promise<void> {
      for (;;) {
        // What has ended its sleep runs until it sleeps again.
        await new Promise((resolve) => setImmediate(resolve));
        const next = earliest(timers);
        if (!next || next.at > end) return;
        timers.delete(next);
        now = next.at;
        next.wake();
      }
    },
  };
}

function earliest(timers: ReadonlySet<Timer>): Timer | undefined {
  let first: Timer | undefined;
  for (const timer of timers) {
    if (!first || timer.at < first.at || (timer.at === first.at && timer.order < first.order)) first = timer;
  }
  return first;
}
