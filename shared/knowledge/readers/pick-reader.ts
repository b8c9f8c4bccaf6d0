import { type ReaderId, readerIds, readers } from "./readers.ts";

/** What is known of a file before it is read. */
export type FileFacts = {
  readonly reader_id?: string | undefined;
  readonly filename: string;
  readonly mime_type: string;
};

/**
 * The reader of a file: the requested one, else by extension, else by media type, else plain text.
 *
 * @source contract, knowledge 4.2 step 3
 */
export function pickReader({ reader_id, filename, mime_type }: FileFacts): ReaderId {
  const requested = reader_id === undefined ? undefined : readerNamed(reader_id);
  const extension = extensionOf(filename);
  const media = mime_type.split(";")[0]?.trim().toLowerCase() ?? "";
  return (
    requested ??
    readerIds.find((id) => extension !== "" && typesOf(id).includes(extension)) ??
    readerIds.find((id) => mimeTypesOf(id).includes(media)) ??
    "text"
  );
}

const typesOf = (id: ReaderId): readonly string[] => readers[id].types;
const mimeTypesOf = (id: ReaderId): readonly string[] => readers[id].mimeTypes;

/** Case, spaces, dashes and a trailing `reader` are ignored. @source contract, knowledge 4.1 */
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
