import * as v from "valibot";
import { Name, Text } from "../entries.ts";
import { defineLearning } from "../learning-kind.ts";

export const userProfile = defineLearning({
  tool: "save_user_profile",
  description: "Record who the user is. What is left out stays as it is.",
  parameters: v.object({
    name: v.optional(Name),
    preferred_name: v.optional(v.pipe(Name, v.description("how the user wants to be called"))),
    details: v.optional(
      v.pipe(v.record(Name, Text), v.description("anything else, such as role, language or time zone")),
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
