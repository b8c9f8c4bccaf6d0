import { progressLine } from "../local/progress-line.ts";

const SHOW_EVERY_MS = 200;

/**
 * Shows the progress of a measurement on a terminal, rarely enough not to affect it; prints nothing elsewhere.
 *
 * @param count  number of steps
 */
export function shownProgress(count: number) {
  const line = progressLine(process.stderr);
  let shownAt = 0;
  return {
    done: (sofar: number): void => {
      if (!process.stderr.isTTY || performance.now() - shownAt < SHOW_EVERY_MS) return;
      shownAt = performance.now();
      line.passing(`${sofar} of ${count}`);
    },
    end: (): void => {
      if (process.stderr.isTTY) line.clear();
    },
  };
}
