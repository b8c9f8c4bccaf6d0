import { createHash } from "node:crypto";
import * as v from "valibot";
import { maxChars } from "../../schemas/values/max-chars.ts";
import type { Content, LearningBook } from "../ports/engine-ports.ts";

/** In which book, and for whom, something is recorded. */
export type LearningContext = {
  readonly book: LearningBook;
  readonly user_id: string | null;
  readonly session_id: string;
  /** An idempotency key, globally unique: a second record under it changes nothing. */
  readonly key: string;
};

type Arguments = Record<string, unknown>;

/** One kind of learning: what a model may record of it, and how that is stored. */
export type LearningKind = {
  /** Name of the tool that a model calls during a run. */
  readonly tool: string;
  readonly description: string;
  readonly parameters: v.GenericSchema<Arguments, Arguments>;
  /** @returns the result for the model @throws Error with a text for the model */
  readonly record: (args: Arguments, context: LearningContext) => Promise<string>;
};

type Declared<S extends v.GenericSchema<Arguments, Arguments>> = Omit<
  LearningKind,
  "parameters" | "record"
> & {
  readonly parameters: S;
  readonly record: (args: v.InferOutput<S>, context: LearningContext) => Promise<string>;
};

/** Declares a kind; `record` receives values of the declared shape. */
export function defineLearning<S extends v.GenericSchema<Arguments, Arguments>>(
  declared: Declared<S>,
): LearningKind {
  // Values are validated against `parameters` before they are recorded, which the types cannot express.
  return declared as unknown as LearningKind;
}

export const ShortText = v.pipe(v.string(), v.nonEmpty(), maxChars(2000));
export const Name = v.pipe(v.string(), v.nonEmpty(), maxChars(200));

/** An entry of a list within a content. */
type Entry = Readonly<Record<string, unknown>> & { readonly id: string };

/** A content is one item of a table, so its size is limited. */
const MAX_ENTRIES = 300;

/** Eight hex digits, the same for the same name. */
export const shortId = (name: string): string => createHash("sha256").update(name).digest("hex").slice(0, 8);

/** New entries, each with an id derived from the key and its position. */
export function newEntries<T extends object>(entries: readonly T[], key: string, at: string): (T & Entry)[] {
  return entries.map((entry, i) => ({
    id: shortId(`${key}/${i}`),
    ...entry,
    created_at: at,
    updated_at: at,
  }));
}

/** The list of that name in a content; empty when it is not a list. */
export function entriesIn(before: Content | undefined, name: string): readonly Partial<Entry>[] {
  const list = before?.[name];
  return Array.isArray(list) ? list : [];
}

/**
 * A list with further entries. One that is there already, by its id or by `isSame`, stays as it is.
 *
 * @throws Error with a text for the model when there are too many
 */
export function withEntries(
  before: Content | undefined,
  name: string,
  entries: readonly Entry[],
  isSame: (one: Partial<Entry>, other: Entry) => boolean = (one, other) => one.content === other.content,
): readonly Partial<Entry>[] {
  const known = entriesIn(before, name);
  const added = entries.filter((entry) => !known.some((one) => one.id === entry.id || isSame(one, entry)));
  if (known.length + added.length > MAX_ENTRIES) {
    throw new Error(`There is room for ${MAX_ENTRIES} ${name}; say less.`);
  }
  return [...known, ...added];
}

/** The kinds of learnings that have a schema. */
export const learningKindNames = [
  "user_profile",
  "user_memory",
  "session_context",
  "entity_memory",
  "decision_log",
] as const;
export type LearningKindName = (typeof learningKindNames)[number];

/**
 * How something is learned: by a tool that the model calls during a run (`agentic`), by one that a person confirms
 * first (`propose`), or by a query after each answer (`always`), which is one model call more for the mode.
 */
export const learningModes = ["agentic", "propose", "always"] as const;
export type LearningMode = (typeof learningModes)[number];

export type LearningModes = Readonly<Partial<Record<LearningKindName, LearningMode>>>;

/** The modes of an agent with `learning: true`. */
const DEFAULT_MODES: LearningModes = {
  user_profile: "agentic",
  entity_memory: "agentic",
  decision_log: "agentic",
};

/** What an agent learns, and how. */
const modesOf = (learning: boolean | LearningModes): LearningModes =>
  learning === true ? DEFAULT_MODES : learning === false ? {} : learning;

/** The kinds that are learned in this mode. */
export const learnedBy = (learning: boolean | LearningModes, mode: LearningMode): LearningKindName[] => {
  const modes = modesOf(learning);
  return learningKindNames.filter((name) => modes[name] === mode);
};
