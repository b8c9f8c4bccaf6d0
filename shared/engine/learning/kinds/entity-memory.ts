import * as v from "valibot";
import { Name, newEntries, Text, withEntries } from "../entries.ts";
import { defineLearning } from "../learning-kind.ts";

const Event = v.object({ content: Text, date: v.optional(v.pipe(v.string(), v.description("ISO 8601"))) });
const Relationship = v.object({
  entity_id: v.pipe(Name, v.description("the other entity")),
  relation: v.pipe(Name, v.description("such as employs or owns")),
  direction: v.optional(v.picklist(["outgoing", "incoming"]), "outgoing"),
});

/** What is recorded of an entity is in the user's own namespace. */
export const entityMemory = defineLearning({
  tool: "save_entity",
  description: "Record facts about a person or thing that the user deals with, such as a company.",
  parameters: v.object({
    entity_type: v.pipe(Name, v.description("such as company, person or project")),
    entity_id: v.pipe(Name, v.description("a short name in lower case; the same for the same entity")),
    name: v.optional(Name),
    description: v.optional(Text),
    properties: v.optional(v.record(Name, Text)),
    facts: v.optional(v.array(Text), []),
    events: v.optional(v.array(Event), []),
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
