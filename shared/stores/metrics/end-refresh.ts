import type { UtcDay } from "../../domain/utc-day.ts";
import type { Db } from "../db.ts";
import { changeRefresh, isRunning } from "./change-refresh.ts";
import type { MetricsScope } from "./metrics-scope.ts";
import type { RunningRefresh } from "./refresh-item.ts";

type RefreshRef = Pick<RunningRefresh, "refresh_id">;

/** Records that every day is computed. @param final_through days up to it are final */
export async function completeRefresh(
  db: Db,
  scope: MetricsScope,
  refresh: RefreshRef,
  { final_through, now }: { readonly final_through: UtcDay; readonly now: number },
): Promise<void> {
  await changeRefresh(db, scope, {
    set: { status: "completed", finished_at: now, final_through, busy_until: undefined },
    guard: isRunning(refresh),
  });
}

/** Fails a refresh; the days that it has computed stay. @param error public to everybody who may request one */
export async function failRefresh(
  db: Db,
  scope: MetricsScope,
  refresh: RefreshRef,
  { error, now }: { readonly error: string; readonly now: number },
): Promise<void> {
  await changeRefresh(db, scope, {
    set: { status: "failed", finished_at: now, error, busy_until: undefined },
    guard: isRunning(refresh),
  });
}
