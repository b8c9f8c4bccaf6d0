import * as v from "valibot";
import type { ChatMedium } from "../../schemas/runs/chat-message.ts";
import type { TelegramSettings } from "../../settings/values/chats.ts";
import type { Fetched, OutMedium, Sent } from "../chat-port.ts";
import { blobOf, fileNameOf, readLimited, shortCaption } from "../media-file.ts";
import { type BotClient, type Called, sentFrom } from "./bot-client.ts";

const File = v.looseObject({ file_path: v.string(), file_size: v.optional(v.number()) });
const failed: Fetched = { fetched: false, why: "failed" };
const tooLarge: Fetched = { fetched: false, why: "too_large" };

/** Fetches a file that a user sent. @source docs/interface/chat.md 4.5 */
export async function fetchTelegramMedium(
  client: BotClient,
  { media_max_mb, media_timeout_seconds }: TelegramSettings,
  { ref, size = 0, mime_type }: ChatMedium,
): Promise<Fetched> {
  const maxBytes = media_max_mb * 1_000_000;
  if (size > maxBytes) return tooLarge;
  const located = await locate(client, ref);
  if (!located.ok) return /too big/i.test(located.description) ? tooLarge : failed;
  const file = v.safeParse(File, located.result);
  if (!file.success) return failed;
  if ((file.output.file_size ?? 0) > maxBytes) return tooLarge;
  try {
    const signal = AbortSignal.timeout(media_timeout_seconds * 1000);
    const response = await client.download(file.output.file_path, signal);
    const bytes = response.ok ? await readLimited(response, maxBytes) : new Uint8Array();
    if (!response.ok) return failed;
    return bytes ? { fetched: true, bytes, mime_type } : tooLarge;
  } catch {
    // The address contains the token, so the error is not logged; the run continues without the file.
    return failed;
  }
}

/** A second call waits as long as Telegram says; without it the run would go without the file. */
async function locate(client: BotClient, file_id: string): Promise<Called> {
  const called = await client.call("getFile", { file_id });
  return called.ok || called.retry_after === undefined ? called : client.call("getFile", { file_id });
}

/** The method and the field with which a file is sent. */
const senders = {
  images: ["sendPhoto", "photo"],
  audios: ["sendAudio", "audio"],
  videos: ["sendVideo", "video"],
  files: ["sendDocument", "document"],
} as const;

const PHOTO_BYTES = 10_000_000;
const photos: ReadonlySet<string> = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"]);

/** An image that is too large for a photo, or of another type than photos have, is sent as a document. */
function senderOf(medium: OutMedium) {
  const isPhoto = photos.has(medium.mime_type) && !("bytes" in medium && medium.bytes.length > PHOTO_BYTES);
  return senders[medium.kind === "images" && !isPhoto ? "files" : medium.kind];
}

/** Sends a file, by its address or with its bytes. @param place the chat, and the message that is answered */
export async function sendTelegramMedium(
  client: BotClient,
  place: Readonly<Record<string, unknown>>,
  medium: OutMedium,
): Promise<Sent> {
  const [method, field] = senderOf(medium);
  const { caption } = medium;
  const fields = { ...place, ...(caption && { caption: shortCaption(caption) }) };
  if ("url" in medium) return sentFrom(await client.call(method, { ...fields, [field]: medium.url }));
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    form.set(name, typeof value === "object" ? JSON.stringify(value) : String(value));
  }
  form.set(field, blobOf(medium.bytes, medium.mime_type), fileNameOf(medium));
  return sentFrom(await client.call(method, form));
}
