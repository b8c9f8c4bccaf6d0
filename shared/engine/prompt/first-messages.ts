import type { Message } from "../../schemas/runs/run.ts";
import type { Execution } from "../run/execution.ts";
import { newMessage } from "../run/new-message.ts";
import type { RunRequest } from "../run/run-request.ts";
import { systemText } from "./system-text.ts";

/**
 * The messages of a run's first model call: system text, history, the agent's additional messages, the run's input.
 */
export async function firstMessages(execution: Execution): Promise<Message[]> {
  const { agent, request, ports } = execution;
  const system = await systemText(execution);
  const history = agent.add_history_to_context ? request.history : [];
  return [
    ...(system === "" ? [] : [newMessage({ role: "system", content: system }, ports)]),
    ...history.filter(({ role }) => role !== "system").map((earlier) => ({ ...earlier, from_history: true })),
    ...agent.additional_input.map((message) => newMessage(message, ports)),
    newMessage({ role: "user", content: request.input, ...messageMedia(request) }, ports),
  ];
}

/** Audio is called `audio` on a message and `audios` in an input. @source contract, runs-and-queue 3.4 and 4.5 */
function messageMedia({ media = {} }: RunRequest): Partial<Message> {
  const { audios, ...others } = media;
  return { ...others, ...(audios && { audio: audios }) };
}
