import type { TelegramMessage } from "../../schemas/chat/telegram-update.ts";
import {
  type ChatCommand,
  type ChatMedium,
  type ChatWork,
  chatCommands,
} from "../../schemas/runs/chat-message.ts";
import type { MediaKind } from "../../schemas/runs/media.ts";
import { textWork } from "../text-work.ts";

/** The work that a message requests; undefined where there is none. @source docs/interface/chat.md 4.4 */
export function workOf(message: TelegramMessage): ChatWork | undefined {
  const text = message.text ?? message.caption ?? placeText(message) ?? "";
  const command = commandIn(text);
  if (command) return { kind: "command", command };
  const medium = mediumOf(message);
  if (text === "" && !medium) return undefined;
  return textWork(text, medium ? [medium] : []);
}

function commandIn(text: string): ChatCommand | undefined {
  const [, word] = /^\/(\w+)(?:@\w+)?(?:\s|$)/.exec(text.trimStart()) ?? [];
  return chatCommands.find((command) => command === word);
}

type File = NonNullable<TelegramMessage["document"]>;

/** One medium of a message: the first in this order that it has. */
function mediumOf(message: TelegramMessage): ChatMedium | undefined {
  const { photo, voice, audio, video, video_note, animation, document } = message;
  const found: readonly (readonly [MediaKind, File | undefined, string | undefined])[] = [
    ["images", photo?.[photo.length - 1], "image/jpeg"],
    ["images", stickerOf(message), "image/webp"],
    ["audios", voice, "audio/ogg"],
    ["audios", audio, "audio/mpeg"],
    ["videos", video, "video/mp4"],
    ["videos", video_note, "video/mp4"],
    ["videos", animation, "video/mp4"],
    ["files", document, undefined],
  ];
  const [kind, file, defaultType] = found.find(([, candidate]) => candidate !== undefined) ?? [];
  if (kind === undefined || !file) return undefined;
  const mime_type = file.mime_type ?? defaultType;
  return {
    kind,
    ref: file.file_id,
    ...(mime_type !== undefined && { mime_type }),
    ...(file.file_name !== undefined && { filename: file.file_name }),
    ...(file.file_size !== undefined && { size: file.file_size }),
  };
}

/** No model reads animated stickers; their thumbnail stands for them. */
function stickerOf({ sticker }: TelegramMessage): File | undefined {
  return sticker?.is_animated || sticker?.is_video ? sticker.thumbnail : sticker;
}

function placeText({ location, contact }: TelegramMessage): string | undefined {
  if (location) return `Location: (${location.latitude}, ${location.longitude})`;
  if (!contact) return undefined;
  const name = [contact.first_name, contact.last_name].filter((part) => part !== undefined).join(" ");
  return `Contact: ${name}${contact.phone_number ? `, ${contact.phone_number}` : ""}`;
}
