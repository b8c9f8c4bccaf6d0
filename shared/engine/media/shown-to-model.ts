import { listMedia } from "../../domain/runs/output-media.ts";
import type { Media, MediaKind } from "../../schemas/runs/media.ts";
import type { Message } from "../../schemas/runs/run.ts";

/** What models that see at all can see of a tool's result. */
const seen: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "application/pdf",
]);

/**
 * A message as a model is shown it: what a run has made is in it where the model can see it, and is named in words where
 * it cannot. What a user sent along stays as it is.
 *
 * @param takesFiles  whether the model takes files in results of tools
 * @decided  What earlier runs made is named: a picture would be paid for again in every run of the session.
 */
export function shownToModel(message: Message, takesFiles: boolean): Message {
  if (message.role === "user" || message.role === "system") return message;
  const { images, videos, audio, files, ...told } = message;
  const media = listMedia({ images, videos, audio, files });
  if (media.length === 0) return message;
  const isShown = ([, { object, mime_type = "" }]: (typeof media)[number]): boolean =>
    takesFiles &&
    message.role === "tool" &&
    !message.from_history &&
    object !== undefined &&
    seen.has(mime_type);
  const shown = media.filter(isShown).map(([, medium]) => medium);
  const named = media.filter((one) => !isShown(one)).map(inWords);
  return {
    ...told,
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
