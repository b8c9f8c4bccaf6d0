import type { ComponentsDeps } from "../../functions/components/components-deps.ts";
import { describeModels } from "../../shared/engine/model/models.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import type { Db } from "../../shared/stores/db.ts";
import { registry } from "./registry/index.ts";

/** What handlers of components need, as if code declared no component, with the parts of the tests' registry. */
export const componentsDeps = (db: Db): ComponentsDeps => ({
  db,
  clock: systemClock,
  codeDefined: [],
  parts: { registry, models: describeModels("scripted") },
  log: { info: () => undefined },
});
