import type { Clock } from "../../shared/runtime/clock.ts";

/**
 * A clock for workers that take turns with a real store: it stands still while one of them works, and moves on to the next
 * instant once all of them sleep. Those that sleep until the same instant wake together.
 */
export function virtualClock(startMs: number) {
  let now = startMs;
  let live = 0;
  let sleepers: { readonly at: number; readonly wake: () => void }[] = [];
  const moveOn = () => {
    if (live === 0 || sleepers.length < live) return;
    now = Math.min(...sleepers.map(({ at }) => at));
    const due = sleepers.filter(({ at }) => at <= now);
    sleepers = sleepers.filter(({ at }) => at > now);
    for (const { wake } of due) wake();
  };
  const clock: Clock = {
    now: () => now,
    sleep: (ms) =>
      new Promise((wake) => {
        sleepers.push({ at: now + Math.max(0, ms), wake });
        moveOn();
      }),
  };
  return {
    ...clock,
    /** Runs workers side by side, until all have ended. */
    async play(workers: readonly (() => Promise<void>)[]): Promise<void> {
      live = workers.length;
      await Promise.all(
        workers.map(async (work) => {
          try {
            await work();
          } finally {
            live -= 1;
            moveOn();
          }
        }),
      );
    },
  };
}
