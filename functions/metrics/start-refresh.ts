import { epochSeconds } from "../../shared/runtime/clock.ts";
import {
  failRefresh,
  type MetricsScope,
  type RunningRefresh,
  requestRefresh,
} from "../../shared/stores/metrics/index.ts";
import type { MetricsDeps } from "./metrics-deps.ts";

/** The refresher is called within this, or its call was lost. */
const CALLED_WITHIN_SECONDS = 60;

/**
 * Starts a refresh: its record first, so that no other one is started, then the call of the function that does it.
 *
 *   request ─▶ record: running ─▶ refresher: day, day, … ─▶ record: completed
 *
 * @returns undefined when one is under way
 * @throws what the call throws; the record says then that it failed
 */
export async function startRefresh(
  deps: MetricsDeps,
  scope: MetricsScope,
): Promise<RunningRefresh | undefined> {
  const { db, clock, newId, callRefresher } = deps;
  const now = epochSeconds(clock);
  const refresh_id = newId();
  const refresh = await requestRefresh(db, scope, { refresh_id, now, until: now + CALLED_WITHIN_SECONDS });
  if (!refresh) return undefined;
  try {
    await callRefresher({ refresh_id, ...(scope.user_id !== undefined && { user_id: scope.user_id }) });
  } catch (error) {
    await failRefresh(db, scope, refresh, { error: NOT_CALLED, now: epochSeconds(clock) });
    throw error;
  }
  return refresh;
}

const NOT_CALLED = "The function that computes the figures could not be called. Refresh again.";
