import type { Clock } from "../../shared/runtime/clock.ts";
import type { Db } from "../../shared/stores/db.ts";

export type LearningsDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly newId: () => string;
};
