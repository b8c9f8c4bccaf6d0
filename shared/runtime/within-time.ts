import { createContext, Script } from "node:vm";

/**
 * Runs work that must not block the process, such as matching an untrusted pattern. The work is interrupted at any
 * point, so it must not leave anything half changed.
 *
 * @throws an error with code ERR_SCRIPT_EXECUTION_TIMEOUT when the time is over; else what the work threw
 */
export function withinTime<T>(work: () => T, timeoutMs: number): T {
  // Only a script of `node:vm` can be interrupted from outside; this one only calls the work.
  return new Script("work()").runInContext(createContext({ work }), { timeout: timeoutMs });
}
