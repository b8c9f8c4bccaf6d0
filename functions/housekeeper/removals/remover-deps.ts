import type { RemovalQueue } from "../../../shared/queue/removal-queue.ts";
import type { Clock } from "../../../shared/runtime/clock.ts";
import type { Log } from "../../../shared/runtime/log.ts";
import type { Db } from "../../../shared/stores/db.ts";
import type { RemoveObjectsOf } from "./remove-objects-of.ts";

export type RemoverDeps = {
  readonly db: Db;
  readonly removals: RemovalQueue;
  readonly removeObjectsOf: RemoveObjectsOf;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: { readonly JOB_RETENTION_SECONDS: number };
};
