import type { SessionUpdate } from "@agentclientprotocol/sdk";
import type { RunEvent, ToolExecution } from "../../../client/index.ts";

const text =
  (sessionUpdate: "agent_message_chunk" | "agent_thought_chunk" | "user_message_chunk") =>
  (said: unknown): SessionUpdate[] =>
    typeof said === "string" && said !== "" ? [{ sessionUpdate, content: { type: "text", text: said } }] : [];

export const answered = text("agent_message_chunk");
export const thought = text("agent_thought_chunk");
export const asked = text("user_message_chunk");

/** A call before it is made; `rawInput` are its arguments. */
export const proposed = (call: ToolExecution) => ({
  toolCallId: call.tool_call_id,
  title: call.tool_name,
  kind: "other" as const,
  status: "pending" as const,
  rawInput: call.tool_args,
});

/** What an editor is shown of an event of a run. @param known  calls that it has been shown; the shown ones are added */
export function updatesOf({ event, data }: RunEvent, known: Set<string>): readonly SessionUpdate[] {
  switch (event) {
    case "RunContent":
    case "TeamRunContent":
      // What members of a team say is in the results of the calls that delegate to them.
      return data.nested_depth === 0 ? [...thought(data.reasoning_content), ...answered(data.content)] : [];
    case "ToolCallStarted":
    case "TeamToolCallStarted":
      return [begun(data.tool, known)];
    case "ToolCallCompleted":
    case "TeamToolCallCompleted":
      return [ended(data.tool.tool_call_id, data.tool.tool_call_error === true, data.tool.result ?? "")];
    case "ToolCallError":
    case "TeamToolCallError":
      return [ended(data.tool.tool_call_id, true, data.error)];
    default:
      return [];
  }
}

function begun(tool: ToolExecution, known: Set<string>): SessionUpdate {
  const { tool_call_id: toolCallId } = tool;
  if (known.has(toolCallId))
    return { sessionUpdate: "tool_call_update", toolCallId, status: "in_progress", rawInput: tool.tool_args };
  known.add(toolCallId);
  return { sessionUpdate: "tool_call", ...proposed(tool), status: "in_progress" };
}

export const ended = (toolCallId: string, hasFailed: boolean, result: string): SessionUpdate => ({
  sessionUpdate: "tool_call_update",
  toolCallId,
  status: hasFailed ? "failed" : "completed",
  content: [{ type: "content", content: { type: "text", text: result } }],
  rawOutput: result,
});
