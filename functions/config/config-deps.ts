import type { Models } from "../../shared/engine/models.ts";
import type { Registry } from "../../shared/engine/registry.ts";

export type ConfigDeps = {
  readonly osId: string;
  readonly registry: Registry;
  readonly models: Pick<Models, "describe">;
};
