import { getRefresh } from "../../shared/stores/metrics/get-refresh.ts";
import type { MetricsScope } from "../../shared/stores/metrics/metrics-scope.ts";
import type { RunningRefresh, StoredRefresh } from "../../shared/stores/metrics/refresh-item.ts";
import type { MetricsDeps } from "./metrics-deps.ts";

const LOOK_AGAIN_MS = 100;

/** Looks at a refresh until it ends or patience does. @returns how it stands by then */
export async function awaitRefresh(
  { db, clock }: Pick<MetricsDeps, "db" | "clock">,
  scope: MetricsScope,
  asked: RunningRefresh,
  patienceMs: number,
): Promise<StoredRefresh> {
  for (const until = clock.now() + patienceMs; ; await clock.sleep(LOOK_AGAIN_MS)) {
    const seen = await getRefresh(db, scope);
    if (seen && (seen.refresh_id !== asked.refresh_id || seen.status !== "running")) return seen;
    if (clock.now() >= until) return asked;
  }
}
