import type { Models } from "../../shared/engine/models.ts";
import type { Registry } from "../../shared/engine/registry.ts";
import type { Db } from "../../shared/stores/db.ts";

export type RunnablesDeps = {
  readonly db: Db;
  readonly registry: Registry;
  readonly models: Pick<Models, "describe">;
};
