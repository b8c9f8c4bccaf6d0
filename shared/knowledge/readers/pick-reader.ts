import { ContentFault } from "../content-fault.ts";
import { type FileKind, fileKind, looksLikeHtml, looksLikeMail } from "./file-kind.ts";
import { type ReaderId, readerIds, readers } from "./readers.ts";

/** What is known of a file before it is read. */
export type FileFacts = {
  readonly reader_id?: string | undefined;
  readonly filename: string;
  readonly mime_type: string;
  /** Its first bytes. What they say counts more than what it is called. */
  readonly head?: Uint8Array | undefined;
};

type Readable = Exclude<FileKind["kind"], "unreadable">;

/** What the readers read that do not read text. */
const kinds: Partial<Record<ReaderId, Readable>> = {
  pdf: "pdf",
  rtf: "rtf",
  docx: "archive",
  excel: "archive",
  pptx: "archive",
  epub: "archive",
  odf: "archive",
  zip: "archive",
};
const kindOfReader = (id: ReaderId): Readable => kinds[id] ?? "text";

/** Archives are opened first: most documents of today are some. */
const readerOfKind: Readonly<Record<Exclude<Readable, "text">, ReaderId>> = {
  pdf: "pdf",
  rtf: "rtf",
  archive: "zip",
};

/**
 * The reader of a file: the requested one, else by what its bytes are, and among texts by extension, then by media type,
 * else plain text. That the bytes count is ours.
 *
 * @throws ContentFault for a file that no reader reads, or not the requested one
 */
export function pickReader({ reader_id, filename, mime_type, head }: FileFacts): ReaderId {
  const requested = reader_id === undefined ? undefined : readerNamed(reader_id);
  const named = readerByName(filename, mime_type);
  if (!head) return requested ?? named ?? "text";
  const file = fileKind(head);
  if (file.kind === "unreadable")
    throw new ContentFault(`The file cannot be read as text: it is ${file.what}.`);
  if (requested !== undefined) {
    if (file.kind !== "text" && kindOfReader(requested) !== file.kind)
      throw new ContentFault(
        `The file cannot be read by ${readers[requested].name}: it is ${shownKind[file.kind]}.`,
      );
    return requested;
  }
  if (file.kind !== "text") return readerOfKind[file.kind];
  return named ?? readerOfText(head);
}

const shownKind: Readonly<Record<Readable, string>> = {
  pdf: "a PDF",
  rtf: "an RTF document",
  archive: "an archive, or a document that is one",
  text: "text",
};

/** A page and a mail are known by how they begin. */
function readerOfText(head: Uint8Array): ReaderId {
  const text = Buffer.from(head).toString("latin1");
  if (looksLikeHtml(text)) return "website";
  return looksLikeMail(text) ? "eml" : "text";
}

/** The reader of files that are called so, or have this media type. */
export function readerByName(filename: string, mimeType: string): ReaderId | undefined {
  const extension = extensionOf(filename);
  const media = mimeType.split(";")[0]?.trim().toLowerCase() ?? "";
  return (
    readerIds.find((id) => extension !== "" && typesOf(id).includes(extension)) ??
    readerIds.find((id) => mimeTypesOf(id).includes(media))
  );
}

const typesOf = (id: ReaderId): readonly string[] => readers[id].types;
const mimeTypesOf = (id: ReaderId): readonly string[] => readers[id].mimeTypes;

/** Case, spaces, dashes and a trailing `reader` are ignored. */
export function readerNamed(name: string): ReaderId | undefined {
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replace(/[\s_-]/g, "")
      .replace(/reader$/, "");
  return readerIds.find((id) => plain(id) === plain(name));
}

/** `.pdf` of a name or a path, in lower case; empty where there is none. */
export const extensionOf = (name: string): string => /\.[a-z0-9]{1,10}$/i.exec(name)?.[0].toLowerCase() ?? "";
