import type { SigningRoots } from "../../shared/outbound/index.ts";
import type { EventBus, TaskTokens } from "../../shared/outbound/sending.ts";
import type { DeliveryQueue } from "../../shared/queue/delivery-queue.ts";
import type { Clock } from "../../shared/runtime/clock.ts";
import type { Log } from "../../shared/runtime/log.ts";
import type { Meter } from "../../shared/runtime/metrics/meter.ts";
import type { Db } from "../../shared/stores/db.ts";

export type DeliveryWorkerDeps = {
  readonly db: Db;
  readonly queue: DeliveryQueue;
  readonly signingRoots: () => Promise<SigningRoots>;
  /** The bus of the instance, if it has one. */
  readonly bus?: EventBus | undefined;
  /** Step Functions, where runs may end tasks. */
  readonly tasks?: TaskTokens | undefined;
  readonly newWorkerId: () => string;
  /** In [0, 1). */
  readonly random: () => number;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter?: Meter;
  readonly settings: {
    readonly FETCH_ALLOWED_HOSTS: readonly string[];
    readonly EVENT_BUS_CONTENTS: "true" | "false";
    readonly OS_ID: string;
    readonly STAGE: string;
  };
};
