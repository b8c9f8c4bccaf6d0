import type { Media, MediaKind } from "../../schemas/runs/media.ts";
import type { ProviderName } from "../../schemas/values/model-spec.ts";
import { plainType } from "./media-types.ts";

/**
 * What a model is given of a user's file: the file itself, what stands in it, what a reader takes from it as text, or nothing.
 */
export type FileTreatment = "native" | "text" | "converted" | "refused";

const PICTURES = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const;
const OFFICE = "application/vnd.openxmlformats-officedocument";
const DOCX = `${OFFICE}.wordprocessingml.document`;
const XLSX = `${OFFICE}.spreadsheetml.sheet`;
const PPTX = `${OFFICE}.presentationml.presentation`;

/**
 * The types that the service of each provider takes, as far as its package sends them.
 *
 * @source the packages' own conversions of messages; OpenAI, Images and vision, PDF files; Anthropic, Vision, PDF support;
 *         Amazon Bedrock, API reference: ImageBlock, DocumentBlock
 */
const natives: Readonly<Record<Exclude<ProviderName, "scripted">, readonly string[]>> = {
  openai: [...PICTURES, "application/pdf"],
  "openai-compatible": [...PICTURES, "audio/wav", "audio/mpeg"],
  anthropic: [...PICTURES, "application/pdf"],
  "amazon-bedrock": [
    ...PICTURES,
    "application/pdf",
    DOCX,
    XLSX,
    "application/msword",
    "application/vnd.ms-excel",
  ],
};

const texts: ReadonlySet<string> = new Set([
  "application/json",
  "application/xml",
  "application/javascript",
  "application/x-javascript",
  "application/x-python",
]);

const readable: ReadonlySet<string> = new Set([
  "application/pdf",
  DOCX,
  XLSX,
  PPTX,
  "application/rtf",
  "text/rtf",
  "application/zip",
  "application/x-zip-compressed",
]);

const spellings: Readonly<Record<string, string>> = {
  "image/jpg": "image/jpeg",
  "audio/mp3": "audio/mpeg",
  "audio/wave": "audio/wav",
};

/** @param provider  undefined for a model that this platform does not call itself, which is given everything */
export function fileTreatment(provider: ProviderName | undefined, mimeType: string): FileTreatment {
  const type = spellings[mimeType] ?? mimeType;
  if (provider === undefined || provider === "scripted" || natives[provider].includes(type)) return "native";
  if (readable.has(type)) return "converted";
  return isTextType(type) ? "text" : "refused";
}

/** Whether a model reads the file itself, whoever serves it. */
export const isTextType = (type: string): boolean => type.startsWith("text/") || texts.has(type);

/**
 * Whether a service is given the address of a file in its place, and fetches it: as far as its package sends addresses.
 *
 * @param type  one that the provider is given as it is
 */
export function takesAddress(provider: ProviderName | undefined, type: string): boolean {
  if (provider === "amazon-bedrock") return false;
  return provider !== "openai-compatible" || type.startsWith("image/");
}

const anyTypes = {
  images: "image/png",
  videos: "video/mp4",
  audios: "audio/mpeg",
  files: "application/octet-stream",
} as const satisfies Record<MediaKind, string>;

/** The type of a medium, by its format or its kind where it names none. */
export function typeOfMedium(
  kind: MediaKind,
  { mime_type, format }: Pick<Media, "mime_type" | "format">,
): string {
  if (mime_type !== undefined) return plainType(mime_type);
  const [family] = anyTypes[kind].split("/");
  return format === undefined || family === "application"
    ? anyTypes[kind]
    : `${family}/${format.toLowerCase()}`;
}

/** The same in the spelling that services know. */
export function sentType(kind: MediaKind, medium: Pick<Media, "mime_type" | "format">): string {
  const type = typeOfMedium(kind, medium);
  return spellings[type] ?? type;
}
