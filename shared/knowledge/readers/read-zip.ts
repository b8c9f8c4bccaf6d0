import { ContentFault } from "../content-fault.ts";
import type { Reading, ReadPart } from "./reader.ts";
import { type Unzipped, unzip } from "./unzip.ts";

/** What systems add to an archive on their own. */
const ADDED = /(^|\/)(__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/;

/**
 * An archive: a document that is one itself, such as a Word document, or files, each with its path. Files of a kind that
 * is not read are left out and named.
 */
export async function readZip(bytes: Uint8Array, reading: Reading): Promise<ReadPart[]> {
  const archive = unzip(bytes, reading.budget);
  const document = documentIn(archive);
  if (document !== undefined) return reading.as(document, bytes);
  const paths = archive.paths.filter((path) => !path.endsWith("/") && !ADDED.test(path));
  if (paths.length === 0) throw new ContentFault("The archive has no files.");
  const parts: ReadPart[] = [];
  for (const path of paths) {
    const inside = await reading.inner({ filename: path, mime_type: "", bytes: archive.read(path) });
    parts.push(...inside.map(({ about, ...part }) => ({ ...part, about: { file: path, ...about } })));
  }
  return parts;
}

/** The reader of a document that is an archive, by the part that it must have. */
function documentIn({ exists }: Unzipped): string | undefined {
  if (exists("word/document.xml")) return "docx";
  if (exists("xl/workbook.xml")) return "excel";
  if (exists("ppt/presentation.xml")) return "pptx";
  if (exists("META-INF/container.xml")) return "epub";
  if (exists("mimetype") && exists("content.xml")) return "odf";
  if (exists("xl/workbook.bin"))
    throw new ContentFault("The file is a binary workbook (XLSB). Save it as XLSX, and add that.");
  return undefined;
}
