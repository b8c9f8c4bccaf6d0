import type { Artifact, Part } from "@a2a-js/sdk";
import { usualType } from "../domain/runs/media-types.ts";
import type { Media, MediaKind } from "../schemas/runs/media.ts";
import { textPart } from "./part.ts";

/** A file that a run made or was given, with its content where it has one. */
export type FileOfRun = {
  readonly kind: MediaKind;
  readonly medium: Media;
  /** Absent for one that is an address, or is not shown. */
  readonly bytes?: Uint8Array;
};

/** The official client accepts 4 MiB per event, and base64 makes four bytes of three. */
export const MAX_BYTES = 3_000_000;

const word = { images: "image", videos: "video", audios: "audio", files: "file" } as const;

/** A file with the id, name and type that both versions use. */
export type NamedFile = FileOfRun & {
  /** Kind and index among the files of its kind, such as `image-0`. */
  readonly id: string;
  /** Its own, or one such as `image_0`. */
  readonly name: string;
  readonly mime_type: string;
  readonly isTooLarge: boolean;
};

export function namedFiles(files: readonly FileOfRun[]): NamedFile[] {
  return files.map((file, i) => {
    const { kind, medium, bytes } = file;
    const index = files.slice(0, i).filter((before) => before.kind === kind).length;
    return {
      ...file,
      id: `${word[kind]}-${index}`,
      name: medium.filename ?? `${word[kind]}_${index}`,
      mime_type: medium.mime_type ?? usualType[kind],
      isTooLarge: (bytes?.length ?? medium.object?.bytes ?? 0) > MAX_BYTES,
    };
  });
}

/** The text in place of a file that is too large for an event. */
export const tooLargeText = ({ name, mime_type, bytes, medium }: NamedFile): string =>
  `The file ${name} (${mime_type}, ${bytes?.length ?? medium.object?.bytes} bytes) is too large for this protocol; the run itself has it.`;

/** The files of a run's answer, an artifact each. @source docs/interface/a2a.md 3.3 */
export const fileArtifacts = (runId: string, files: readonly FileOfRun[]): Artifact[] =>
  namedFiles(files).map((file) => ({
    artifactId: `${runId}:${file.id}`,
    name: file.name,
    description: typeof file.medium.alt_text === "string" ? file.medium.alt_text : "",
    parts: [filePart(file)],
    metadata: undefined,
    extensions: [],
  }));

/** A file as a part of a message or an artifact. */
export function filePart(file: NamedFile): Part {
  const { medium, bytes, mime_type: mediaType } = file;
  if (file.isTooLarge) return textPart(tooLargeText(file));
  return {
    content: bytes ? { $case: "raw", value: Buffer.from(bytes) } : { $case: "url", value: medium.url ?? "" },
    mediaType,
    filename: medium.filename ?? "",
    metadata: undefined,
  };
}
