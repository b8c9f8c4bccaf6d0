import type { Event, Message } from "@ag-ui/core";
import { wireCallId } from "../pauses/call-id.ts";
import type { Message as RunMessage } from "../schemas/runs/run.ts";
import type { StoredRun } from "../stores/runs/run-item.ts";
import { contentOf, filesIn, mediaEvent } from "./agui-media.ts";

type Run = Pick<StoredRun, "run_id" | "output">;

/**
 * The conversation of a thread. Runs without messages of their own, which are those of workflows, are a question and an answer.
 *
 * @param runs        with addresses for their files
 * @param takesParts  whether the client knows messages with files in them
 */
export const threadMessages = (runs: readonly Run[], takesParts: boolean): Message[] =>
  runs.flatMap((run) => messagesOf(run, takesParts));

/** The files of a thread that are in none of its messages, by run. */
export const threadMedia = (runs: readonly Run[], takesParts: boolean): Event[] =>
  runs.flatMap(({ run_id, output }) => {
    const results = (output.messages ?? []).filter(({ role }) => role === "tool");
    const within = takesParts ? results.flatMap((message) => filesIn(output.session_id, message)) : [];
    const shown = new Set(within.flatMap(({ id, url }) => (url === undefined ? [] : [id])));
    return mediaEvent(
      run_id,
      filesIn(output.session_id, output).filter(({ id }) => !shown.has(id)),
    );
  });

function messagesOf(run: Run, takesParts: boolean): Message[] {
  const own = (run.output.messages ?? []).filter(
    ({ from_history, role }) => !from_history && role !== "system",
  );
  return own.length > 0
    ? own.flatMap((message) => messageOf(run, message, takesParts))
    : questionAndAnswer(run);
}

function messageOf({ run_id, output }: Run, message: RunMessage, takesParts: boolean): Message[] {
  const { id, role, content = "", tool_calls = [], tool_call_id = "", reasoning_content } = message;
  const withFiles = takesParts ? contentOf(content, filesIn(output.session_id, message)) : content;
  if (role === "user") return [{ id, role, content: withFiles }];
  if (role === "tool")
    return [{ id, role, content: withFiles, toolCallId: wireCallId(run_id, tool_call_id) }];
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
