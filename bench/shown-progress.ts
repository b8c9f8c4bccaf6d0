import { progressLine } from "../local/progress-line.ts";

const SHOW_EVERY_MS = 200;

/**
 * Shows on a terminal how far a measurement is; elsewhere nothing, and never often enough to be measured with it.
 *
 * @param count  things to do
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
