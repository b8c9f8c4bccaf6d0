import * as v from "valibot";
import { Text } from "../entries.ts";
import { defineLearning } from "../learning-kind.ts";

const steps = (description: string) =>
  v.optional(v.pipe(v.array(Text), v.maxLength(50), v.description(description)));

export const sessionContext = defineLearning({
  tool: "save_session_context",
  description: "Record where this conversation stands. What is given takes the place of what was there.",
  parameters: v.object({
    summary: v.optional(v.pipe(Text, v.description("what was said and found so far"))),
    goal: v.optional(v.pipe(Text, v.description("what the user wants to reach"))),
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
