import type { MediaKind } from "../../schemas/runs/media.ts";

export type MediaRoute = { readonly kind: MediaKind; readonly mime_type: string; readonly format: string };

/** Subtypes that each kind accepts under its own type. @source docs/interface/runs.md 3.5 */
const subtypes = new Map<string, { readonly kind: MediaKind; readonly accepted: readonly string[] }>(
  Object.entries({
    image: {
      kind: "images",
      accepted: ["png", "jpeg", "jpg", "gif", "webp", "bmp", "tiff", "tif", "avif", "heic", "heif"],
    },
    audio: { kind: "audios", accepted: ["wav", "wave", "mp3", "mpeg", "ogg", "mp4", "m4a", "aac", "flac"] },
    video: {
      kind: "videos",
      accepted: ["x-flv", "quicktime", "mpeg", "mpegs", "mpgs", "mpg", "mp4", "webm", "wmv", "3gpp"],
    },
  }),
);

const OFFICE = "application/vnd.openxmlformats-officedocument";

/** Types of documents by extension; the first type is that of the extension. */
const documents: Readonly<Record<string, readonly string[]>> = {
  pdf: ["application/pdf"],
  json: ["application/json"],
  js: ["text/javascript", "application/javascript", "application/x-javascript"],
  py: ["text/x-python", "application/x-python"],
  txt: ["text/plain"],
  html: ["text/html"],
  css: ["text/css"],
  md: ["text/markdown", "text/md"],
  csv: ["text/csv"],
  xml: ["text/xml", "application/xml"],
  rtf: ["text/rtf", "application/rtf"],
  doc: ["application/msword"],
  ppt: ["application/vnd.ms-powerpoint"],
  xls: ["application/vnd.ms-excel"],
  msg: ["application/vnd.ms-outlook"],
  docx: [`${OFFICE}.wordprocessingml.document`],
  pptx: [`${OFFICE}.presentationml.presentation`],
  xlsx: [`${OFFICE}.spreadsheetml.sheet`],
  zip: ["application/zip", "application/x-zip-compressed"],
};

/** Every type that a run accepts, each in its own spelling. */
export const acceptedTypes: readonly string[] = [
  ...[...subtypes].flatMap(([family, { accepted }]) => accepted.map((subtype) => `${family}/${subtype}`)),
  ...Object.values(documents).flat(),
];

const extensions = new Map<string, string>(
  Object.entries({
    png: "image/png",
    jpeg: "image/jpeg",
    jpg: "image/jpeg",
    gif: "image/gif",
    webp: "image/webp",
    bmp: "image/bmp",
    tiff: "image/tiff",
    tif: "image/tiff",
    avif: "image/avif",
    heic: "image/heic",
    heif: "image/heif",
    wav: "audio/wav",
    mp3: "audio/mpeg",
    ogg: "audio/ogg",
    m4a: "audio/m4a",
    aac: "audio/aac",
    flac: "audio/flac",
    flv: "video/x-flv",
    mov: "video/quicktime",
    mpeg: "video/mpeg",
    mpg: "video/mpeg",
    mp4: "video/mp4",
    webm: "video/webm",
    wmv: "video/wmv",
    "3gp": "video/3gpp",
    htm: "text/html",
    ...Object.fromEntries(Object.entries(documents).map(([extension, [type = ""]]) => [extension, type])),
  }),
);

/** A type without its parameters, in small letters. */
export const plainType = (mimeType: string): string => mimeType.split(";")[0]?.trim().toLowerCase() ?? "";

/** The type of a medium that gives none. @source docs/interface/a2a.md 4.2 */
export const usualType = {
  images: "image/jpeg",
  videos: "video/mp4",
  audios: "audio/mpeg",
  files: "application/octet-stream",
} as const satisfies Record<MediaKind, string>;

/** Types without information: those for "unknown", and those that form parsers assume. */
const vague = new Set(["", "application/octet-stream", "text/plain"]);

/**
 * The kind of an upload: by its content type, or by its file name if the type says nothing.
 *
 * @returns undefined for a kind that a run does not accept
 */
export function mediaRoute(mimeType: string, filename: string): MediaRoute | undefined {
  const givenType = plainType(mimeType);
  const extension = /\.([a-z0-9]+)$/i.exec(filename)?.[1]?.toLowerCase() ?? "";
  const mime_type = (vague.has(givenType) && extensions.get(extension)) || givenType;
  const [type = "", subtype = ""] = mime_type.split("/");
  const family = subtypes.get(type);
  if (family?.accepted.includes(subtype))
    return { kind: family.kind, mime_type, format: extension || subtype };
  const document = Object.entries(documents).find(([, types]) => types.includes(mime_type));
  return document && { kind: "files", mime_type, format: extension || document[0] };
}

/**
 * The type of a picture, by how its bytes begin; undefined for one of another kind.
 *
 * @source the formats' own descriptions: PNG, JPEG, GIF89a, RIFF container of WebP
 */
export function pictureTypeOf(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(head)) return "image/gif";
  return /^RIFF....WEBP/s.test(head) ? "image/webp" : undefined;
}

/** A type and a subtype of tokens, and nothing else. @source RFC 9110, section 8.3.1 */
const MIME_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+$/;

/** Types that a browser shows without executing anything in them. */
const shown = /^(image\/(?!svg)|audio\/|video\/|text\/(plain|csv|markdown)$|application\/(pdf|json)$)/;

/**
 * The media type under which a stored file is given to a browser. The type comes from a client or a tool, and a browser
 * would execute a page or a drawing on the address that it came from: such files are given as bytes to save.
 */
export function servedType(mimeType: string | undefined): string {
  const type = plainType(mimeType ?? "");
  return MIME_TYPE.test(type) && shown.test(type) ? type : "application/octet-stream";
}
