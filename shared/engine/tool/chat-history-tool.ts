import * as v from "valibot";
import { defineTool } from "./tool.ts";

const MAX_RUNS = 20;

/**
 * Lets a model read earlier messages of the session that its prompt does not hold.
 *
 * @source docs/interface/runs.md 2.3
 */
export const chatHistoryTool = defineTool({
  name: "get_chat_history",
  description: "Read what was said earlier in this conversation, oldest first.",
  parameters: v.object({
    num_runs: v.optional(
      v.pipe(
        v.number(),
        v.integer(),
        v.minValue(1),
        v.maxValue(MAX_RUNS),
        v.description(`how many earlier exchanges to read, ${MAX_RUNS} at most and when left out`),
      ),
    ),
  }),
  effect: "safe",
  execute: async ({ num_runs = MAX_RUNS }, { readChatHistory }) => {
    const messages = await readChatHistory(num_runs);
    return messages
      .filter(({ role, content }) => (role === "user" || role === "assistant") && content !== undefined)
      .map(({ role, content }) => ({ role, content }));
  },
});
