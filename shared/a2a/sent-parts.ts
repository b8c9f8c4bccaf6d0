import type { Part } from "@a2a-js/sdk";
import { type MediaKind, mediaKinds } from "../schemas/runs/media.ts";
import type { RunOutput } from "../schemas/runs/run.ts";
import type { SentPart } from "../stores/runs/task-item.ts";
import { fieldOf } from "./input-of.ts";
import { type FileOfRun, filePart, namedFiles } from "./output-files.ts";
import { dataPart, textPart } from "./part.ts";

type Input = RunOutput["input"];

/** Kinds of a run's input by the fields of the request that starts it. */
const kindOf = { images: "images", videos: "videos", audio: "audios", input_files: "files" } as const;

/** Where the parts of a message are in the input of the run that it starts; see `inputOf`. */
export function placesOf(parts: readonly Part[]): SentPart[] {
  const counts: Partial<Record<MediaKind, number>> = {};
  return parts.flatMap(({ content, mediaType }): SentPart[] => {
    if (content?.$case === "text") return [{ kind: "text", characters: content.value.length }];
    if (content?.$case === "data")
      return [{ kind: "data", characters: JSON.stringify(content.value).length }];
    if (!content) return [];
    const kind = kindOf[fieldOf(mediaType)];
    const index = counts[kind] ?? 0;
    counts[kind] = index + 1;
    return [{ kind, index }];
  });
}

/** The files of a run's input, without their contents. */
export const givenFiles = (input: Input): FileOfRun[] =>
  mediaKinds.flatMap((kind) => (input[kind] ?? []).map((medium) => ({ kind, medium })));

/**
 * The parts of the message that started a run, as they were sent.
 *
 * @param places  absent for a run that no message started, and before they were stored: all texts are one part then
 * @param files   of the input, with those contents that are shown
 */
export function sentParts(
  input: Input,
  places: readonly SentPart[] | undefined,
  files: readonly FileOfRun[],
): Part[] {
  const named = namedFiles(files);
  const fileAt = (kind: MediaKind, index: number): Part[] =>
    named.filter((file) => file.medium === input[kind]?.[index]).map(filePart);
  const texts = textsAt(input.input_content, places ?? []);
  if (!places || !texts) return [textPart(input.input_content), ...named.map(filePart)];
  return places.flatMap((place) => {
    if ("index" in place) return fileAt(place.kind, place.index);
    const text = texts.shift() ?? "";
    return [place.kind === "data" ? dataPart(JSON.parse(text)) : textPart(text)];
  });
}

/** Undefined where the input is not what the places were taken from. */
function textsAt(input: string, places: readonly SentPart[]): string[] | undefined {
  const lengths = places.flatMap((place) => ("characters" in place ? [place.characters] : []));
  const whole = lengths.reduce((sum, length) => sum + length, Math.max(0, lengths.length - 1));
  if (whole !== input.length) return undefined;
  let from = 0;
  return lengths.map((length) => {
    const text = input.slice(from, from + length);
    from += length + "\n".length;
    return text;
  });
}
