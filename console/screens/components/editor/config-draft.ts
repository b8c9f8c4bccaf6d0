import type { Kind } from "../../../api/kinds.ts";
import { type Draft, emptyDraft, memberOf, modelOf } from "../component-draft.ts";

type Fields = Readonly<Record<string, unknown>>;

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** The fields of the form, as a config has them. What the form has no field for stays in the config alone. */
export function draftOf(kind: Kind, config: Fields): Draft {
  const { instructions, model, mode, members, tools } = config;
  return {
    ...emptyDraft,
    kind,
    model: modelText(model),
    instructions: Array.isArray(instructions) ? instructions.map(String).join("\n") : textOf(instructions),
    tools: listOf(tools).map(nameOf),
    mode: textOf(mode) || emptyDraft.mode,
    parts: listOf(members).map(partOf),
    remembers: config.add_history_to_context === true,
    markdown: config.markdown === true,
  };
}

/** `provider:id`; empty where the config names none. */
export const modelText = (model: unknown): string => {
  if (typeof model === "string") return model;
  const { provider, id } = fieldsOf(model);
  return typeof id === "string" ? `${textOf(provider)}:${id}` : "";
};

const nameOf = (tool: unknown): string => (typeof tool === "string" ? tool : textOf(fieldsOf(tool).name));

const partOf = (member: unknown): string => {
  const { agent_id, team_id } = fieldsOf(member);
  return typeof team_id === "string" ? `team:${team_id}` : `agent:${textOf(agent_id)}`;
};

/** A config after fields of the form were changed. The order of its keys stays. */
export function patched(config: Fields, changes: Partial<Draft>): Fields {
  const { model, instructions, tools, mode, parts, remembers, markdown } = changes;
  return withoutUndefined({
    ...config,
    ...(model !== undefined && { model: model === "" ? undefined : modelOf(model) }),
    ...(instructions !== undefined && { instructions: instructionsOf(config.instructions, instructions) }),
    ...(tools !== undefined && { tools: kept(config.tools, tools, nameOf, (name) => ({ name })) }),
    ...(mode !== undefined && { mode }),
    ...(parts !== undefined && { members: kept(config.members, parts, partOf, memberOf) }),
    ...(remembers !== undefined && { add_history_to_context: remembers || undefined }),
    ...(markdown !== undefined && { markdown: markdown || undefined }),
  });
}

/** Instructions that were a list stay one, a line each. */
function instructionsOf(before: unknown, text: string): unknown {
  if (text === "") return undefined;
  return Array.isArray(before) ? text.split("\n") : text;
}

/** Those that are chosen: what the config says of one that it had already stays. Undefined for none. */
function kept(
  before: unknown,
  chosen: readonly string[],
  keyOf: (one: unknown) => string,
  make: (key: string) => unknown,
): readonly unknown[] | undefined {
  if (chosen.length === 0) return undefined;
  return chosen.map((key) => listOf(before).find((one) => keyOf(one) === key) ?? make(key));
}

export const withoutUndefined = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** A skill of a config, and where it is: registered in code, stored as a component, or in the config itself with its files. */
export type NamedSkill = { readonly name: string; readonly place: string };

export const skillsIn = ({ skills }: Fields): readonly NamedSkill[] =>
  listOf(skills).map((skill) =>
    typeof skill === "string" ? { name: skill, place: "registered in code" } : skillOf(fieldsOf(skill)),
  );

function skillOf({ name, skill_id, files }: Fields): NamedSkill {
  if (typeof skill_id === "string") return { name: skill_id, place: "a stored skill" };
  return { name: textOf(name), place: `its own, ${Object.keys(fieldsOf(files)).length} files` };
}

/** @param skill  the name of a registered one, or which is stored */
export const withSkill = (config: Fields, skill: string | { readonly skill_id: string }): Fields => ({
  ...config,
  skills: [...listOf(config.skills), skill],
});

export const withoutSkill = (config: Fields, at: number): Fields => {
  const rest = listOf(config.skills).filter((_, index) => index !== at);
  return withoutUndefined({ ...config, skills: rest.length > 0 ? rest : undefined });
};

/** The name of the knowledge base that is searched; empty for none. */
export const knowledgeIn = ({ knowledge }: Fields): string =>
  typeof knowledge === "string" ? knowledge : textOf(fieldsOf(knowledge).name);

export type Variable = {
  readonly name: string;
  /** Where its value comes from, in words; undefined where each run has to bring it. */
  readonly from?: string;
};

const PLACEHOLDER = /\{([A-Za-z_]\w*)\}/g;
const texts = [
  "system_message",
  "description",
  "role",
  "instructions",
  "expected_output",
  "additional_context",
];

/** The placeholders in a config's texts, each once. */
export function variablesIn(config: Fields): readonly Variable[] {
  if (config.resolve_in_context === false) return [];
  const text = texts.flatMap((name) => config[name] ?? []).join("\n");
  const named = [...new Set([...text.matchAll(PLACEHOLDER)].map(([, name = ""]) => name))];
  return named.map((name) => {
    const from = sourceOf(config, name);
    return { name, ...(from !== undefined && { from }) };
  });
}

function sourceOf({ session_state, dependencies, metadata }: Fields, name: string): string | undefined {
  if (name === "user_id") return "the user of the run";
  const sources = [
    ["the session’s state", session_state],
    ["dependencies", dependencies],
    ["metadata", metadata],
  ] as const;
  return sources.find(([, values]) => Object.hasOwn(fieldsOf(values), name))?.[0];
}
