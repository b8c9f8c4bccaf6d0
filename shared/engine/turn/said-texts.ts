import { isTextType } from "../../domain/runs/file-treatment.ts";
import type { GivenHistory } from "../../schemas/runs/given-history.ts";
import type { Media } from "../../schemas/runs/media.ts";
import type { Message, ToolExecution } from "../../schemas/runs/run.ts";
import type { TextOrigin } from "../define/hook.ts";
import type { Execution } from "../run/execution.ts";
import { fileText } from "../run/file-text.ts";
import { pendingCalls } from "../run/next-step.ts";
import type { RunState } from "../run/run-state.ts";

/** A text of a person or of a client that a model is about to be shown. */
export type SaidText = {
  readonly origin: TextOrigin;
  readonly text: string;
  /** Of the message, where it is one of the state's. */
  readonly message_id?: string;
};

/** What a run's request puts into the first prompt: its message first, then what stands beside it. */
export async function textsOfRequest(execution: Execution): Promise<SaidText[]> {
  const { agent, request, sessionState } = execution;
  const { input, dependencies, client_tools, given_history, output_schema } = request;
  // What a function makes of dependencies cannot be seen, so they count as shown.
  const showsDependencies = agent.add_dependencies_to_context || typeof agent.instructions === "function";
  return [
    { origin: "message", text: input },
    ...(await textsOfFiles(execution)),
    ...(showsDependencies ? saidIn("dependencies", dependencies) : []),
    ...(agent.add_session_state_to_context ? saidIn("session_state", sessionState.current()) : []),
    ...saidIn("message", given_history && saidBefore(given_history)),
    ...saidIn("client_tools", client_tools),
    ...saidIn("output_schema", output_schema),
  ];
}

/** The words of what a client says was said before: its texts, and what it says that tools were asked. */
const saidBefore = ({ messages = [], instructions }: GivenHistory): unknown[] => [
  instructions ?? "",
  ...messages.flatMap(({ content, tool_calls = [] }) => [
    content,
    ...tool_calls.map(({ function: { arguments: asked } }) => asked),
  ]),
];

/**
 * What people and clients have added to a run and no guard has let pass: messages that no answer follows yet, and their
 * words about calls that wait.
 */
export const textsAdded = (state: RunState): SaidText[] => [
  ...messagesAdded(state),
  ...pendingCalls(state).flatMap(wordsAbout),
];

const messagesAdded = ({ messages, passed = [] }: RunState): SaidText[] =>
  messages
    .slice(messages.findLastIndex(({ role }) => role === "assistant") + 1)
    .filter(({ id, role }) => role === "user" && !passed.includes(id))
    .map(({ id, content = "" }) => ({ origin: "message", text: content, message_id: id }));

/** A person's note and values, and what a client has executed. A call's result is the platform's own otherwise. */
function wordsAbout(call: ToolExecution): SaidText[] {
  const { confirmation_note, external_execution_required, proposed_args, result, tool_args } = call;
  const values = [
    ...(call.user_input_schema ?? []).map(({ value }) => value),
    ...(call.user_feedback_schema ?? []).map(({ selected_options }) => selected_options),
    ...(external_execution_required ? [result] : []),
    ...(proposed_args ? [tool_args] : []), // edited by a person
  ];
  return [
    ...(confirmation_note ? [{ origin: "note" as const, text: confirmation_note }] : []),
    ...saidIn("answer", values),
  ];
}

/** A value as one text; nothing for one that says nothing. */
export function saidIn(origin: TextOrigin, value: unknown): SaidText[] {
  const words = textsIn(value);
  return words.length > 0 ? [{ origin, text: words.join("\n") }] : [];
}

/** Every text, number and name of a JSON value: JSON's own signs would separate what belongs together. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  if (typeof value === "number") return [String(value)];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...textsIn(inner)]);
}

/** What a message says that was sent to the run after it had begun. */
export async function textsOfMessage(message: Message, execution: Execution): Promise<SaidText[]> {
  const { content = "", images = [], audio = [], videos = [], files = [] } = message;
  const attached = await textsOf([...images, ...audio, ...videos, ...files], execution);
  return [{ origin: "message", text: content }, ...attached];
}

/** What attached texts say, and what attached files are called. */
function textsOfFiles(execution: Execution): Promise<SaidText[]> {
  const { images = [], audios = [], videos = [], files = [] } = execution.request.media ?? {};
  return textsOf([...images, ...audios, ...videos, ...files], execution);
}

async function textsOf(all: readonly Media[], { ports }: Execution): Promise<SaidText[]> {
  const names = all.flatMap(({ filename }) => filename ?? []);
  const load = ports.loadObject;
  const texts = all.filter(({ mime_type = "" }) => isTextType(mime_type));
  const said = await Promise.all(
    texts.map(async ({ object, content }) => (load && object ? fileText(await load(object)) : content)),
  );
  return [...saidIn("file", names), ...said.flatMap((text) => saidIn("file", text))];
}
