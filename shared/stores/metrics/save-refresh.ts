import type { UtcDay } from "../../domain/utc-day.ts";
import type { Db } from "../db.ts";
import { changeRefresh, isRunning } from "./change-refresh.ts";
import type { MetricsScope } from "./metrics-scope.ts";
import type { RunningRefresh } from "./refresh-item.ts";

export type RefreshProgress = {
  /** Epoch seconds until which no other refresh may start. */
  readonly until: number;
  /** Days up to this one are final from now on. */
  readonly final_through?: UtcDay | undefined;
  /** When a day was computed; epoch seconds. */
  readonly days_updated_at?: number;
};

/** Records the progress of a refresh. @returns undefined when another one has started */
export async function saveRefresh(
  db: Db,
  scope: MetricsScope,
  refresh: Pick<RunningRefresh, "refresh_id">,
  { until, final_through, days_updated_at }: RefreshProgress,
): Promise<RunningRefresh | undefined> {
  const saved = await changeRefresh(db, scope, {
    set: {
      busy_until: until,
      ...(final_through !== undefined && { final_through }),
      ...(days_updated_at !== undefined && { days_updated_at }),
    },
    guard: isRunning(refresh),
  });
  return saved?.status === "running" ? saved : undefined;
}
