import type { Reloaded } from "./function-reloader.ts";

/** Milliseconds. An editor, or a command, may save a file in several steps: each is seen, and each finds the same slip. */
const OF_ONE_SAVE_MS = 3000;

/**
 * Decides whether a reload has found nothing but what was just said.
 *
 * @returns a function of what a reload has found, and when it ended; true where it need not be said
 */
export function repeatedProblems(): (reloaded: Reloaded, now: number) => boolean {
  let last = { problems: "", at: Number.NEGATIVE_INFINITY };
  return ({ functions, problems }, now) => {
    const found = problems.join("\n");
    const isRepeated = functions.length === 0 && found === last.problems && now - last.at < OF_ONE_SAVE_MS;
    last = { problems: found, at: now };
    return isRepeated;
  };
}
