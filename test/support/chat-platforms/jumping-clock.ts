import { systemClock } from "../../../shared/runtime/clock.ts";
import type { ManualClock } from "../manual-clock.ts";

/** A clock that runs, and that a test can also move on: whoever sleeps until then wakes. */
export function jumpingClock(): ManualClock {
  let ahead = 0;
  const sleepers = new Set<{ readonly until: number; readonly jump: AbortController }>();
  const now = () => Date.now() + ahead;
  return {
    now,
    sleep: async (ms, signal) => {
      const until = now() + ms;
      while (now() < until) {
        const sleeper = { until, jump: new AbortController() };
        sleepers.add(sleeper);
        const either = signal ? AbortSignal.any([signal, sleeper.jump.signal]) : sleeper.jump.signal;
        await systemClock.sleep(until - now(), either).catch(() => undefined);
        sleepers.delete(sleeper);
        if (signal?.aborted) throw signal.reason;
      }
    },
    advance: (ms) => {
      ahead += ms;
      for (const { until, jump } of [...sleepers]) if (until <= now()) jump.abort();
    },
  };
}
