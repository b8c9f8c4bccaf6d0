import { defineTool } from "@agentplatform/core";
import * as v from "valibot";

const Option = v.object({ label: v.string(), description: v.optional(v.string()) });

/** Lets the model ask its user: the run pauses for the answers, which become the call's result. */
export const askUser = defineTool({
  name: "ask_user",
  description:
    "Ask the user one or more questions, each with options to choose from, and wait for the answers.",
  parameters: v.object({
    questions: v.pipe(
      v.array(
        v.object({
          question: v.string(),
          header: v.pipe(v.string(), v.description("a word or two to show above the question")),
          multi_select: v.optional(v.boolean(), false),
          options: v.pipe(v.array(Option), v.minLength(2)),
        }),
      ),
      v.minLength(1),
    ),
  }),
  effect: "safe",
  asks: ({ questions }) => questions,
});
