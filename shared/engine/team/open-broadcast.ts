import { isCorrection } from "../model/correction-text.ts";
import type { Execution } from "../run/execution.ts";
import { newMessage } from "../run/new-message.ts";
import type { RunState } from "../run/run-state.ts";
import { newToolCall } from "../tool/new-tool-call.ts";
import { BROADCAST_TOOL } from "./delegate-tools.ts";

/**
 * Gives the user's message to every member before the first model call, as if the leader had called the tool.
 *
 * @returns undefined where the leader's model is to be called
 * @decided No model call for what is already decided: in a team that broadcasts, every member gets the task.
 */
export function openBroadcast(state: RunState, { agent, ports, request }: Execution): RunState | undefined {
  if (agent.kind !== "team" || agent.mode !== "broadcast" || agent.members.length === 0) return undefined;
  const last = state.messages.at(-1);
  if (last?.role !== "user" || isCorrection(last.content ?? "")) return undefined;
  const task = last.content ?? request.input;
  const id = `broadcast-${state.tools.length + 1}`;
  const call = {
    id,
    type: "function" as const,
    function: { name: BROADCAST_TOOL, arguments: JSON.stringify({ task }) },
  };
  return {
    ...state,
    messages: [...state.messages, newMessage({ role: "assistant", tool_calls: [call] }, ports)],
    tools: [
      ...state.tools,
      newToolCall({ tool_call_id: id, tool_name: BROADCAST_TOOL, tool_args: { task } }, ports),
    ],
  };
}
