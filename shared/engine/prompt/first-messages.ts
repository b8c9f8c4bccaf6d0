import type { Message } from "../../schemas/runs/run.ts";
import type { Execution } from "../run/execution.ts";
import type { RunRequest } from "../run/run-request.ts";
import { newMessage } from "../run/run-state.ts";
import { systemText } from "./system-text.ts";

/**
 * The messages of a run's first model call: system text, history, the agent's additional messages, the run's input.
 */
export async function firstMessages(execution: Execution): Promise<Message[]> {
  const { agent, request, ports } = execution;
  const system = await systemText(execution);
  const earlier = request.history.filter(({ role }) => role !== "system");
  const history = agent.add_history_to_context ? lastOf(earlier, agent.num_history_messages) : [];
  return [
    ...(system === "" ? [] : [newMessage({ role: "system", content: system }, ports)]),
    ...history.map((message) => ({ ...message, from_history: true })),
    ...agent.additional_input.map((message) => newMessage(message, ports)),
    newMessage({ role: "user", content: request.input, ...messageMedia(request) }, ports),
  ];
}

/** Audio is called `audio` on a message and `audios` in an input. */
function messageMedia({ media = {} }: RunRequest): Partial<Message> {
  const { audios, ...others } = media;
  return { ...others, ...(audios && { audio: audios }) };
}

/**
 * The last messages of a conversation, beginning with one of the user: providers refuse an answer or a tool's result
 * whose question is missing.
 */
function lastOf(messages: readonly Message[], count: number | undefined): readonly Message[] {
  if (count === undefined || messages.length <= count) return messages;
  const last = messages.slice(messages.length - count);
  const start = last.findIndex(({ role }) => role === "user");
  return start < 0 ? [] : last.slice(start);
}
