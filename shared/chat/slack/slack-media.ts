import * as v from "valibot";
import { SlackFile } from "../../schemas/chat/slack-payload.ts";
import type { ChatMedium } from "../../schemas/runs/chat-message.ts";
import type { SlackSettings } from "../../settings/values/chats.ts";
import type { Fetched, OutMedium, Sent } from "../chat-port.ts";
import { blobOf, fileNameOf, isPlatformHost, readLimited, shortCaption } from "../media-file.ts";
import { type Place, postMessage } from "./live-message.ts";
import { type Called, type SlackClient, sentFrom } from "./slack-client.ts";
import { escapeSlack, slackLink } from "./slack-text.ts";

const Info = v.looseObject({ file: SlackFile });
const failed: Fetched = { fetched: false, why: "failed" };
const tooLarge: Fetched = { fetched: false, why: "too_large" };

/**
 * Fetches a file that a user sent: first its address, then its bytes, both with our token. So only Slack's own hosts are
 * called; a file that lies elsewhere is not fetched.
 *
 * @source Slack, "files.info", "Working with files"
 */
export async function fetchSlackMedium(
  client: SlackClient,
  { api_url, media_hosts, media_max_mb, media_timeout_seconds }: SlackSettings,
  { ref, size = 0, mime_type }: ChatMedium,
): Promise<Fetched> {
  const maxBytes = media_max_mb * 1_000_000;
  if (size > maxBytes) return tooLarge;
  const called = await describe(client, ref);
  const info = v.safeParse(Info, called.ok ? called.result : undefined);
  if (!info.success) return failed;
  const { url_private_download, url_private, size: statedSize = 0, mimetype = mime_type } = info.output.file;
  const url = url_private_download ?? url_private;
  if (url === undefined || !URL.canParse(url) || !isPlatformHost(url, api_url, media_hosts)) return failed;
  if (statedSize > maxBytes) return tooLarge;
  try {
    const response = await client.download(url, AbortSignal.timeout(media_timeout_seconds * 1000));
    if (!response.ok || isLoginPage(response, mimetype)) return failed;
    const bytes = await readLimited(response, maxBytes);
    return bytes ? { fetched: true, bytes, mime_type: mimetype } : tooLarge;
  } catch {
    // The error may contain the file's address, so it is not logged; the run continues without the file.
    return failed;
  }
}

/** A second call waits as long as Slack says; without it the run would go without the file. */
async function describe(client: SlackClient, file: string): Promise<Called> {
  const ask = () => client.call("files.info", new URLSearchParams({ file }));
  const called = await ask();
  return called.ok || called.retry_after === undefined ? called : ask();
}

/** Without the scope for files Slack answers with a page to log in at, and with 200. */
const isLoginPage = ({ headers }: Response, mimeType: string | undefined): boolean =>
  (headers.get("content-type") ?? "").startsWith("text/html") && mimeType !== "text/html";

const Upload = v.looseObject({ upload_url: v.pipe(v.string(), v.url()), file_id: v.string() });
const broken: Sent = { sent: false, retry: { after_seconds: 2 }, code: "upload" };

/** Sends a file: its bytes are uploaded; an address is shown as an image, else as a link. */
export async function sendSlackMedium(
  client: SlackClient,
  place: Place,
  medium: OutMedium,
  timeoutSeconds: number,
): Promise<Sent> {
  if ("url" in medium) return sendAddress(client, place, medium);
  const filename = fileNameOf(medium);
  const { bytes, caption } = medium;
  const form = new URLSearchParams({ filename, length: String(bytes.length) });
  const asked = await client.call("files.getUploadURLExternal", form);
  if (!asked.ok) return sentFrom(asked);
  const upload = v.safeParse(Upload, asked.result);
  if (!upload.success) return broken;
  const { upload_url, file_id } = upload.output;
  if (!(await uploaded(upload_url, blobOf(bytes, medium.mime_type), timeoutSeconds))) return broken;
  const { channel: channel_id, thread_ts } = place;
  const completed = await client.call("files.completeUploadExternal", {
    channel_id,
    thread_ts,
    files: [{ id: file_id, title: filename }],
    ...(caption && { initial_comment: escapeSlack(shortCaption(caption)) }),
  });
  // Slack does not say which message shows it.
  return completed.ok ? { sent: true, id: "" } : sentFrom(completed);
}

/** The address itself is what permits the upload; it gets no token. */
async function uploaded(url: string, body: Blob, timeoutSeconds: number): Promise<boolean> {
  const signal = AbortSignal.timeout(timeoutSeconds * 1000);
  return fetch(url, { method: "POST", body, signal, redirect: "error" }).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function sendAddress(
  client: SlackClient,
  place: Place,
  medium: Extract<OutMedium, { url: string }>,
): Promise<Sent> {
  const { url, kind, caption } = medium;
  const link = { text: slackLink(url, escapeSlack(fileNameOf(medium))) };
  const image = {
    type: "image",
    image_url: url,
    alt_text: caption ? shortCaption(caption) : fileNameOf(medium),
  };
  if (kind !== "images") return postMessage(client, place, link);
  const sent = await postMessage(client, place, { ...link, blocks: [image] });
  // Slack could not fetch the image.
  return !sent.sent && sent.code === "invalid_blocks" ? postMessage(client, place, link) : sent;
}
