import * as v from "valibot";
import type { TelegramSettings } from "../../runtime/chat-settings.ts";
import type { ChatMedium } from "../../schemas/runs/chat-message.ts";
import type { Fetched, OutMedium, Sent } from "../chat/chat-port.ts";
import { blobOf, fileNameOf, shortCaption } from "../chat/media-file.ts";
import { readLimited } from "../chat/read-limited.ts";
import { type BotClient, sentFrom } from "./bot-client.ts";

const File = v.looseObject({ file_path: v.string(), file_size: v.optional(v.number()) });
const failed: Fetched = { fetched: false, why: "failed" };
const tooLarge: Fetched = { fetched: false, why: "too_large" };

/** Fetches a file that somebody sent. @source contract, chat-webhooks section 7, "Download" */
export async function fetchTelegramMedium(
  client: BotClient,
  { media_max_mb, media_timeout_seconds }: TelegramSettings,
  { ref, size = 0, mime_type }: ChatMedium,
): Promise<Fetched> {
  const maxBytes = media_max_mb * 1_000_000;
  if (size > maxBytes) return tooLarge;
  const found = await client.call("getFile", { file_id: ref });
  if (!found.ok) return /too big/i.test(found.description) ? tooLarge : failed;
  const file = v.safeParse(File, found.result);
  if (!file.success) return failed;
  if ((file.output.file_size ?? 0) > maxBytes) return tooLarge;
  try {
    const signal = AbortSignal.timeout(media_timeout_seconds * 1000);
    const response = await client.download(file.output.file_path, signal);
    const bytes = response.ok ? await readLimited(response, maxBytes) : new Uint8Array();
    if (!response.ok) return failed;
    return bytes ? { fetched: true, bytes, mime_type } : tooLarge;
  } catch {
    // The address holds the token, so the error is in no log; the run goes on without the file.
    return failed;
  }
}

/** The method and the field that a file is sent by. */
const senders = {
  images: ["sendPhoto", "photo"],
  audios: ["sendAudio", "audio"],
  videos: ["sendVideo", "video"],
  files: ["sendDocument", "document"],
} as const;

const PHOTO_BYTES = 10_000_000;
const photos: ReadonlySet<string> = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"]);

/** What is too large for a photo, or of a type that none is of, is a document. */
function senderOf(medium: OutMedium) {
  const isPhoto = photos.has(medium.mime_type) && !("bytes" in medium && medium.bytes.length > PHOTO_BYTES);
  return senders[medium.kind === "images" && !isPhoto ? "files" : medium.kind];
}

/** Sends a file, by its address or with its bytes. @param place where to, and what it answers */
export async function sendTelegramMedium(
  client: BotClient,
  place: Readonly<Record<string, unknown>>,
  medium: OutMedium,
): Promise<Sent> {
  const [method, field] = senderOf(medium);
  const { caption } = medium;
  const about = { ...place, ...(caption && { caption: shortCaption(caption) }) };
  if ("url" in medium) return sentFrom(await client.call(method, { ...about, [field]: medium.url }));
  const form = new FormData();
  for (const [name, value] of Object.entries(about)) {
    form.set(name, typeof value === "object" ? JSON.stringify(value) : String(value));
  }
  form.set(field, blobOf(medium.bytes, medium.mime_type), fileNameOf(medium));
  return sentFrom(await client.call(method, form));
}
