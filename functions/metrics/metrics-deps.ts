import type { RefreshCall } from "../../shared/domain/metrics/refresh-call.ts";
import type { Clock } from "../../shared/runtime/clock.ts";
import type { Log } from "../../shared/runtime/log.ts";
import type { DailyLimitSettings } from "../../shared/settings/values/daily-limits.ts";
import type { Db } from "../../shared/stores/db.ts";

export type MetricsDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly settings: DailyLimitSettings;
  readonly log: Log;
  readonly newId: () => string;
  /** Calls the refresher and does not wait for it. */
  readonly callRefresher: (call: RefreshCall) => Promise<void>;
};
