import type { WhatsappMessage } from "../../schemas/chat/whatsapp-webhook.ts";
import type { ChatMedium, ChatWork } from "../../schemas/runs/chat-message.ts";
import type { MediaKind } from "../../schemas/runs/media.ts";
import { readDecision } from "../decision-button.ts";
import { textWork } from "../text-work.ts";

/** Types of messages that are not answered. */
const unanswered = new Set(["reaction", "system", "unsupported", "edit", "revoke"]);

/** The media kind of each message type with a file. */
const kinds = {
  image: "images",
  sticker: "images",
  audio: "audios",
  video: "videos",
  document: "files",
} as const satisfies Record<string, MediaKind>;

/**
 * The work that a message requests; undefined where there is none.
 *
 * @source docs/interface/chat.md 2.2
 */
export function workOf(message: WhatsappMessage): ChatWork | undefined {
  const { type, text, button, location, interactive } = message;
  if (unanswered.has(type)) return undefined;
  if (type === "text" && text) return workOfText(text.body);
  if (type === "button" && button?.text) return run(button.text);
  if (type === "location" && location) return run(locationText(location));
  if (type === "interactive" && interactive) return workOfReply(interactive) ?? { kind: "unsupported", type };
  return workOfFile(message) ?? { kind: "unsupported", type };
}

const run = (text: string, media: ChatMedium[] = []): ChatWork => textWork(text, media);

const workOfText = (body: string): ChatWork =>
  body.trim().toLowerCase() === "/new" ? { kind: "command", command: "new" } : run(body);

function workOfReply({
  button_reply,
  list_reply,
}: NonNullable<WhatsappMessage["interactive"]>): ChatWork | undefined {
  const decision = readDecision(button_reply?.id);
  if (decision) return { kind: "decision", ...decision };
  if (button_reply) return run(button_reply.title);
  if (!list_reply) return undefined;
  const { title, description } = list_reply;
  return run(description ? `${title}: ${description}` : title);
}

function workOfFile(message: WhatsappMessage): ChatWork | undefined {
  const [, kind] = Object.entries(kinds).find(([type]) => type === message.type) ?? [];
  const file = fileOf(message);
  if (kind === undefined || !file) return undefined;
  const mime_type = file.mime_type?.split(";")[0]?.trim();
  const medium = {
    kind,
    ref: file.id,
    ...(mime_type && { mime_type }),
    ...(file.filename && { filename: file.filename }),
  };
  return run(file.caption ?? "", [medium]);
}

function fileOf({ type, image, sticker, audio, video, document }: WhatsappMessage) {
  return { image, sticker, audio, video, document }[type as keyof typeof kinds]; // another type has no file
}

function locationText({
  latitude,
  longitude,
  name,
  address,
}: NonNullable<WhatsappMessage["location"]>): string {
  const place = [name, address].filter((part) => part !== undefined && part !== "").join(", ");
  return `Location: ${place ? `${place} ` : ""}(${latitude}, ${longitude})`;
}
