import type { Registry } from "../../shared/engine/define/registry.ts";
import type { Models } from "../../shared/engine/model/models.ts";
import type { Db } from "../../shared/stores/db.ts";

export type RunnablesDeps = {
  readonly db: Db;
  readonly registry: Registry;
  readonly models: Pick<Models, "describe">;
};
