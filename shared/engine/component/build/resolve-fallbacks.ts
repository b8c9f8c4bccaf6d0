import * as v from "valibot";
import type { Fault } from "../../../errors.ts";
import { specOfModel } from "../../../schemas/values/model-spec.ts";
import type { AgentSettings } from "../../define/agent.ts";
import type { Registry } from "../../define/registry.ts";
import type { Models } from "../../model/models.ts";
import { registeredModel } from "../registered-model.ts";
import { type Built, unusable } from "./built.ts";

const List = v.array(v.unknown());
const Config = v.strictObject({
  on_error: v.optional(List),
  on_rate_limit: v.optional(List),
  on_context_overflow: v.optional(List),
  on_refused: v.optional(List),
});

type Fallbacks = Pick<AgentSettings, "fallback_models" | "fallback_config">;

/** The models that stand in for a component's own, of which each must be registered. */
export function resolveFallbacks(
  { fallback_models, fallback_config }: Readonly<Record<string, unknown>>,
  registry: Registry,
  models: Pick<Models, "describe">,
): Built<Fallbacks> {
  const faults: Fault[] = [];
  const specsOf = (path: string, list: readonly unknown[]): string[] =>
    list.flatMap((one, i) => {
      const found = registeredModel(one, registry, models);
      if ("error" in found) {
        const { error: message, error_code } = found;
        faults.push({ path: `${path}.${i}`, message, error_code });
        return [];
      }
      if (found.spec !== undefined) return found.spec;
      const { provider, id } = models.describe(); // the default one
      return specOfModel(provider, id) ?? [];
    });
  const named = v.safeParse(v.nullish(List), fallback_models);
  const config = v.safeParse(v.nullish(Config), fallback_config);
  if (!named.success) faults.push(unusable("fallback_models", "it must be a list of models"));
  if (!config.success)
    faults.push(
      unusable(
        "fallback_config",
        "it must hold lists: on_error, on_rate_limit, on_context_overflow, on_refused",
      ),
    );
  const lists = Object.entries((config.success && config.output) || {}).flatMap(([name, list]) =>
    list ? [[name, specsOf(`fallback_config.${name}`, list)] as const] : [],
  );
  const value: Fallbacks = {
    ...(named.success && named.output && { fallback_models: specsOf("fallback_models", named.output) }),
    ...(lists.length > 0 && { fallback_config: Object.fromEntries(lists) }),
  };
  return { value, faults };
}
