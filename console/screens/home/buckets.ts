import { spans } from "../../api/use-filters.ts";
import { dateOf } from "../../parts/time.tsx";
import type { RunEntry, Span } from "./use-recent-runs.ts";

const widths: Readonly<Record<Span, number>> = { "1h": 300, "24h": 3_600 };

/** Totals of the runs of a span, as a whole and by the part of it in which they began. */
export type Activity = {
  /** Beginning of each part, epoch seconds. The first is cut by the span's beginning. */
  readonly starts: readonly number[];
  readonly ended: readonly number[];
  readonly failed: readonly number[];
  readonly open: readonly number[];
  readonly tokensIn: readonly number[];
  readonly tokensOut: readonly number[];
  /** Null where runs have used tokens at no known price only. */
  readonly cost: readonly (number | null)[];
  readonly totals: {
    readonly runs: number;
    readonly failed: number;
    readonly tokensIn: number;
    readonly tokensOut: number;
    readonly cost: number | undefined;
    /** Runs that used tokens at no known price. */
    readonly unpriced: number;
  };
};

/** @param now  epoch milliseconds */
export function activityOf(all: readonly RunEntry[], span: Span, now: number): Activity {
  const width = widths[span];
  const end = now / 1000;
  const begin = end - (spans[span] ?? 0);
  const first = Math.floor(begin / width) * width;
  const starts: number[] = [];
  for (let start = first; start <= end; start += width) starts.push(start);
  const parts: RunEntry[][] = starts.map(() => []);
  const runs = all.filter(({ created_at }) => dateOf(created_at).getTime() / 1000 >= begin);
  for (const run of runs) {
    const at = Math.floor((dateOf(run.created_at).getTime() / 1000 - first) / width);
    parts[Math.min(at, parts.length - 1)]?.push(run);
  }
  return {
    starts,
    ended: parts.map((part) => part.filter(({ status }) => hasEnded(status)).length),
    failed: parts.map((part) => part.filter(({ status }) => status === "ERROR").length),
    open: parts.map((part) => part.filter(({ status }) => isOpen(status)).length),
    tokensIn: parts.map((part) => sum(part, ({ input_tokens = 0 }) => input_tokens)),
    tokensOut: parts.map((part) => sum(part, ({ output_tokens = 0 }) => output_tokens)),
    cost: parts.map((part) => costOf(part) ?? null),
    totals: {
      runs: runs.length,
      failed: runs.filter(({ status }) => status === "ERROR").length,
      tokensIn: sum(runs, ({ input_tokens = 0 }) => input_tokens),
      tokensOut: sum(runs, ({ output_tokens = 0 }) => output_tokens),
      cost: costOf(runs),
      unpriced: runs.filter(isUnpriced).length,
    },
  };
}

const isOpen = (status: string): boolean => ["PENDING", "RUNNING", "PAUSED"].includes(status);
const hasEnded = (status: string): boolean => !isOpen(status) && status !== "ERROR";
const isUnpriced = ({ cost, total_tokens = 0 }: RunEntry): boolean => cost === undefined && total_tokens > 0;
const sum = (runs: readonly RunEntry[], of: (run: RunEntry) => number): number =>
  runs.reduce((total, run) => total + of(run), 0);

/** Of the runs whose price is known; undefined where there are only others. */
function costOf(runs: readonly RunEntry[]): number | undefined {
  if (runs.length > 0 && runs.some(isUnpriced) && runs.every(({ cost }) => cost === undefined))
    return undefined;
  return sum(runs, ({ cost = 0 }) => cost);
}
