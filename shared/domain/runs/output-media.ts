import type { Media, MediaKind, OutputMedia } from "../../schemas/runs/media.ts";
import type { Message } from "../../schemas/runs/run.ts";

/** A value with media; steps have null for kinds without media. */
type Carrier = { readonly [Kind in keyof OutputMedia]?: readonly Media[] | null | undefined };

/** Output media without undefined members. */
export type JoinedMedia = { [Kind in keyof OutputMedia]?: Media[] };

/**
 * The media of one or several values, each once. Kinds without media are absent.
 */
export function outputMedia(...carriers: readonly Carrier[]): JoinedMedia {
  const of = (kind: keyof OutputMedia) => once(carriers.flatMap((carrier) => carrier[kind] ?? []));
  const [images, videos, audio, files] = [of("images"), of("videos"), of("audio"), of("files")];
  return {
    ...(images.length > 0 && { images }),
    ...(videos.length > 0 && { videos }),
    ...(audio.length > 0 && { audio }),
    ...(files.length > 0 && { files }),
  };
}

const once = (media: readonly Media[]): Media[] => [...new Map(media.map((one) => [one.id, one])).values()];

/** Media one by one, in the order in which they are sent to people. @source docs/interface/chat.md 3.1 */
export function listMedia({ images, videos, files, audio }: Carrier): (readonly [MediaKind, Media])[] {
  const of = (kind: MediaKind, media: readonly Media[] | null = []) =>
    (media ?? []).map((medium) => [kind, medium] as const);
  return [...of("images", images), ...of("videos", videos), ...of("files", files), ...of("audios", audio)];
}

/** The media that tools, members and the model have made in a run, by its messages. */
export const madeIn = (messages: readonly Message[]): JoinedMedia =>
  outputMedia(
    ...messages.filter(
      ({ role, from_history }) => !from_history && (role === "tool" || role === "assistant"),
    ),
  );
