import * as v from "valibot";
import { Name, shortId, Text } from "../entries.ts";
import { defineLearning } from "../learning-kind.ts";

export const decisionLog = defineLearning({
  tool: "log_decision",
  description: "Record a decision that was made, and why.",
  parameters: v.object({
    decision: Text,
    reasoning: v.optional(Text),
    decision_type: v.optional(Name),
    context: v.optional(Text),
    alternatives: v.optional(v.array(Text), []),
    confidence: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
    outcome: v.optional(Text),
    outcome_quality: v.optional(Name),
    tags: v.optional(v.array(Name), []),
  }),
  record: async (decision, { book, session_id, key }) => {
    const id = `dec_${shortId(key)}`;
    await book.add(id, { learning_type: "decision_log", session_id }, { id, ...decision });
    return `The decision is recorded as ${id}.`;
  },
});
