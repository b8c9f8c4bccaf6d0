import type { Log } from "../runtime/log.ts";

/** Longest that a run waits for its trace. The work goes on after that, as far as the process lives. */
const MOST_MS = 5_000;

/**
 * Does what no run may fail by. What went wrong is logged, with a figure that the log can be counted by.
 *
 * @param told  which trace it is
 * @returns     undefined where it failed, or took too long
 */
export async function unlessItFails<T>(
  work: () => Promise<T>,
  log: Pick<Log, "error">,
  told: Readonly<Record<string, unknown>>,
): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done within ${MOST_MS} ms`)), MOST_MS);
  });
  try {
    return await Promise.race([work(), tooLong]);
  } catch (error) {
    log.error("a trace is incomplete", { ...told, error, trace_faults: 1 });
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
