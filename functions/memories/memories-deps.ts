import type { Models } from "../../shared/engine/model/models.ts";
import type { Clock } from "../../shared/runtime/clock.ts";
import type { Db } from "../../shared/stores/db.ts";

export type MemoriesDeps = {
  readonly db: Db;
  readonly models: Models;
  readonly clock: Clock;
  readonly newId: () => string;
};
