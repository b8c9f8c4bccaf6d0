import type { Models } from "../../shared/engine/models.ts";
import type { Registry } from "../../shared/engine/registry.ts";

export type RunnablesDeps = {
  readonly registry: Registry;
  readonly models: Pick<Models, "describe">;
};
