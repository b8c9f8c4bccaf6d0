import * as v from "valibot";
import { entriesIn, newEntries, Text, withEntries } from "../entries.ts";
import { defineLearning } from "../learning-kind.ts";

const Id = v.pipe(v.string(), v.regex(/^[0-9a-f]{8}$/), v.description("id of what is known"));

export const userMemory = defineLearning({
  tool: "save_user_memory",
  description:
    "Record what is worth knowing about the user later: add what is new, replace or remove what is wrong.",
  parameters: v.object({
    add: v.optional(v.array(Text), []),
    replace: v.optional(v.array(v.object({ id: Id, content: Text })), []),
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
