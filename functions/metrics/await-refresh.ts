import {
  getRefresh,
  type MetricsScope,
  type RunningRefresh,
  type StoredRefresh,
} from "../../shared/stores/metrics/index.ts";
import type { MetricsDeps } from "./metrics-deps.ts";

const POLL_MS = 100;

/** Polls a refresh until it ends or the time is up. @returns its state by then */
export async function awaitRefresh(
  { db, clock }: Pick<MetricsDeps, "db" | "clock">,
  scope: MetricsScope,
  started: RunningRefresh,
  maxWaitMs: number,
): Promise<StoredRefresh> {
  for (const until = clock.now() + maxWaitMs; ; await clock.sleep(POLL_MS)) {
    const seen = await getRefresh(db, scope);
    if (seen && (seen.refresh_id !== started.refresh_id || seen.status !== "running")) return seen;
    if (clock.now() >= until) return started;
  }
}
