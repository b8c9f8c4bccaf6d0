import type { InputMedia, Media } from "../../schemas/media.ts";
import type { Message, RunOutput } from "../../schemas/run.ts";
import type { Db } from "../db.ts";
import { rememberingLoad } from "./remembering-load.ts";
import { type LoadObject, showMedia } from "./show-media.ts";

/**
 * A run as the wire shows it: what it was given is in it, in its input and on its messages.
 *
 * @throws ServiceError when a medium is missing or damaged
 */
export async function showRunMedia(db: Db, output: RunOutput): Promise<RunOutput> {
  const load = rememberingLoad(db);
  const { input, messages } = output;
  return {
    ...output,
    input: { ...input, ...(await showKinds(load, input)) },
    ...(messages && { messages: await Promise.all(messages.map((message) => showMessage(load, message))) }),
  };
}

/** A message as the wire, and a model, are shown it. */
export async function showMessage(load: LoadObject, message: Message): Promise<Message> {
  const { images, audio, videos, files } = message;
  if (!images && !audio && !videos && !files) return message;
  const { audios, ...others } = await showKinds(load, {
    ...(images && { images }),
    ...(audio && { audios: audio }),
    ...(videos && { videos }),
    ...(files && { files }),
  });
  return { ...message, ...others, ...(audios && { audio: audios }) };
}

async function showKinds(
  load: LoadObject,
  { images, videos, audios, files }: InputMedia,
): Promise<InputMedia> {
  const show = (media: readonly Media[]) => Promise.all(media.map((one) => showMedia(load, one)));
  return {
    ...(images && { images: await show(images) }),
    ...(videos && { videos: await show(videos) }),
    ...(audios && { audios: await show(audios) }),
    ...(files && { files: await show(files) }),
  };
}
