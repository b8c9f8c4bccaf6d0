import type { InputMedia, Media } from "../../schemas/media.ts";
import type { Message, RunOutput } from "../../schemas/run.ts";

export type MapMedia = (medium: Media) => Promise<Media>;

/** A run with each of its media changed: in its input and on its messages. */
export async function mapRunMedia(output: RunOutput, change: MapMedia): Promise<RunOutput> {
  const { input, messages } = output;
  return {
    ...output,
    input: { ...input, ...(await mapKinds(input, change)) },
    ...(messages && { messages: await Promise.all(messages.map((one) => mapMessageMedia(one, change))) }),
  };
}

/** Recordings are called `audio` on a message and `audios` in an input. @source contract, runs-and-queue 3.4 and 4.5 */
export async function mapMessageMedia(message: Message, change: MapMedia): Promise<Message> {
  const { images, audio, videos, files } = message;
  if (!images && !audio && !videos && !files) return message;
  const { audios, ...others } = await mapKinds(
    {
      ...(images && { images }),
      ...(audio && { audios: audio }),
      ...(videos && { videos }),
      ...(files && { files }),
    },
    change,
  );
  return { ...message, ...others, ...(audios && { audio: audios }) };
}

async function mapKinds(
  { images, videos, audios, files }: InputMedia,
  change: MapMedia,
): Promise<InputMedia> {
  const all = (media: readonly Media[]) => Promise.all(media.map(change));
  return {
    ...(images && { images: await all(images) }),
    ...(videos && { videos: await all(videos) }),
    ...(audios && { audios: await all(audios) }),
    ...(files && { files: await all(files) }),
  };
}
