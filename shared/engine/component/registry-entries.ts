import { DB_ID } from "../../domain/databases/database.ts";
import type { RegistryEntry } from "../../schemas/components/registry-entry.ts";
import type { Registry } from "../define/registry.ts";
import type { Runnable } from "../define/runnable.ts";
import type { Models } from "../model/models.ts";
import type { Skill } from "../skill/skill.ts";
import { skillsOf } from "../skill/skills-of.ts";
import { jsonSchemaOf, schemaOf } from "../tool/declared-schema.ts";
import { toolParameters } from "../tool/new-tool-call.ts";
import type { Tool } from "../tool/tool.ts";

/**
 * Everything that is registered in code, sorted by type and name. Stored components are not included.
 *
 * @param others  entries that are registered by settings instead of in the registry
 */
export function registryEntries(
  registry: Registry,
  models: Pick<Models, "describe">,
  others: readonly RegistryEntry[] = [],
): RegistryEntry[] {
  const { agents, teams, workflows, parts = {} } = registry;
  const schemas = Object.entries(parts.schemas ?? {});
  const entries = [
    ...[...agents, ...teams, ...workflows].map(runnableEntry),
    ...(parts.tools ?? []).map(toolEntry),
    ...skillsOf({ skills: parts.skills ?? [] }).map(skillEntry),
    ...modelEntries(registry, models),
    ...schemas.map(([name, schema]) =>
      entry("schema", name, { schema: jsonSchemaOf(schemaOf(`the schema ${name}`, schema)) }),
    ),
    ...Object.keys(parts.functions ?? {}).map((name) => entry("function", name, { name })),
    { ...entry("db", DB_ID, { db_id: DB_ID }), id: DB_ID },
    ...others,
  ];
  return entries.sort((a, b) => compare(a.type, b.type) || compare(a.name, b.name));
}

const entry = (
  type: RegistryEntry["type"],
  name: string,
  metadata: Record<string, unknown>,
): RegistryEntry => ({ name, type, metadata: { class_path: `registry.${type}.${name}`, ...metadata } });

const runnableEntry = ({ kind, id, name, description }: Runnable): RegistryEntry => ({
  ...entry(kind, name, { id, class_path: `registry.${kind}.${id}` }),
  id,
  ...(description !== undefined && { description }),
});

function toolEntry(tool: Tool): RegistryEntry {
  const { name, description, requires_confirmation, external_execution } = tool;
  const metadata = {
    is_toolkit: false,
    has_entrypoint: tool.execute !== undefined,
    parameters: toolParameters(tool),
    ...(requires_confirmation && { requires_confirmation }),
    ...(external_execution && { external_execution }),
  };
  return { ...entry("tool", name, metadata), description };
}

const skillEntry = ({ name, description, references, scripts, assets }: Skill): RegistryEntry => ({
  ...entry("skill", name, { references, scripts, assets }),
  description,
});

/** The default model, those of declared agents and teams, and the registered ones; each once. */
function modelEntries({ agents, teams, parts }: Registry, models: Pick<Models, "describe">): RegistryEntry[] {
  const specs = [undefined, ...[...agents, ...teams].map(({ model }) => model), ...(parts?.models ?? [])];
  const views = specs.map((spec) => models.describe(spec));
  const distinct = new Map(views.map((view) => [JSON.stringify([view.provider, view.id]), view]));
  return [...distinct.values()].map(({ id, provider }) => ({
    ...entry("model", id, { provider, model_id: id }),
    id,
  }));
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
