import { isRefreshDue } from "../../shared/domain/metrics/refresh-rules.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { getRefresh, type MetricsScope, type StoredRefresh } from "../../shared/stores/metrics/index.ts";
import { awaitRefresh } from "./await-refresh.ts";
import type { MetricsDeps } from "./metrics-deps.ts";
import { startRefresh } from "./start-refresh.ts";

/** How long a request waits for fresh figures; after that it gets those that are there. */
const MAX_WAIT_MS = 2_000;

/**
 * The last refresh of a scope, after another one where that is due and quick. A refresh that cannot be started must not fail the
 * request: it is logged, and the figures are shown as they are.
 */
export async function refreshedIfDue(
  deps: MetricsDeps,
  scope: MetricsScope,
): Promise<StoredRefresh | undefined> {
  const last = await getRefresh(deps.db, scope);
  if (!isRefreshDue(last, epochSeconds(deps.clock))) return last;
  try {
    const started = await startRefresh(deps, scope);
    return started ? await awaitRefresh(deps, scope, started, MAX_WAIT_MS) : last;
  } catch (error) {
    deps.log.warn("metrics were not refreshed for a reader", { error: String(error) });
    return last;
  }
}
