import { mediaRoute } from "../../domain/runs/media-types.ts";
import { type JoinedMedia, listMedia, madeIn, outputMedia } from "../../domain/runs/output-media.ts";
import type { Media, MediaKind, OutputMedia } from "../../schemas/runs/media.ts";
import type { Message } from "../../schemas/runs/run.ts";
import { type LoadObject, showMessage } from "../../stores/objects/show-media.ts";
import type { GivenMedium } from "../model/given-medium.ts";
import type { EnginePorts } from "../ports/engine-ports.ts";
import type { Execution } from "./execution.ts";
import { fileText } from "./file-text.ts";
import type { RunState } from "./run-state.ts";

/** The most bytes of files that a run makes: the same as for its input, so that the run can be shown whole. */
export const MAX_BYTES = 20_000_000;
export const MAX_FILES = 50;

type Ports = Pick<EnginePorts, "saveObject" | "newId">;

/**
 * Saves files beside the session of the run, before anything points to them, under the digest of their content. A
 * process that dies in between leaves an object without a pointer, and a retry writes the same object.
 *
 * @param made  the files that the run made before
 * @throws Error with a text that a model can act on, when a file is too large, one too many, or cannot be saved
 */
export async function saveMedia(
  given: readonly GivenMedium[],
  made: OutputMedia,
  ports: Ports,
): Promise<JoinedMedia> {
  const before = listMedia(made).map(([, medium]) => medium);
  const bytes = sum(before.map(({ object }) => object?.bytes ?? 0)) + sum(given.map(sizeOf));
  if (before.length + given.length > MAX_FILES) throw new Error(`A run may make ${MAX_FILES} files at most.`);
  if (bytes > MAX_BYTES) {
    throw new Error(`The files would make ${megabytes(bytes)} MB; a run keeps ${megabytes(MAX_BYTES)} MB.`);
  }
  const saved = await Promise.all(given.map((one) => saveOne(one, ports)));
  return outputMedia(...saved.map(([kind, medium]) => ({ [kind === "audios" ? "audio" : kind]: [medium] })));
}

async function saveOne(given: GivenMedium, ports: Ports): Promise<readonly [MediaKind, Media]> {
  const { filename, alt_text } = given;
  const { kind, mime_type, format } = routeOf(given);
  const described = {
    id: ports.newId(),
    mime_type,
    ...(format && { format }),
    ...(filename && { filename }),
    ...(alt_text && { alt_text }),
  };
  if ("url" in given) return [kind, { ...described, url: webAddress(given.url) }];
  return [kind, { ...described, object: await saveBytes(given.bytes, ports) }];
}

/** A type that runs do not accept as input is saved as a file. */
function routeOf({ mime_type, filename = "", kind }: GivenMedium) {
  const route = mediaRoute(mime_type, filename) ?? {
    kind: "files" as const,
    mime_type: mime_type || "application/octet-stream",
    format: /\.([a-z0-9]+)$/i.exec(filename)?.[1],
  };
  return kind ? { ...route, kind } : route;
}

function webAddress(url: string): string {
  if (URL.canParse(url) && /^https?:/i.test(url)) return url;
  throw new Error("A file was given by something that is no http address.");
}

async function saveBytes(bytes: Uint8Array, { saveObject }: Ports) {
  if (!saveObject) throw new Error("Files cannot be kept here.");
  try {
    return await saveObject(bytes);
  } catch (cause) {
    throw new Error("The files could not be kept; the call itself was made.", { cause });
  }
}

const sizeOf = (given: GivenMedium): number => ("bytes" in given ? given.bytes.length : 0);
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1);

/** The files that a run has made so far, including those of calls whose result the model has not seen. */
export const madeMedia = ({ messages, media = {} }: Pick<RunState, "messages" | "media">): JoinedMedia =>
  outputMedia(madeIn(messages), ...Object.values(media));

/**
 * Saves the files of a model's answer. If they cannot be saved, the answer is used without them: it is paid for, and
 * its text is there.
 */
export async function saveModelFiles(
  files: readonly GivenMedium[],
  messages: readonly Message[],
  { ports, model }: Pick<Execution, "ports" | "model">,
): Promise<OutputMedia> {
  try {
    return await saveMedia(files, madeIn(messages), ports);
  } catch (error) {
    ports.warn?.("files of a model's answer could not be saved", { model: model.id, error: String(error) });
    return {};
  }
}

/** The types of files in a tool's result that models with vision can read. */
const readableTypes: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "application/pdf",
]);

/**
 * A message as a model is shown it. Files that a run has made are included when the model can read them, and else named
 * in its text. Files that a user attached stay as they are.
 *
 * @param takesFiles  whether the model takes files in results of tools
 * @decided  Files of earlier runs are named: a picture would be paid for again in every run of the session.
 */
export function shownToModel(message: Message, takesFiles: boolean): Message {
  if (message.role === "user" || message.role === "system") return message;
  const { images, videos, audio, files, ...rest } = message;
  const media = listMedia({ images, videos, audio, files });
  if (media.length === 0) return message;
  const isShown = ([, { object, mime_type = "" }]: (typeof media)[number]): boolean =>
    takesFiles &&
    message.role === "tool" &&
    !message.from_history &&
    object !== undefined &&
    readableTypes.has(mime_type);
  const shown = media.filter(isShown).map(([, medium]) => medium);
  const named = media.filter((one) => !isShown(one)).map(inWords);
  return {
    ...rest,
    content: [message.content ?? "", ...named].filter((part) => part !== "").join("\n"),
    ...(shown.length > 0 && { files: shown }),
  };
}

/** Whether a message, as a model is shown it, is a tool's result with files in it. */
export const holdsToolFiles = ({ role, files }: Message): boolean => role === "tool" && files !== undefined;

const word = { images: "image", videos: "video", audios: "recording", files: "file" } as const;

function inWords([kind, { filename, mime_type, alt_text, url }]: readonly [MediaKind, Media]): string {
  const facts = [filename, mime_type, typeof alt_text === "string" ? alt_text : undefined, url];
  return `[${word[kind]}: ${facts.filter((fact) => fact !== undefined).join(", ")}]`;
}

/** A conversation with the contents of its media; a run stores references only. */
export async function withMedia(
  messages: readonly Message[],
  load: LoadObject | undefined,
): Promise<readonly Message[]> {
  return load ? Promise.all(messages.map((message) => showMessage(load, message, fileText))) : messages;
}
