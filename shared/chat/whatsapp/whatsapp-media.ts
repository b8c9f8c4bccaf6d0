import * as v from "valibot";
import type { ChatMedium } from "../../schemas/runs/chat-message.ts";
import type { WhatsappSettings } from "../../settings/values/chats.ts";
import type { Fetched, OutMedium } from "../chat-port.ts";
import { isPlatformHost, readLimited } from "../media-file.ts";
import type { GraphClient } from "./graph-client.ts";

const Described = v.looseObject({
  url: v.pipe(v.string(), v.url()),
  mime_type: v.optional(v.string()),
  file_size: v.optional(v.number()),
});

const failed: Fetched = { fetched: false, why: "failed" };
const tooLarge: Fetched = { fetched: false, why: "too_large" };

/**
 * Fetches a file that a user sent: first its address, then its bytes, both with our token. So only the platform's own
 * hosts are called.
 *
 * @source docs/interface/chat.md 2.3
 */
export async function fetchWhatsappMedium(
  client: GraphClient,
  settings: WhatsappSettings,
  { ref, mime_type }: ChatMedium,
): Promise<Fetched> {
  const maxBytes = settings.media_max_mb * 1_000_000;
  const signal = AbortSignal.timeout(settings.media_timeout_seconds * 1000);
  const isOurs = (url: string) => isPlatformHost(url, settings.api_url, settings.media_hosts);
  try {
    const lookup = await client.get(client.mediaUrl(ref), signal);
    const described = v.safeParse(Described, lookup.ok ? await lookup.json() : undefined);
    if (!described.success || !isOurs(described.output.url)) return failed;
    if ((described.output.file_size ?? 0) > maxBytes) return tooLarge;
    const response = await client.get(described.output.url, signal);
    if (!response.ok) return failed;
    const bytes = await readLimited(response, maxBytes);
    const mimeType = described.output.mime_type ?? mime_type;
    return bytes ? { fetched: true, bytes, mime_type: mimeType?.split(";")[0]?.trim() } : tooLarge;
  } catch {
    // The error may contain the file's address, so it is not logged; the run continues without the file.
    return failed;
  }
}

/** Media types with the message type that accepts them, and its limit in bytes. @source docs/interface/chat.md 3.4 */
const accepted: Readonly<
  Record<string, { readonly type: "image" | "audio" | "video"; readonly maxBytes: number }>
> = {
  "image/jpeg": { type: "image", maxBytes: 5_000_000 },
  "image/png": { type: "image", maxBytes: 5_000_000 },
  "audio/aac": { type: "audio", maxBytes: 16_000_000 },
  "audio/amr": { type: "audio", maxBytes: 16_000_000 },
  "audio/mpeg": { type: "audio", maxBytes: 16_000_000 },
  "audio/mp4": { type: "audio", maxBytes: 16_000_000 },
  "audio/ogg": { type: "audio", maxBytes: 16_000_000 },
  "video/mp4": { type: "video", maxBytes: 16_000_000 },
  "video/3gpp": { type: "video", maxBytes: 16_000_000 },
};

const JPEG = [0xff, 0xd8, 0xff];
const PNG = [0x89, 0x50, 0x4e, 0x47];
const beginsWith = (bytes: Uint8Array, magic: readonly number[]) =>
  magic.every((byte, i) => bytes[i] === byte);

/** The message type for a file. An image is recognized by its bytes; a file that no other type accepts is a document. */
export function messageTypeOf(medium: OutMedium): "image" | "audio" | "video" | "document" {
  const { mime_type, kind } = medium;
  if (kind === "files") return "document";
  const known = accepted[mime_type.split(";")[0]?.trim() ?? ""];
  if (!known) return "document";
  if (!("bytes" in medium)) return known.type;
  const { bytes } = medium;
  const isFalseImage = known.type === "image" && !beginsWith(bytes, JPEG) && !beginsWith(bytes, PNG);
  return isFalseImage || bytes.length > known.maxBytes ? "document" : known.type;
}
