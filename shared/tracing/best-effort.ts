import type { Log } from "../runtime/log.ts";

/** Longest time that a run waits for its trace. The work continues after that while the process lives. */
const MAX_MS = 5_000;

/**
 * Does work whose failure must not fail the run. Logs an error, with a number that log metrics can count.
 *
 * @param ids  of the trace
 * @returns    undefined where it failed, or took too long
 */
export async function bestEffort<T>(
  work: () => Promise<T>,
  log: Pick<Log, "error">,
  ids: Readonly<Record<string, unknown>>,
): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done within ${MAX_MS} ms`)), MAX_MS);
  });
  try {
    return await Promise.race([work(), tooLong]);
  } catch (error) {
    log.error("a trace is incomplete", { ...ids, error, trace_faults: 1 });
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
