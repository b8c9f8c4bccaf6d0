import type { Handler } from "../../shared/http/handler.ts";
import type { configRoutes } from "../../shared/routes/config.ts";
import type { ConfigDeps } from "./config-deps.ts";

export type UsedModel = { readonly id: string; readonly provider: string };

/** The models that agents and teams declared in code use, each once. */
export const listModels: Handler<typeof configRoutes.listModels, ConfigDeps> = async (_request, deps) =>
  modelsInUse(deps);

export function modelsInUse({ registry, models }: Pick<ConfigDeps, "registry" | "models">): UsedModel[] {
  const own = registry.agents.filter(({ remote }) => remote === undefined);
  const used = [...own, ...registry.teams].map(({ model }) => models.describe(model));
  const unique = new Map(used.map(({ id, provider }) => [JSON.stringify([provider, id]), { id, provider }]));
  return [...unique.values()];
}
