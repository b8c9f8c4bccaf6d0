import type { Message } from "../schemas/run.ts";
import type { Agent } from "./agent.ts";
import { newMessage } from "./new-message.ts";
import type { EnginePorts, RunRequest } from "./run-request.ts";

/** What a run shows the model before its first call: who it is, what was said before, what is asked now. */
export function firstMessages(
  agent: Agent,
  request: RunRequest,
  ports: Pick<EnginePorts, "clock" | "newId">,
): Message[] {
  const system = systemText(agent);
  const history = agent.add_history_to_context ? request.history : [];
  return [
    ...(system === "" ? [] : [newMessage({ role: "system", content: system }, ports)]),
    ...history.filter(({ role }) => role !== "system").map((earlier) => ({ ...earlier, from_history: true })),
    newMessage({ role: "user", content: request.input, ...messageMedia(request) }, ports),
  ];
}

/** Recordings are called `audio` on a message and `audios` in an input. @source contract, runs-and-queue 3.4 and 4.5 */
function messageMedia({ media = {} }: RunRequest): Partial<Message> {
  const { audios, ...others } = media;
  return { ...others, ...(audios && { audio: audios }) };
}

function systemText({ description, instructions, markdown }: Agent): string {
  const asked =
    typeof instructions === "string" ? instructions : instructions?.map((line) => `- ${line}`).join("\n");
  return [description, asked, markdown ? "Format the answer as Markdown." : undefined]
    .filter((part) => part !== undefined && part !== "")
    .join("\n\n");
}
