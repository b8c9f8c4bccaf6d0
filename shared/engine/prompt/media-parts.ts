import type { LanguageModelV4FilePart } from "@ai-sdk/provider";
import type { Media } from "../../schemas/runs/media.ts";
import type { Message } from "../../schemas/runs/run.ts";

/** What a message carries beside its text, in the form that model providers take. Contents must have been loaded. */
export function mediaParts({ images, audio, videos, files }: Message): LanguageModelV4FilePart[] {
  return [
    ...partsOf(images, "image"),
    ...partsOf(audio, "audio"),
    ...partsOf(videos, "video"),
    ...partsOf(files, "application/octet-stream"),
  ];
}

/** @param anyType  the type of media whose exact type is not known */
function partsOf(media: readonly Media[] = [], anyType: string): LanguageModelV4FilePart[] {
  return media.flatMap((medium) => {
    const data = dataOf(medium);
    const mediaType = medium.mime_type ?? (medium.format ? typeOf(anyType, medium.format) : anyType);
    const { filename } = medium;
    return data
      ? [{ type: "file" as const, mediaType, data, ...(filename !== undefined && { filename }) }]
      : [];
  });
}

const typeOf = (anyType: string, format: string): string =>
  anyType.includes("/") ? anyType : `${anyType}/${format.toLowerCase()}`;

function dataOf({ url, content, mime_type }: Media): LanguageModelV4FilePart["data"] | undefined {
  if (url !== undefined) return { type: "url", url: new URL(url) };
  if (content === undefined) return undefined;
  if (mime_type?.startsWith("text/")) return { type: "text", text: content };
  return { type: "data", data: content };
}
