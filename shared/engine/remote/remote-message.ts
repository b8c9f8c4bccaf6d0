import { type Message as A2aMessage, type Part, Role, type SendMessageRequest } from "@a2a-js/sdk";
import { isObject, parsedJson } from "../../schemas/values/json-values.ts";
import type { EnginePorts } from "../ports/engine-ports.ts";
import { type Execution, withoutSecrets } from "../run/execution.ts";
import { withMedia } from "../run/run-media.ts";
import type { RemoteTask, RunState } from "../run/run-state.ts";
import { mediaParts } from "../turn/build-prompt.ts";
import type { RemoteAnswer } from "./remote-answer.ts";
import { AGAIN_TOOL } from "./remote-tools.ts";

/**
 * The message that is under way: what users and tools have added to the run since the remote agent last received a message. What a
 * team or workflow sends its members with the task goes with a run's first message.
 */
export async function remoteMessage(
  task: RemoteTask,
  { messages }: RunState,
  { request, ports }: Execution,
): Promise<SendMessageRequest> {
  const added = messages
    .slice(task.from)
    .filter(({ role, tool_name }) => role === "user" || (role === "tool" && tool_name !== AGAIN_TOOL));
  const isFirst = !messages
    .slice(0, task.from)
    .some(({ from_history, role }) => !from_history && role === "user");
  const shown = await withMedia(added, ports.loadObject);
  const parts = shown.flatMap((message) => [
    ...(message.content === undefined || message.content === ""
      ? []
      : [message.role === "tool" ? answerPart(message.content) : textPart(message.content)]),
    ...mediaParts(message).map(filePart),
  ]);
  const briefing = isFirst && request.briefing !== undefined ? [textPart(request.briefing)] : [];
  const all = [...briefing, ...parts];
  const message: A2aMessage = {
    messageId: task.message_id,
    role: Role.ROLE_USER,
    parts: all.length > 0 ? all : [textPart("")],
    contextId: task.context_id,
    taskId: task.task_id ?? "",
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
  const configuration = {
    acceptedOutputModes: [],
    taskPushNotificationConfig: undefined,
    returnImmediately: true,
  };
  return { tenant: "", message, configuration, metadata: undefined };
}

const bare = { metadata: undefined, filename: "", mediaType: "" };

const textPart = (value: string): Part => ({ ...bare, content: { $case: "text", value } });

/** An answer that is a JSON object is sent as data: the remote agent may have asked for several things at once. */
function answerPart(text: string): Part {
  const value = parsedJson(text);
  return isObject(value) ? { ...bare, content: { $case: "data", value } } : textPart(text);
}

function filePart({ mediaType, data, filename = "" }: ReturnType<typeof mediaParts>[number]): Part {
  const described = { ...bare, mediaType, filename };
  switch (data.type) {
    case "url":
      return { ...described, content: { $case: "url", value: data.url.href } };
    case "text":
      return { ...described, content: { $case: "raw", value: Buffer.from(data.text) } };
    case "data":
      return { ...described, content: { $case: "raw", value: bytesOf(data.data) } };
    case "reference":
      throw new Error("a message refers to a file at a model's provider");
  }
}

const bytesOf = (data: string | Uint8Array): Buffer =>
  typeof data === "string" ? Buffer.from(data, "base64") : Buffer.from(data);

/**
 * The text of the answer that is under way. A server may send a task's whole text with every answer, or what is new only:
 * what the run has of it already is taken off where it is there.
 *
 *   run's content   … │ answered before the question │ emitted of this answer
 *   task's text         answered before the question   this answer
 */
export function freshText(
  { text }: Pick<RemoteAnswer, "text">,
  { content, remote }: Pick<RunState, "content" | "remote">,
  ports: Pick<EnginePorts, "toolSecrets">,
): string {
  const shown = withoutSecrets(text, ports);
  const { answered = 0, told: emitted = 0 } = remote ?? {};
  const end = content.length - emitted;
  const before = content.slice(end - answered, end);
  if (shown.startsWith(before)) return shown.slice(before.length);
  return before.startsWith(shown) ? "" : shown;
}
