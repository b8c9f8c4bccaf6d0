import type { InputMedia, Media } from "../../schemas/media.ts";
import type { Message, RunOutput } from "../../schemas/run.ts";
import type { Db } from "../db.ts";
import { getObject } from "./get-object.ts";
import { putObject } from "./put-object.ts";

/**
 * Copies what a run was given to another session, so that it outlives the one it came from.
 *
 * @param prefix  of the session that the copy belongs to
 * @returns       the run with pointers to the copies
 */
export async function copyRunMedia(db: Db, prefix: string, output: RunOutput): Promise<RunOutput> {
  const copy = async (media: readonly Media[]) => Promise.all(media.map((one) => copyOne(db, prefix, one)));
  const { input, messages } = output;
  return {
    ...output,
    input: { ...input, ...(await copyInput(input, copy)) },
    ...(messages && { messages: await Promise.all(messages.map((message) => copyMessage(message, copy))) }),
  };
}

type Copy = (media: readonly Media[]) => Promise<Media[]>;

const copyInput = async ({ images, videos, audios, files }: InputMedia, copy: Copy): Promise<InputMedia> => ({
  ...(images && { images: await copy(images) }),
  ...(videos && { videos: await copy(videos) }),
  ...(audios && { audios: await copy(audios) }),
  ...(files && { files: await copy(files) }),
});

const copyMessage = async (message: Message, copy: Copy): Promise<Message> => ({
  ...message,
  ...(message.images && { images: await copy(message.images) }),
  ...(message.audio && { audio: await copy(message.audio) }),
  ...(message.videos && { videos: await copy(message.videos) }),
  ...(message.files && { files: await copy(message.files) }),
});

/** Under the same content address, so that a medium that stands in several places is copied to one object. */
async function copyOne(db: Db, prefix: string, media: Media): Promise<Media> {
  if (!media.object || media.object.key.startsWith(prefix)) return media;
  return { ...media, object: await putObject(db, prefix, await getObject(db, media.object)) };
}
