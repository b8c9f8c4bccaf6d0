import type { FindRunnable } from "../../shared/engine/component/find-runnable.ts";
import type { ModelGate } from "../../shared/engine/model/model-gate.ts";
import type { Models } from "../../shared/engine/model/models.ts";
import type { DailyBudgets } from "../../shared/engine/ports/budget-port.ts";
import type { RemovalQueue } from "../../shared/queue/removal-queue.ts";
import type { Clock } from "../../shared/runtime/clock.ts";
import type { Log } from "../../shared/runtime/log.ts";
import type { Db } from "../../shared/stores/db.ts";

export type SessionsDeps = {
  readonly db: Db;
  readonly removals: RemovalQueue;
  readonly models: Models;
  readonly modelGate?: ModelGate | undefined;
  readonly dailyBudgets: DailyBudgets;
  readonly findRunnable: FindRunnable;
  readonly clock: Clock;
  readonly newSessionId: () => string;
  readonly log: Log;
};
