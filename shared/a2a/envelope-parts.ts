import type { Part } from "@a2a-js/sdk";
import type { EnvelopePart } from "../schemas/a2a/a2a-envelope.ts";
import { dataPart, textPart } from "./part.ts";

/** Parts of the envelope dialect as those of version 1.0. */
export const partsOf = (parts: readonly EnvelopePart[]): Part[] => parts.map(partOf);

function partOf(part: EnvelopePart): Part {
  if (part.kind === "text") return textPart(part.text);
  if (part.kind === "data") return dataPart(part.data);
  const { uri, bytes = "", mimeType, name } = part.file;
  return {
    content:
      uri === undefined
        ? { $case: "raw", value: Buffer.from(bytes, "base64") }
        : { $case: "url", value: uri },
    mediaType: mimeType ?? "",
    filename: name ?? "",
    metadata: undefined,
  };
}
