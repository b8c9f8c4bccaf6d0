import type { Clock } from "../../shared/runtime/clock.ts";

export type ManualClock = Clock & {
  /** Moves time on and wakes every sleeper whose time has come. */
  readonly advance: (ms: number) => void;
};

/** A clock that stands still until a test moves it. */
export function manualClock(startMs: number): ManualClock {
  let now = startMs;
  const sleepers = new Set<{ at: number; wake: () => void }>();
  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const sleeper = { at: now + ms, wake: resolve };
        sleepers.add(sleeper);
        signal?.addEventListener("abort", () => {
          sleepers.delete(sleeper);
          reject(signal.reason);
        });
      }),
    advance(ms) {
      now += ms;
      for (const sleeper of [...sleepers]) {
        if (sleeper.at > now) continue;
        sleepers.delete(sleeper);
        sleeper.wake();
      }
    },
  };
}
