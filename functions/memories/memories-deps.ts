import type { Registry } from "../../shared/engine/define/registry.ts";
import type { ModelGate } from "../../shared/engine/model/model-gate.ts";
import type { Models } from "../../shared/engine/model/models.ts";
import type { DailyBudgets } from "../../shared/engine/ports/budget-port.ts";
import type { Clock } from "../../shared/runtime/clock.ts";
import type { Db } from "../../shared/stores/db.ts";

export type MemoriesDeps = {
  readonly db: Db;
  readonly models: Models;
  readonly modelGate?: ModelGate | undefined;
  readonly dailyBudgets: DailyBudgets;
  readonly registry: Registry;
  readonly clock: Clock;
  readonly newId: () => string;
};
