import type { UtcDay } from "../../domain/utc-day.ts";
import type { Db } from "../db.ts";
import { changeRefresh, isRunning, runningValues } from "./change-refresh.ts";
import type { MetricsScope } from "./metrics-scope.ts";
import type { RunningRefresh } from "./refresh-item.ts";

export type RefreshProgress = {
  /** Epoch seconds until which nobody else may begin one. */
  readonly until: number;
  /** Days up to this one are final from now on. */
  readonly final_through?: UtcDay | undefined;
  /** When a day was computed; epoch seconds. */
  readonly days_updated_at?: number;
};

/** Writes down how far a refresh has come. @returns undefined when it is no longer the one that runs */
export async function saveRefresh(
  db: Db,
  scope: MetricsScope,
  refresh: Pick<RunningRefresh, "refresh_id">,
  { until, final_through, days_updated_at }: RefreshProgress,
): Promise<RunningRefresh | undefined> {
  const sets = [
    "busy_until = :until",
    ...(final_through === undefined ? [] : ["final_through = :final"]),
    ...(days_updated_at === undefined ? [] : ["days_updated_at = :updated"]),
  ];
  const kept = await changeRefresh(db, scope, {
    UpdateExpression: `SET ${sets.join(", ")}`,
    ConditionExpression: isRunning,
    ExpressionAttributeNames: { "#status": "status" },
    ExpressionAttributeValues: {
      ...runningValues(refresh),
      ":until": until,
      ...(final_through !== undefined && { ":final": final_through }),
      ...(days_updated_at !== undefined && { ":updated": days_updated_at }),
    },
  });
  return kept?.status === "running" ? kept : undefined;
}
