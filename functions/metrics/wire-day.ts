import { isoTime } from "../../shared/domain/iso-time.ts";
import { startOfDay } from "../../shared/domain/utc-day.ts";
import type { MetricsDay } from "../../shared/schemas/traces/metrics.ts";
import type { MetricsScope, StoredMetricsDay } from "../../shared/stores/metrics/index.ts";

/** A day as the wire shows it. */
export function wireDay(
  { user_id }: MetricsScope,
  { day, refresh_id: _, created_at, updated_at, ...figures }: StoredMetricsDay,
): MetricsDay {
  return {
    id: user_id === undefined ? `${day}_daily` : `${day}_${user_id}_daily`,
    date: isoTime(startOfDay(day)),
    ...figures,
    created_at: isoTime(created_at),
    updated_at: isoTime(updated_at),
  };
}
