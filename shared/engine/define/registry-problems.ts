import type * as v from "valibot";
import { parseDeclaredSpec, parseModelSpec } from "../../schemas/values/model-spec.ts";
import { hintOf } from "../../schemas/values/nearest-name.ts";
import type { Skill, SkillProblem } from "../skill/skill.ts";
import { isIn, skillsIn } from "../skill/skills-of.ts";
import { isJsonSchema, jsonSchemaOf } from "../tool/declared-schema.ts";
import { toolParameters } from "../tool/new-tool-call.ts";
import type { Tool } from "../tool/tool.ts";
import { namedModels } from "./agent.ts";
import { allMembers, allTools, needyParts, type Registry } from "./registry.ts";
import { unknownSettings } from "./setting-names.ts";
import type { Member } from "./team.ts";
import type { Workflow } from "./workflow.ts";

/** A sentence about a registry that cannot be used, and the declarations that it is about. */
export type RegistryProblem = { readonly text: string; readonly about: readonly object[] };

/** Ids are segments of paths, and parts of scopes. */
const ID = /^[^\s\p{Cc}/\\?#%:*]+$/u;
/** Providers of models take no other names of tools. */
const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * What is wrong with a registry as a whole, although each declaration by itself was accepted.
 *
 * @param isTaken  whether a secret's name is that of a variable which the platform or its runtime uses
 * @param found    the skills beside the registry
 */
export function registryProblems(
  registry: Registry,
  isTaken: (secret: string) => boolean,
  found: FoundSkills = { skills: [], problems: [] },
): readonly RegistryProblem[] {
  const { agents, teams, workflows, parts } = registry;
  return [
    ...[agents, teams, workflows].flatMap(sameIds),
    ...[...agents, ...teams, ...workflows].filter(({ id }) => !isText(id) || !ID.test(id)).map(badId),
    ...[...allMembers(registry), ...workflows].filter(({ name }) => !isText(name) || name === "").map(noName),
    ...allTools(registry)
      .filter(({ name }) => !isText(name) || !TOOL_NAME.test(name))
      .map(badToolName),
    ...allMembers(registry).flatMap(unknownModels),
    ...allMembers(registry).flatMap((one) =>
      unknownSkills(`the ${one.kind} ${one.id} has`, found, one.skills).map((text) => ({
        text,
        about: [one],
      })),
    ),
    ...unknownSkills("the parts of the registry have", found, parts?.skills).map((text) => ({
      text,
      about: [],
    })),
    ...allTools(registry).flatMap((tool) => unwritable(tool, () => toolParameters(tool))),
    ...[...allMembers(registry), ...workflows].flatMap((one) =>
      schemasOf(one).flatMap((schema) => unwritable(one, () => jsonSchemaOf(schema))),
    ),
    ...[...allMembers(registry), ...workflows].flatMap((one) =>
      unknown(`the ${one.kind} ${one.id}`, one.kind, one),
    ),
    ...allTools(registry).flatMap((tool) => unknown(`the tool ${tool.name}`, "tool", tool)),
    ...allMembers(registry).flatMap(({ kind, id, tools }) => sameTools(`the ${kind} ${id} has`, tools)),
    ...sameTools("the parts of the registry have", parts?.tools ?? []),
    ...needyParts(registry).flatMap(({ name, rights }) =>
      (rights.secrets ?? []).filter(isTaken).map((secret) => ({
        text: `${name} declares the secret ${secret}, which is the name of a setting of the platform or of its runtime; choose another name`,
        about: [rights],
      })),
    ),
  ];
}

/** Without the type checker a name may be left out, or be anything. */
const isText = (name: unknown): name is string => typeof name === "string";

const noName = (one: Declared): RegistryProblem => ({
  text: `the ${one.kind} ${one.id} has no name; give it one: name: "…"`,
  about: [one],
});

/** A model that could not be called before the one that it stands in for has failed. */
const unknownModels = (one: Member): RegistryProblem[] =>
  namedModels(one)
    .filter((spec) => parseModelSpec(spec) === undefined && parseDeclaredSpec(spec) === undefined)
    .map((spec) => ({
      text: `the ${one.kind} ${one.id} names the model "${spec}", which is none; write it as provider:id, such as openai:gpt-6.1-sol`,
      about: [one],
    }));

/** What the build has found below a registry's `skills/`. */
type FoundSkills = { readonly skills: readonly Skill[]; readonly problems: readonly SkillProblem[] };

/** Folders in which there is no skill; what is wrong with one that is there is a problem of its own. */
const unknownSkills = (
  whoHas: string,
  { skills, problems }: FoundSkills,
  named: readonly (string | Skill)[] = [],
): string[] =>
  named
    .filter((one) => typeof one === "string")
    .filter(
      (folder) => skillsIn(folder, skills).length === 0 && !problems.some(({ file }) => isIn(folder, file)),
    )
    .map(
      (folder) =>
        `${whoHas} the skill "${folder}", where no SKILL.md is; name a folder below skills/ beside the registry, such as "./skills/refunds"`,
    );

/** Its schemas that are not written as JSON Schemas already. */
const schemasOf = (one: Member | Workflow): v.GenericSchema[] =>
  [one.input_schema, one.kind === "workflow" ? undefined : one.output_schema].filter(
    (schema): schema is v.GenericSchema => schema !== undefined && !isJsonSchema(schema),
  );

/** A schema that no model could be shown. */
function unwritable(about: object, write: () => object): RegistryProblem[] {
  try {
    write();
    return [];
  } catch (error) {
    return [{ text: error instanceof Error ? error.message : String(error), about: [about] }];
  }
}

type Declared = { readonly kind: string; readonly id: string };

const sameIds = (all: readonly Declared[]): RegistryProblem[] =>
  repeated(all, ({ id }) => id).map(([id, about]) => ({
    text: `${about.length === 2 ? "two" : about.length} ${about[0]?.kind}s have the id "${id}"; give each an id of its own`,
    about,
  }));

const sameTools = (whoHas: string, tools: readonly Tool[]): RegistryProblem[] =>
  repeated(tools, ({ name }) => name).map(([name, about]) => ({
    text: `${whoHas} two tools named ${name}; list each once, and give different tools different names`,
    about: [...new Set(about)],
  }));

/** Without the type checker nothing else would say that a misspelled setting has no effect. */
const unknown = (
  who: string,
  kind: Parameters<typeof unknownSettings>[0],
  declared: object,
): RegistryProblem[] =>
  unknownSettings(kind, declared).map(({ name, nearest }) => ({
    text: `${who} has "${name}", which is no setting of ${kind === "agent" ? "an" : "a"} ${kind}${hintOf(nearest)}`,
    about: [declared],
  }));

const badId = (one: Declared): RegistryProblem => ({
  text: `the ${one.kind} "${one.id}" has an id that cannot be part of a path: it must not be empty or contain blanks or / \\ ? # % : *`,
  about: [one],
});

const badToolName = (tool: Tool): RegistryProblem => ({
  text: `the tool "${tool.name}" has a name that no model takes: it must be 1 to 64 letters, digits, _ and -`,
  about: [tool],
});

/** Those that share a name with another one, by that name. */
function repeated<T>(all: readonly T[], nameOf: (one: T) => string): [string, T[]][] {
  const byName = Map.groupBy(all, nameOf);
  return [...byName].filter(([, group]) => group.length > 1);
}
