import { isText } from "./text-encoding.ts";

/** What a file is by its bytes, as far as it decides on its reader. */
export type FileKind =
  | { readonly kind: "pdf" | "archive" | "rtf" | "text" }
  /** @param what  in words that the content shows */
  | { readonly kind: "unreadable"; readonly what: string };

const OLD_OFFICE =
  "an older Office document (.doc, .xls, .ppt, .msg), or one that is protected by a password; save it as .docx, .xlsx or .pptx without a password";

/** Beginnings of files, as Latin-1, that are not read. @source the formats' own specifications */
const UNREADABLE: readonly (readonly [offset: number, beginning: string, what: string])[] = [
  [0, "\x89PNG", "a picture (PNG)"],
  [0, "\xff\xd8\xff", "a picture (JPEG)"],
  [0, "GIF8", "a picture (GIF)"],
  [0, "II*\0", "a picture (TIFF)"],
  [0, "MM\0*", "a picture (TIFF)"],
  [8, "WEBP", "a picture (WebP)"],
  [4, "ftypavif", "a picture (AVIF)"],
  [4, "ftyphei", "a picture (HEIC)"],
  [0, "\0\0\x01\0", "a picture (ICO)"],
  [0, "8BPS", "a picture (Photoshop)"],
  [4, "ftyp", "a video (MP4)"],
  [0, "\x1aE\xdf\xa3", "a video (Matroska)"],
  [8, "AVI ", "a video (AVI)"],
  [8, "WAVE", "a sound (WAV)"],
  [0, "ID3", "a sound (MP3)"],
  [0, "\xff\xfb", "a sound (MP3)"],
  [0, "OggS", "a sound (Ogg)"],
  [0, "fLaC", "a sound (FLAC)"],
  [0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", OLD_OFFICE],
  [0, "\x1f\x8b", "packed by gzip; unpack it, or pack it as zip"],
  [0, "BZh", "packed by bzip2; unpack it, or pack it as zip"],
  [0, "\xfd7zXZ", "packed by xz; unpack it, or pack it as zip"],
  [0, "(\xb5/\xfd", "packed by zstd; unpack it, or pack it as zip"],
  [0, "7z\xbc\xaf", "a 7z archive; unpack it, or pack it as zip"],
  [0, "Rar!\x1a\x07", "a RAR archive; unpack it, or pack it as zip"],
  [257, "ustar", "a tar archive; unpack it, or pack it as zip"],
  [0, "MZ\x90", "a program"],
  [0, "\x7fELF", "a program"],
  [0, "\0asm", "a program (WebAssembly)"],
  [0, "\xca\xfe\xba\xbe", "a program"],
  [0, "SQLite format 3\0", "a database (SQLite)"],
  [0, "PAR1", "a table in Parquet; save it as CSV"],
  [0, "wOF", "a font"],
  [0, "\0\x01\0\0\0", "a font"],
  [0, "OTTO", "a font"],
];

/** A file of an archive, the directory of an empty one, one of several volumes. */
const ARCHIVES = ["PK\x03\x04", "PK\x05\x06", "PK\x07\x08"];

/** A PDF may have something before it. @source ISO 32000-1, appendix H.3.4.1 */
const PDF_WITHIN = 1_024;

/** @param head  the first bytes of the file, or all of it */
export function fileKind(head: Uint8Array): FileKind {
  const start = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, PDF_WITHIN)).toString(
    "latin1",
  );
  if (ARCHIVES.some((beginning) => start.startsWith(beginning))) return { kind: "archive" };
  if (start.startsWith("{\\rtf")) return { kind: "rtf" };
  const known = UNREADABLE.find(([offset, beginning]) => start.startsWith(beginning, offset));
  if (known) return { kind: "unreadable", what: known[2] };
  if (start.includes("%PDF-")) return { kind: "pdf" };
  return isText(head) ? { kind: "text" } : { kind: "unreadable", what: "binary, of a kind that is not read" };
}

/** Whether a text is a page, whatever its name. */
export const looksLikeHtml = (head: string): boolean =>
  /^\s*(<\?xml[^>]*>\s*)?(<!doctype html|<html[\s>])/i.test(head);

/** Whether a text begins as a mail does: with several of the fields that each mail has, and nothing else. */
export function looksLikeMail(head: string): boolean {
  const [fields = ""] = head.split(/\r?\n\r?\n/, 1);
  const names = fields
    .split(/\r?\n/)
    .filter((line) => !/^\s/.test(line))
    .map((line) => /^([\x21-\x39\x3b-\x7e]+):/.exec(line)?.[1]?.toLowerCase());
  if (names.includes(undefined)) return false;
  return (
    ["from", "date", "subject", "message-id", "received"].filter((name) => names.includes(name)).length >= 3
  );
}
