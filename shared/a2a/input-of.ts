import type { Part } from "@a2a-js/sdk";
import { RequestMalformedError } from "@a2a-js/sdk/errors";
import type { GivenMedia } from "../schemas/runs/media-fields.ts";
import type { CreateRunForm } from "../schemas/runs/run-forms.ts";

type MediaField = "images" | "videos" | "audio" | "input_files";

export type MessageInput = Pick<CreateRunForm, "message" | MediaField>;

/**
 * The input of a run from a message: its texts and data, in order and each on a line, and its files by their type. A
 * file of an unknown type is an input file.
 *
 * @throws RequestMalformedError for an address that is not HTTP
 */
export function inputOf(parts: readonly Part[]): MessageInput {
  const texts: string[] = [];
  const media: Partial<Record<MediaField, GivenMedia[]>> = {};
  for (const { content, mediaType, filename } of parts) {
    if (content?.$case === "text") texts.push(content.value);
    else if (content?.$case === "data") texts.push(JSON.stringify(content.value));
    else if (content) {
      const field = fieldOf(mediaType);
      media[field] = [...(media[field] ?? []), { ...sourceOf(content), ...described(mediaType, filename) }];
    }
  }
  return { message: texts.join("\n"), ...media };
}

function sourceOf(content: NonNullable<Part["content"]>) {
  if (content.$case === "raw") return { content: Buffer.from(content.value).toString("base64") };
  const url = String(content.value);
  if (!URL.canParse(url) || !/^https?:/i.test(url)) {
    throw new RequestMalformedError(`parts: ${url.slice(0, 100)} is no http address`);
  }
  return { url };
}

const described = (mediaType: string, filename: string) => ({
  ...(mediaType !== "" && { mime_type: mediaType }),
  ...(filename !== "" && { filename }),
});

/** The field of a file in the request that starts a run. */
export function fieldOf(mediaType: string): MediaField {
  const [type = ""] = mediaType.toLowerCase().split("/");
  if (type === "image") return "images";
  if (type === "video") return "videos";
  return type === "audio" ? "audio" : "input_files";
}
