import type { Message } from "@ag-ui/core";
import { wireCallId } from "../pauses/call-id.ts";
import type { Message as RunMessage } from "../schemas/runs/run.ts";
import type { StoredRun } from "../stores/runs/run-item.ts";

type Run = Pick<StoredRun, "run_id" | "output">;

/** The conversation of a thread. Runs without messages of their own, which are those of workflows, are a question and an answer. */
export const threadMessages = (runs: readonly Run[]): Message[] => runs.flatMap(messagesOf);

function messagesOf(run: Run): Message[] {
  const own = (run.output.messages ?? []).filter(
    ({ from_history, role }) => !from_history && role !== "system",
  );
  return own.length > 0 ? own.flatMap((message) => messageOf(run, message)) : questionAndAnswer(run);
}

function messageOf({ run_id }: Run, message: RunMessage): Message[] {
  const { id, role, content = "", tool_calls = [], tool_call_id = "", reasoning_content } = message;
  if (role === "user") return [{ id, role, content }];
  if (role === "tool") return [{ id, role, content, toolCallId: wireCallId(run_id, tool_call_id) }];
  const toolCalls = tool_calls.map((call) => ({
    id: wireCallId(run_id, call.id),
    type: "function" as const,
    function: { name: call.function.name, arguments: call.function.arguments },
  }));
  const reasoning: Message[] = reasoning_content
    ? [{ id: `${id}-reasoning`, role: "reasoning", content: reasoning_content }]
    : [];
  return [...reasoning, { id, role: "assistant", content, ...(toolCalls.length > 0 && { toolCalls }) }];
}

function questionAndAnswer({ run_id, output }: Run): Message[] {
  const { input, content } = output;
  const answer = typeof content === "string" ? content : JSON.stringify(content ?? "");
  return [
    { id: `${run_id}-question`, role: "user", content: input.input_content },
    ...(content === undefined
      ? []
      : [{ id: `${run_id}-answer`, role: "assistant" as const, content: answer }]),
  ];
}
