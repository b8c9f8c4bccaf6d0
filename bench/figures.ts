import { shownProgress } from "./shown-progress.ts";

/** Percentiles of a set of times in milliseconds. */
export type Figures = {
  readonly n: number;
  readonly p25: number;
  readonly p50: number;
  readonly p95: number;
};

export function figuresOf(timesMs: readonly number[]): Figures {
  const sorted = [...timesMs].sort((a, b) => a - b);
  const at = (q: number) =>
    sorted[Math.min(sorted.length - 1, Math.ceil(q * sorted.length) - 1)] ?? Number.NaN;
  return { n: sorted.length, p25: at(0.25), p50: at(0.5), p95: at(0.95) };
}

/** Runs `work` `count` times with limited concurrency; returns the time of each and the overall rate. */
export async function runConcurrently(
  count: number,
  concurrency: number,
  work: (i: number) => Promise<void>,
): Promise<{ timesMs: number[]; perSecond: number }> {
  const timesMs: number[] = [];
  const progress = shownProgress(count);
  const startedAt = performance.now();
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const i = next++;
      const from = performance.now();
      await work(i);
      timesMs.push(performance.now() - from);
      progress.done(timesMs.length);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  const perSecond = (count / (performance.now() - startedAt)) * 1000;
  progress.end();
  return { timesMs, perSecond };
}

/** One row of the printed table. */
export type Row = { readonly what: string; readonly figure: string; readonly goal?: string };

export function printTable(rows: readonly Row[]): void {
  const widthOf = (pick: (row: Row) => string) => Math.max(...rows.map((row) => pick(row).length));
  const [w, f] = [widthOf((row) => row.what), widthOf((row) => row.figure)];
  for (const { what, figure, goal } of rows) {
    console.log(`${what.padEnd(w)}  ${figure.padStart(f)}${goal ? `   goal ${goal}` : ""}`);
  }
}

export const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} ms`;
