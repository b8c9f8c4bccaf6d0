import type { Clock } from "../../shared/runtime/clock.ts";
import type { Db } from "../../shared/stores/db.ts";

export type TracesDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly settings: { readonly TRACE_RETENTION_DAYS: number };
};
