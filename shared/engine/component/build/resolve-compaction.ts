import * as v from "valibot";
import { isObject } from "../../../schemas/values/json-values.ts";
import type { AgentSettings } from "../../define/agent.ts";
import type { Registry } from "../../define/registry.ts";
import type { Models } from "../../model/models.ts";
import { registeredModel } from "../registered-model.ts";
import { type Built, faultsOf, unusable } from "./built.ts";

const several = v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)));
const flag = v.optional(v.boolean());

const CompactionEntry = v.pipe(
  v.strictObject({
    model: v.optional(v.unknown()),
    instructions: v.optional(v.string()),
    compact_at_tokens: several,
    uncompacted_runs: several,
    uncompacted_tokens: several,
    compacted_token_budget: several,
    store_compacted_messages: flag,
    search_compacted_messages: flag,
    on_context_overflow: flag,
    enforce_token_budget: flag,
    enforce_min_fold_ratio: flag,
    min_fold_ratio: v.optional(v.pipe(v.number(), v.minValue(0))),
  }),
  v.check(
    ({ uncompacted_runs, uncompacted_tokens }) =>
      uncompacted_runs === undefined || uncompacted_tokens === undefined,
    "uncompacted_runs and uncompacted_tokens exclude each other",
  ),
  v.check(
    ({ store_compacted_messages, search_compacted_messages }) =>
      search_compacted_messages !== true || store_compacted_messages !== false,
    "what is not stored (store_compacted_messages) cannot be searched (search_compacted_messages)",
  ),
);

const UNUSABLE = "compaction is not usable";

/** How a component's prompts are kept within its model's window; the model that sums up must be registered. */
export function resolveCompaction(
  config: unknown,
  registry: Registry,
  models: Pick<Models, "describe">,
): Built<Pick<AgentSettings, "compaction">> {
  if (config === undefined || config === null) return { value: {}, faults: [] };
  if (typeof config === "boolean") return { value: { compaction: config }, faults: [] };
  if (!isObject(config))
    return {
      value: {},
      faults: [unusable("compaction", `${UNUSABLE}: it must be true, false or an object`)],
    };
  const parsed = v.safeParse(CompactionEntry, config);
  if (!parsed.success) {
    const [{ path, message }] = parsed.issues;
    const within = path?.map(({ key }) => `${String(key)}: `).join("") ?? "";
    return { value: {}, faults: [unusable("compaction", `${UNUSABLE}: ${within}${message}`)] };
  }
  const { model: named, ...settings } = parsed.output;
  const model = registeredModel(named, registry, models);
  return {
    value: {
      compaction: { ...settings, ...("spec" in model && model.spec !== undefined && { model: model.spec }) },
    },
    faults: faultsOf({ "compaction.model": model }),
  };
}
