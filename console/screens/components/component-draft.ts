import type { StoredKind } from "../../api/kinds.ts";

/** What the form of a new component holds. */
export type Draft = {
  readonly kind: StoredKind;
  readonly name: string;
  readonly id: string;
  readonly description: string;
  /** `provider:id`; empty for the platform's default. */
  readonly model: string;
  readonly instructions: string;
  readonly tools: readonly string[];
  readonly mode: string;
  /** `kind:id` of members, or of steps in their order. */
  readonly parts: readonly string[];
  readonly remembers: boolean;
  readonly markdown: boolean;
  /** JSON that is laid over the rest. */
  readonly more: string;
};

export const emptyDraft: Draft = {
  kind: "agent",
  name: "",
  id: "",
  description: "",
  model: "",
  instructions: "",
  tools: [],
  mode: "coordinate",
  parts: [],
  remembers: true,
  markdown: false,
  more: "",
};

type Fields = Readonly<Record<string, unknown>>;

/** The config that the fields come to. */
export function configOf(draft: Draft, more: Fields): Fields {
  if (draft.kind === "skill") return { ...skillOf(draft), ...more };
  if (draft.kind === "workflow") return { steps: stepsOf(draft.parts), ...more };
  const { model, instructions, tools, remembers, markdown, mode, parts } = draft;
  return {
    ...(model !== "" && { model: modelOf(model) }),
    ...(instructions.trim() !== "" && { instructions: instructions.trim() }),
    ...(tools.length > 0 && { tools: tools.map((name) => ({ name })) }),
    ...(draft.kind === "team" && { mode, members: parts.map(memberOf) }),
    ...(remembers && { add_history_to_context: true }),
    ...(markdown && { markdown: true }),
    ...more,
  };
}

/** A skill in the open format, whose name has small letters, digits and single hyphens. */
function skillOf({ name: given, id, description, instructions }: Draft) {
  const name = (id.trim() || given)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  // JSON of a text is a text of YAML too.
  const head = `---\nname: ${JSON.stringify(name)}\ndescription: ${JSON.stringify(description.trim())}\n---\n`;
  return { name, files: { "SKILL.md": `${head}${instructions.trim()}\n` } };
}

/** @param text  `provider:id` */
export function modelOf(text: string) {
  const colon = text.indexOf(":");
  return { provider: text.slice(0, colon), id: text.slice(colon + 1) };
}

/** @param part  `kind:id` */
export function partOf(part: string): { readonly kind: string; readonly id: string } {
  const colon = part.indexOf(":");
  return { kind: part.slice(0, colon), id: part.slice(colon + 1) };
}

/** A member as a config names it. @param part  `kind:id` */
export function memberOf(part: string) {
  const { kind, id } = partOf(part);
  return { type: kind, [`${kind}_id`]: id };
}

/** Steps need names of their own: a component that is run twice gets a number. */
function stepsOf(parts: readonly string[]) {
  return parts.map((part, at) => {
    const { kind, id } = partOf(part);
    const before = parts.slice(0, at).filter((one) => one === part).length;
    return { type: "Step", name: before === 0 ? id : `${id} ${before + 1}`, [`${kind}_id`]: id };
  });
}
