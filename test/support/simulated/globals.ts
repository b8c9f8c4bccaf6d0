import type { Random } from "./random.ts";
import type { Scheduler } from "./scheduler.ts";

/**
 * Puts simulated time and chance under code that asks the language for them: the client's retries, the stores' waits
 * between tries, an execution's timeout. Timers belong to the process that sets them and die with it.
 *
 * @returns puts everything back
 */
export function simulateGlobals(scheduler: Scheduler, random: Random): () => void {
  const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };
  const realRandom = Math.random;
  const timers = new Map<number, { dropped: boolean }>();
  let lastId = 0;
  const setSimulated = (act: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
    const id = ++lastId;
    const fire = () => {
      timers.delete(id);
      act(...args);
    };
    timers.set(id, scheduler.within(scheduler.current(), ms, "timer", fire));
    const timer = {
      [Symbol.toPrimitive]: () => id,
      unref: () => timer,
      ref: () => timer,
      hasRef: () => false,
    };
    return timer;
  };
  const clearSimulated = (timer: unknown) => {
    if (timer === undefined || timer === null) return;
    const event = timers.get(Number(timer));
    if (event) event.dropped = true;
    timers.delete(Number(timer));
  };
  Object.assign(globalThis, { setTimeout: setSimulated, clearTimeout: clearSimulated });
  Math.random = random.next;
  return () => {
    Object.assign(globalThis, real);
    Math.random = realRandom;
  };
}
