import * as v from "valibot";
import type { LearningBook } from "../ports/engine-ports.ts";
import { defineTool, type Tool, type ToolContext } from "../tool/tool.ts";
import {
  defineLearning,
  entriesIn,
  type LearningKind,
  type LearningKindName,
  type LearningModes,
  learnedBy,
  Name,
  newEntries,
  ShortText,
  shortId,
  withEntries,
} from "./learning-kind.ts";

const userProfile = defineLearning({
  tool: "save_user_profile",
  description: "Record who the user is. What is left out stays as it is.",
  parameters: v.object({
    name: v.optional(Name),
    preferred_name: v.optional(v.pipe(Name, v.description("how the user wants to be called"))),
    details: v.optional(
      v.pipe(v.record(Name, ShortText), v.description("anything else, such as role, language or time zone")),
    ),
  }),
  record: async ({ details, ...names }, { book, user_id }) => {
    await book.revise({ learning_type: "user_profile" }, (before) => ({
      ...before,
      ...details,
      ...names,
      user_id,
    }));
    return "The profile is saved.";
  },
});

const Id = v.pipe(v.string(), v.regex(/^[0-9a-f]{8}$/), v.description("id of what is known"));

const userMemory = defineLearning({
  tool: "save_user_memory",
  description:
    "Record what is worth knowing about the user later: add what is new, replace or remove what is wrong.",
  parameters: v.object({
    add: v.optional(v.array(ShortText), []),
    replace: v.optional(v.array(v.object({ id: Id, content: ShortText })), []),
    remove: v.optional(v.array(Id), []),
  }),
  record: async ({ add, replace, remove }, { book, user_id, key }) => {
    const at = book.now();
    const added = newEntries(
      add.map((content) => ({ content })),
      key,
      at,
    );
    await book.revise({ learning_type: "user_memory" }, (before) => {
      const left = entriesIn(before, "memories")
        .filter(({ id }) => !remove.some((removed) => removed === id))
        .map((known) => {
          const change = replace.find(({ id }) => id === known.id);
          return change ? { ...known, content: change.content, updated_at: at } : known;
        });
      return { ...before, user_id, memories: withEntries({ memories: left }, "memories", added) };
    });
    return "What is known of the user is saved.";
  },
});

const steps = (description: string) =>
  v.optional(v.pipe(v.array(ShortText), v.maxLength(50), v.description(description)));

const sessionContext = defineLearning({
  tool: "save_session_context",
  description: "Record where this conversation stands. What is given takes the place of what was there.",
  parameters: v.object({
    summary: v.optional(v.pipe(ShortText, v.description("what was said and found so far"))),
    goal: v.optional(v.pipe(ShortText, v.description("what the user wants to reach"))),
    plan: steps("the steps that lead there"),
    progress: steps("the steps that are done"),
  }),
  record: async (context, { book, user_id, session_id }) => {
    await book.revise({ learning_type: "session_context", session_id }, (before) => ({
      ...before,
      ...context,
      session_id,
      user_id,
    }));
    return "The context of the session is saved.";
  },
});

const EntityEvent = v.object({
  content: ShortText,
  date: v.optional(v.pipe(v.string(), v.description("ISO 8601"))),
});
const Relationship = v.object({
  entity_id: v.pipe(Name, v.description("the other entity")),
  relation: v.pipe(Name, v.description("such as employs or owns")),
  direction: v.optional(v.picklist(["outgoing", "incoming"]), "outgoing"),
});

/** What is recorded of an entity is in the user's own namespace. */
const entityMemory = defineLearning({
  tool: "save_entity",
  description: "Record facts about a person or thing that the user deals with, such as a company.",
  parameters: v.object({
    entity_type: v.pipe(Name, v.description("such as company, person or project")),
    entity_id: v.pipe(Name, v.description("a short name in lower case; the same for the same entity")),
    name: v.optional(Name),
    description: v.optional(ShortText),
    properties: v.optional(v.record(Name, ShortText)),
    facts: v.optional(v.array(ShortText), []),
    events: v.optional(v.array(EntityEvent), []),
    relationships: v.optional(v.array(Relationship), []),
  }),
  record: async ({ facts, events, relationships, properties, ...entity }, { book, key }) => {
    const { entity_type, entity_id } = entity;
    const subject = { learning_type: "entity_memory", namespace: "user", entity_type, entity_id };
    const at = book.now();
    const lists = {
      facts: newEntries(
        facts.map((content) => ({ content })),
        key,
        at,
      ),
      events: newEntries(events, `${key}/events`, at),
      relationships: newEntries(relationships, `${key}/relationships`, at),
    };
    await book.revise(subject, (before) => ({
      ...before,
      ...entity,
      namespace: "user",
      ...(properties && { properties: { ...recordOf(before?.properties), ...properties } }),
      facts: withEntries(before, "facts", lists.facts),
      ...(events.length > 0 && { events: withEntries(before, "events", lists.events) }),
      ...(relationships.length > 0 && {
        relationships: withEntries(before, "relationships", lists.relationships, isSameRelation),
      }),
    }));
    return "The entity is saved.";
  },
});

const isSameRelation = (one: Readonly<Record<string, unknown>>, other: Readonly<Record<string, unknown>>) =>
  ["entity_id", "relation", "direction"].every((name) => one[name] === other[name]);

const recordOf = (value: unknown): object => (typeof value === "object" && value !== null ? value : {});

const decisionLog = defineLearning({
  tool: "log_decision",
  description: "Record a decision that was made, and why.",
  parameters: v.object({
    decision: ShortText,
    reasoning: v.optional(ShortText),
    decision_type: v.optional(Name),
    context: v.optional(ShortText),
    alternatives: v.optional(v.array(ShortText), []),
    confidence: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
    outcome: v.optional(ShortText),
    outcome_quality: v.optional(Name),
    tags: v.optional(v.array(Name), []),
  }),
  record: async (decision, { book, session_id, key }) => {
    const id = `dec_${shortId(key)}`;
    await book.add(id, { learning_type: "decision_log", session_id }, { id, ...decision });
    return `The decision is recorded as ${id}.`;
  },
});

/** @source docs/interface/learnings.md 3.1 */
export const learningKinds: Readonly<Record<LearningKindName, LearningKind>> = {
  user_profile: userProfile,
  user_memory: userMemory,
  session_context: sessionContext,
  entity_memory: entityMemory,
  decision_log: decisionLog,
};

/** The tools by which a model records what it learns during a run. Every record belongs to the run's user. */
export const learningTools = (learning: boolean | LearningModes): Tool[] => [
  ...learnedBy(learning, "agentic").map((name) => recordingTool(name, false)),
  ...learnedBy(learning, "propose").map((name) => recordingTool(name, true)),
];

function recordingTool(name: LearningKindName, requires_confirmation: boolean): Tool {
  const { tool, description, parameters, record } = learningKinds[name];
  return defineTool({
    name: tool,
    description,
    parameters,
    effect: "keyed",
    ...(requires_confirmation && { requires_confirmation }),
    execute: (args, context) => {
      const { user_id, session_id, idempotency_key: key } = context;
      return record(args, { book: bookOf(context), user_id, session_id, key });
    },
  });
}

function bookOf({ learnings }: ToolContext): LearningBook {
  if (!learnings) throw new Error("Nothing can be recorded here.");
  return learnings;
}
