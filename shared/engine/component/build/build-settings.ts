import * as v from "valibot";
import type { ComponentRecord, VersionRecord } from "../../../schemas/components/component-record.ts";
import { isObject } from "../../../schemas/values/json-values.ts";
import type { AgentSettings } from "../../define/agent.ts";
import type { Registry } from "../../define/registry.ts";
import type { Models } from "../../model/models.ts";
import type { Tool } from "../../tool/tool.ts";
import { registeredModel } from "../registered-model.ts";
import { agentEntries } from "./agent-entries.ts";
import { type Built, faultsOf, type Unresolved, unknownName, unusable } from "./built.ts";
import type { FindChild } from "./children.ts";
import { readSettings } from "./read-settings.ts";
import { resolveCompaction } from "./resolve-compaction.ts";
import { resolveFallbacks } from "./resolve-fallbacks.ts";
import { resolveHelpers } from "./resolve-helpers.ts";
import { resolveInputSchema, resolveOutputSchema } from "./resolve-schema.ts";
import { resolveSkills } from "./resolve-skills.ts";

/** Where the parts that configs name are looked up. */
export type Parts = {
  readonly registry: Registry;
  readonly models: Pick<Models, "describe">;
  /** Names of the knowledge bases of this deployment; absent where they are not searched. */
  readonly knowledge?: readonly string[];
};

/** A stored component at one of its versions. */
export type StoredVersion = { readonly component: ComponentRecord; readonly version: VersionRecord };

type Settings = Pick<AgentSettings, "id" | "name"> & Partial<AgentSettings>;

/** Builds the settings that agents and leaders of teams have in common. The stored id wins over one in the config. */
export async function buildSettings(
  { component, version }: StoredVersion,
  { registry, models, knowledge: bases = [] }: Parts,
  find: FindChild,
): Promise<Built<Settings>> {
  const { config } = version;
  const plain = readSettings(config, agentEntries);
  const model = registeredModel(config.model, registry, models);
  const fallbacks = resolveFallbacks(config, registry, models);
  const helpers = resolveHelpers(config, registry, models);
  const compaction = resolveCompaction(config.compaction, registry, models);
  const tools = resolveTools(config.tools, registry);
  const [skills, input, output] = await Promise.all([
    resolveSkills(config.skills, registry, find),
    resolveInputSchema(config.input_schema, registry),
    resolveOutputSchema(config.output_schema, registry),
  ]);
  const knowledge = resolveKnowledge(config.knowledge, bases);
  const faults = [
    ...plain.faults,
    ...fallbacks.faults,
    ...helpers.faults,
    ...compaction.faults,
    ...tools.faults,
    ...skills.faults,
    ...faultsOf({ model, knowledge, input_schema: input, output_schema: output }),
  ];
  const name = typeof config.name === "string" && config.name !== "" ? config.name : component.name;
  const value: Settings = {
    ...withHistoryRuns(plain.value),
    ...fallbacks.value,
    ...helpers.value,
    ...compaction.value,
    id: component.component_id,
    name,
    tools: tools.value,
    ...(skills.value && { skills: skills.value }),
    ...(isExtended(config.model) &&
      plain.value.prompt_cache === undefined && { prompt_cache: { ttl: "1h" } }),
    // Configs of this wire call `update_memory_on_run` by this name.
    ...(config.enable_user_memories === true && { update_memory_on_run: true }),
    ...("spec" in model && model.spec !== undefined && { model: model.spec }),
    ...("name" in knowledge && knowledge.name !== undefined && { knowledge: knowledge.name }),
    ...(input.schema && { input_schema: input.schema }),
    ...(output.schema && { output_schema: output.schema }),
    version: version.version,
  };
  return { value, faults };
}

/** Configs of this wire ask for an hour of caching at the model. */
const isExtended = (model: unknown): boolean => isObject(model) && model.extended_cache_time === true;

/**
 * Without a number of runs, as many as so many messages need at most: a run has a question and an answer. With one, that
 * decides alone, as on the wire.
 */
function withHistoryRuns<S extends Partial<AgentSettings>>(settings: S): S {
  const { num_history_messages, ...others } = settings;
  if (num_history_messages === undefined) return settings;
  if (settings.num_history_runs !== undefined) return others as S;
  return { ...settings, num_history_runs: Math.ceil(num_history_messages / 2) };
}

const KnowledgeConfig = v.union([v.string(), v.looseObject({ name: v.string() })]);

/**
 * The knowledge base that a config names, which must be one of this deployment's.
 *
 * @param bases  names of the bases of this deployment
 * @returns an `error` when it is none of them
 */
function resolveKnowledge(
  config: unknown,
  bases: readonly string[],
): { readonly name?: string } | Unresolved {
  if (config === undefined || config === null) return {};
  const parsed = v.safeParse(KnowledgeConfig, config);
  if (!parsed.success) return { error: "knowledge must be {name}", error_code: "UNPROCESSABLE" };
  const name = typeof parsed.output === "string" ? parsed.output : parsed.output.name;
  return bases.includes(name)
    ? { name }
    : { error: `knowledge ${name} is not registered`, error_code: "NOT_FOUND" };
}

const ToolConfig = v.union([
  v.pipe(
    v.string(),
    v.transform((name) => ({ name })),
  ),
  v.object({ name: v.string() }),
  v.pipe(
    v.object({ function: v.object({ name: v.string() }) }),
    v.transform((tool) => tool.function),
  ),
]);

/** The registered tools that a config names; only the name counts. */
function resolveTools(config: unknown, { parts }: Registry): Built<Tool[]> {
  if (config === undefined || config === null) return { value: [], faults: [] };
  const parsed = v.safeParse(v.array(ToolConfig), config);
  if (!parsed.success)
    return { value: [], faults: [unusable("tools", "tools must be a list of tools with names")] };
  const named = new Map(parsed.output.map(({ name }, at) => [name, at]));
  const found = [...named].map(([name, at]) => ({ name, at, tool: registered(name, parts?.tools) }));
  return {
    value: found.flatMap(({ tool }) => tool ?? []),
    faults: found
      .filter(({ tool }) => !tool)
      .map(({ name, at }) => unknownName(`tools[${at}]`, `tool ${name} is not registered`)),
  };
}

const registered = (name: string, tools: readonly Tool[] = []): Tool | undefined =>
  tools.find((tool) => tool.name === name);
