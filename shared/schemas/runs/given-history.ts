import * as v from "valibot";
import { ToolCall } from "./run.ts";

/**
 * What the client of one run says was said before, in place of what the session holds: the model sees exactly these messages.
 * Without messages it sees the session's. `instructions` stand behind those of the component.
 */
export const GivenHistory = v.object({
  messages: v.optional(
    v.array(
      v.object({
        role: v.picklist(["user", "assistant", "tool"]),
        content: v.string(),
        tool_calls: v.optional(v.array(ToolCall)),
        tool_call_id: v.optional(v.string()),
        tool_name: v.optional(v.string()),
      }),
    ),
  ),
  instructions: v.optional(v.string()),
});
export type GivenHistory = v.InferOutput<typeof GivenHistory>;
