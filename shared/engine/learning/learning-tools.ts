import { createHash } from "node:crypto";
import * as v from "valibot";
import { defineTool, type ToolContext } from "../tool.ts";
import type { Content, LearningBook } from "./learning-book.ts";

const Text = v.pipe(v.string(), v.nonEmpty(), v.maxLength(2000));
const Name = v.pipe(v.string(), v.nonEmpty(), v.maxLength(200));

const saveUserProfile = defineTool({
  name: "save_user_profile",
  description: "Record who the user is. What is left out stays as it is.",
  parameters: v.object({
    name: v.optional(Name),
    preferred_name: v.optional(v.pipe(Name, v.description("how the user wants to be called"))),
    details: v.optional(
      v.pipe(v.record(Name, Text), v.description("anything else, such as role, language or time zone")),
    ),
  }),
  effect: "keyed",
  execute: async ({ details, ...names }, context) => {
    await bookOf(context).revise({ learning_type: "user_profile" }, (before) => ({
      ...before,
      ...details,
      ...names,
      user_id: context.user_id,
    }));
    return "The profile is saved.";
  },
});

const saveEntity = defineTool({
  name: "save_entity",
  description: "Record facts about somebody or something that the user deals with, such as a company.",
  parameters: v.object({
    entity_type: v.pipe(Name, v.description("such as company, person or project")),
    entity_id: v.pipe(Name, v.description("a short name in lower case; the same for the same entity")),
    name: v.optional(Name),
    description: v.optional(Text),
    facts: v.optional(v.array(Text), []),
  }),
  effect: "keyed",
  execute: async ({ facts, ...entity }, context) => {
    const book = bookOf(context);
    const { entity_type, entity_id } = entity;
    const subject = { learning_type: "entity_memory", namespace: "user", entity_type, entity_id };
    const at = book.now();
    const entries = facts.map((content, i) => ({
      id: shortId(`${context.idempotency_key}/${i}`),
      content,
      created_at: at,
      updated_at: at,
    }));
    await book.revise(subject, (before) => ({
      ...before,
      ...entity,
      namespace: "user",
      facts: withFacts(before, entries),
    }));
    return "The entity is saved.";
  },
});

const logDecision = defineTool({
  name: "log_decision",
  description: "Record a decision that was made, and why.",
  parameters: v.object({
    decision: Text,
    reasoning: v.optional(Text),
    alternatives: v.optional(v.array(Text), []),
    confidence: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
    tags: v.optional(v.array(Name), []),
  }),
  effect: "keyed",
  execute: async (decision, context) => {
    const id = `dec_${shortId(context.idempotency_key)}`;
    const subject = { learning_type: "decision_log", session_id: context.session_id };
    await bookOf(context).add(id, subject, { id, ...decision });
    return `The decision is recorded as ${id}.`;
  },
});

/**
 * What a model records with what it learns. Everything belongs to the run's user; what is recorded of an entity is in the
 * user's own namespace.
 *
 * @source contract, memories-and-learnings 3.4 and 3.6
 */
export const learningTools = [saveUserProfile, saveEntity, logDecision];

function bookOf({ learnings }: ToolContext): LearningBook {
  if (!learnings) throw new Error("Nothing can be recorded here.");
  return learnings;
}

type Fact = { readonly id: string; readonly content: string };

/** The facts with further ones. One that is there already, from an earlier try or in other words of the same id, stays. */
function withFacts(before: Content | undefined, entries: readonly Fact[]): unknown[] {
  const known: readonly Partial<Fact>[] = Array.isArray(before?.facts) ? before.facts : [];
  const isNew = (entry: Fact) =>
    !known.some(({ id, content }) => id === entry.id || content === entry.content);
  return [...known, ...entries.filter(isNew)];
}

/** The same eight digits for the same name. */
const shortId = (name: string): string => createHash("sha256").update(name).digest("hex").slice(0, 8);
