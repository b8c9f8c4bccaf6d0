import type { Media, MediaKind } from "../../shared/schemas/media.ts";
import type { Message } from "../../shared/schemas/run.ts";
import type { StoredOutput } from "../../shared/schemas/stored-output.ts";
import type { Db } from "../../shared/stores/db.ts";
import { getObject } from "../../shared/stores/objects/get-object.ts";
import type { ChatAnswer, OutMedium } from "../../shared/webhooks/chat/chat-port.ts";

/** What a run has to say: its content as text, and the files that its messages carry beside what it was given. */
export async function answerOf(db: Db, output: StoredOutput): Promise<ChatAnswer> {
  const { content, reasoning_content, messages = [] } = output;
  const made = messages.filter(
    ({ role, from_history }) => role !== "user" && role !== "system" && !from_history,
  );
  const media = await Promise.all(made.flatMap(mediaOf).map(([kind, medium]) => outMedium(db, kind, medium)));
  return {
    text: textOf(content),
    reasoning: reasoning_content,
    media: media.filter((medium) => medium !== undefined),
  };
}

function textOf(content: unknown): string {
  if (content === undefined || content === null) return "";
  return typeof content === "string" ? content : `\`\`\`json\n${JSON.stringify(content, null, 2)}\n\`\`\``;
}

const mediaOf = ({ images, videos, files, audio }: Message): (readonly [MediaKind, Media])[] => {
  const of = (kind: MediaKind, media: readonly Media[] = []) => media.map((one) => [kind, one] as const);
  return [...of("images", images), ...of("videos", videos), ...of("files", files), ...of("audios", audio)];
};

const usualType = {
  images: "image/png",
  videos: "video/mp4",
  audios: "audio/mpeg",
  files: "application/octet-stream",
} as const satisfies Record<MediaKind, string>;

async function outMedium(
  db: Db,
  kind: MediaKind,
  { object, content, url, mime_type, filename }: Media,
): Promise<OutMedium | undefined> {
  const said = { kind, mime_type: mime_type ?? usualType[kind], filename };
  if (object) return { ...said, bytes: await getObject(db, object) };
  if (content !== undefined) return { ...said, bytes: Buffer.from(content, "base64") };
  return url === undefined ? undefined : { ...said, url };
}
