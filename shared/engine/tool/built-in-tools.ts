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

/**
 * Lets a model change the state of the session.
 *
 * @source docs/interface/components.md 5.3
 */
export const sessionStateTool = defineTool({
  name: "update_session_state",
  description:
    "Set values in the state of this conversation, by name. Names that are left out stay as they are.",
  parameters: v.object({
    session_state_updates: v.pipe(
      v.record(v.string(), v.unknown()),
      v.description('the new values by name, such as {"cart": ["milk", "eggs"]}'),
    ),
  }),
  effect: "safe",
  execute: ({ session_state_updates }, { updateSessionState }) => ({
    session_state: updateSessionState(session_state_updates),
  }),
});
