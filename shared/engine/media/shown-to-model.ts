import { listMedia } from "../../domain/runs/output-media.ts";
import type { Media, MediaKind } from "../../schemas/runs/media.ts";
import type { Message } from "../../schemas/runs/run.ts";
import { type LoadObject, showMessage } from "../../stores/objects/show-media.ts";

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
  return load ? Promise.all(messages.map((message) => showMessage(load, message))) : messages;
}
