import type { RunEntry } from "./use-recent-runs.ts";

/** How some runs ended. */
export type Ended = {
  readonly runs: number;
  readonly failed: number;
  /** Seconds within which 95 % of them ended; undefined where no time is known. */
  readonly p95: number | undefined;
};

export function endedOf(runs: readonly RunEntry[]): Ended {
  const ended = runs.filter(({ status }) => status === "COMPLETED" || status === "ERROR");
  const times = ended.flatMap(({ duration }) => duration ?? []).sort((a, b) => a - b);
  return {
    runs: ended.length,
    failed: ended.filter(({ status }) => status === "ERROR").length,
    p95: times[Math.ceil(0.95 * times.length) - 1],
  };
}

export const failedShare = ({ runs, failed }: Ended): number => (runs === 0 ? 0 : failed / runs);
