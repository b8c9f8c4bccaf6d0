import { ServiceError } from "../errors.ts";
import type { AguiMessage, AguiPart, RunAgentInput } from "../schemas/agui/run-agent-input.ts";
import { type GivenMedia, problemOfMedium } from "../schemas/runs/media-fields.ts";
import type { CreateRunForm } from "../schemas/runs/run-forms.ts";
import { isObject, parsedJson } from "../schemas/values/json-values.ts";

/** What of a client's messages is new: everything after the last one of the assistant. */
type NewMessages = {
  readonly users: readonly AguiMessage[];
  readonly results: readonly AguiMessage[];
};

export function newMessages(messages: readonly AguiMessage[]): NewMessages {
  const last = messages.findLastIndex(({ role }) => role === "assistant");
  const fresh = messages.slice(last + 1);
  return {
    users: fresh.filter(({ role }) => role === "user"),
    results: fresh.filter(({ role, toolCallId }) => role === "tool" && toolCallId !== undefined),
  };
}

/**
 * What of the user's new messages becomes a run's input. A message whose run failed, was cancelled or was left has no answer at its
 * client; it comes again with every later message, and so does one that was refused. Neither may be asked twice, nor have the later
 * one refused: the last message alone decides.
 *
 * @param users    the user's messages behind the assistant's last one; at least one
 * @param isKnown  whether a run of the thread was asked a message, by its id
 * @param refusal  why a run would be refused for a message that can be read; undefined where it would not
 * @returns the messages behind the last known one; the last message alone where nothing is newer, which asks it again.
 *          `ignored` are those of them that cannot be read or would be refused, with the reason
 */
export function askedOf(
  users: readonly AguiMessage[],
  isKnown: (id: string) => boolean,
  refusal: (message: AguiMessage) => string | undefined = () => undefined,
): Asked {
  const known = users.findLastIndex(({ id }) => isKnown(id));
  const last = users.length - 1;
  const earlier = users
    .slice(known + 1, last)
    .map((message) => ({ message, reason: unreadableReason(message) ?? refusal(message) }));
  return {
    asked: [
      ...earlier.flatMap(({ message, reason }) => (reason === undefined ? [message] : [])),
      ...users.slice(last),
    ],
    ignored: earlier.flatMap(({ message: { id }, reason }) => (reason === undefined ? [] : [{ id, reason }])),
  };
}

export type IgnoredMessage = { readonly id: string; readonly reason: string };
export type Asked = { readonly asked: readonly AguiMessage[]; readonly ignored: readonly IgnoredMessage[] };

function unreadableReason(message: AguiMessage): string | undefined {
  try {
    userInput([message]);
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return error.message;
    throw error;
  }
}

type Media = Pick<CreateRunForm, "images" | "audio" | "videos" | "input_files">;

/** The text and the files of a user's new messages, as fields of a run. */
export function userInput(users: readonly AguiMessage[]): Media & { readonly message: string } {
  const parts = users.flatMap(partsOf);
  const message = parts.flatMap(({ type, text }) => (type === "text" && text ? [text] : [])).join("\n\n");
  const files = parts.flatMap((part) => {
    const given = mediumOf(part);
    return given ? [{ field: fieldOf(part, given), given }] : [];
  });
  const of = (name: keyof Media) => files.filter(({ field }) => field === name).map(({ given }) => given);
  const fields = (["images", "audio", "videos", "input_files"] as const).flatMap((name) =>
    of(name).length > 0 ? [[name, of(name)] as const] : [],
  );
  return { message, ...Object.fromEntries(fields) };
}

/** The text of a message; its other parts are left out. */
export const textOf = (message: AguiMessage): string =>
  partsOf(message)
    .flatMap(({ text }) => (text === undefined ? [] : [text]))
    .join("\n");

function partsOf({ content }: AguiMessage): readonly AguiPart[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content : [];
}

/**
 * The file of a part, by its address or its content; a data URL is content.
 *
 * @throws ServiceError UNPROCESSABLE for a file that cannot be read from the part: a run without it would answer something else
 */
function mediumOf(part: AguiPart): GivenMedia | undefined {
  const { type, source, metadata } = part;
  if (type === "text") return undefined;
  if (source?.type === "file" || (!source && part.url === undefined && part.data === undefined))
    throw unreadable(part, "files that a provider holds are not taken: send the content, or an address");
  const value = source ? source.value : (part.url ?? part.data);
  if (value === undefined) throw unreadable(part, "its source has no value");
  const [, ofUrl, base64] = /^data:([^;,]*)[^,]*;base64,(.*)$/s.exec(value) ?? [];
  const isUrl = base64 === undefined && (source ? source.type === "url" : part.url !== undefined);
  const mime_type = source?.mimeType ?? part.mimeType ?? (ofUrl || undefined);
  const filename = part.filename ?? (isObject(metadata) ? metadata.filename : undefined);
  const medium = {
    ...(mime_type !== undefined && { mime_type }),
    ...(typeof filename === "string" && filename !== "" && { filename }),
    ...(isUrl ? { url: value } : { content: base64 ?? value }),
  };
  const problem = problemOfMedium(medium);
  if (problem !== undefined) throw unreadable(part, problem);
  return medium as GivenMedia; // as checked
}

const unreadable = ({ type }: AguiPart, problem: string): ServiceError =>
  new ServiceError("UNPROCESSABLE", `messages: the ${type} cannot be read: ${problem}`);

function fieldOf({ type }: AguiPart, { mime_type }: GivenMedia): keyof Media {
  const kind = type === "binary" ? String(mime_type).split("/")[0] : type;
  if (kind === "image") return "images";
  if (kind === "audio") return "audio";
  return kind === "video" ? "videos" : "input_files";
}

/** Context as values that instructions and tools can read, by name. Values that are JSON are read as such. */
export function dependenciesOf({ context }: RunAgentInput): Record<string, unknown> | undefined {
  if (!context || context.length === 0) return undefined;
  return Object.fromEntries(
    context.map(({ description, value }, i) => [
      description === "" ? `context_${i + 1}` : description,
      parsedJson(value) ?? value,
    ]),
  );
}

/** The state of the client, where it is one that a session can have. */
export const stateOf = ({ state }: RunAgentInput): Record<string, unknown> | undefined =>
  isObject(state) && Object.keys(state).length > 0 ? state : undefined;
