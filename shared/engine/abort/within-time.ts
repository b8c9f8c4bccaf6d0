import { createContext, Script } from "node:vm";

/**
 * Does work that must not hold the process up, such as matching a pattern that somebody else wrote. The work is broken
 * off where it stands, so it may not leave anything half changed.
 *
 * @throws an error with code ERR_SCRIPT_EXECUTION_TIMEOUT when the time is over; else what the work threw
 */
export function withinTime<T>(work: () => T, timeoutMs: number): T {
  // Only a script that the machine itself watches can be ended from outside; it does nothing but call the work.
  return new Script("work()").runInContext(createContext({ work }), { timeout: timeoutMs });
}
