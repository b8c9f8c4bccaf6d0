import type { ChunkerKey } from "../chunkers/chunker.ts";
import { readDocx } from "./read-docx.ts";
import { readEml } from "./read-eml.ts";
import { readEpub } from "./read-epub.ts";
import { readHtml } from "./read-html.ts";
import { readJson } from "./read-json.ts";
import { readOdf } from "./read-odf.ts";
import { readPdf } from "./read-pdf.ts";
import { readPptx } from "./read-pptx.ts";
import { readRtf } from "./read-rtf.ts";
import { readXlsx } from "./read-xlsx.ts";
import { readZip } from "./read-zip.ts";
import type { Reader } from "./reader.ts";
import { streamCsv, streamFieldLabeledCsv } from "./stream-csv.ts";
import { streamMarkdown, streamText } from "./stream-text.ts";

const forText: readonly ChunkerKey[] = [
  "FixedSizeChunker",
  "DocumentChunker",
  "RecursiveChunker",
  "SemanticChunker",
];
const forRows: readonly ChunkerKey[] = [
  "RowChunker",
  "FixedSizeChunker",
  "DocumentChunker",
  "RecursiveChunker",
];

/**
 * Every reader by its id.
 *
 * @source docs/interface/knowledge.md 6.2
 */
export const readers = {
  text: {
    name: "TextReader",
    description: "Reads plain text",
    types: [".txt", "text"],
    mimeTypes: ["text/plain"],
    chunkers: forText,
    chunker: "FixedSizeChunker",
    stream: streamText,
  },
  markdown: {
    name: "MarkdownReader",
    description: "Reads Markdown, section by section",
    types: [".md", ".markdown"],
    mimeTypes: ["text/markdown", "text/x-markdown"],
    chunkers: ["MarkdownChunker", ...forText],
    chunker: "MarkdownChunker",
    stream: streamMarkdown,
  },
  csv: {
    name: "CsvReader",
    description: "Reads tables, a line for each row",
    types: [".csv", ".tsv"],
    mimeTypes: ["text/csv", "text/tab-separated-values"],
    chunkers: forRows,
    chunker: "RowChunker",
    stream: streamCsv,
  },
  field_labeled_csv: {
    name: "FieldLabeledCsvReader",
    description: "Reads tables, each value under the name of its column",
    types: [".csv"],
    mimeTypes: [],
    chunkers: [],
    chunker: undefined,
    stream: streamFieldLabeledCsv,
  },
  json: {
    name: "JsonReader",
    description: "Reads JSON, the elements of a list one by one",
    types: [".json"],
    mimeTypes: ["application/json"],
    chunkers: forText,
    chunker: "FixedSizeChunker",
    read: readJson,
  },
  pdf: {
    name: "PdfReader",
    description: "Reads the text of PDF files, page by page",
    types: [".pdf"],
    mimeTypes: ["application/pdf"],
    chunkers: forText,
    chunker: "DocumentChunker",
    read: readPdf,
  },
  docx: {
    name: "DocxReader",
    description: "Reads the text of Word documents",
    types: [".docx"],
    mimeTypes: ["application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
    chunkers: forText,
    chunker: "DocumentChunker",
    read: readDocx,
  },
  excel: {
    name: "ExcelReader",
    description: "Reads the sheets of Excel workbooks, a line for each row with the names of its columns",
    types: [".xlsx", ".xlsm"],
    mimeTypes: ["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
    chunkers: forRows,
    chunker: "RowChunker",
    read: readXlsx,
  },
  pptx: {
    name: "PptxReader",
    description: "Reads the slides of presentations, with their notes",
    types: [".pptx"],
    mimeTypes: ["application/vnd.openxmlformats-officedocument.presentationml.presentation"],
    chunkers: forText,
    chunker: "DocumentChunker",
    read: readPptx,
  },
  epub: {
    name: "EpubReader",
    description: "Reads books, chapter by chapter",
    types: [".epub"],
    mimeTypes: ["application/epub+zip"],
    chunkers: forText,
    chunker: "DocumentChunker",
    read: readEpub,
  },
  odf: {
    name: "OdfReader",
    description: "Reads OpenDocument texts, workbooks and presentations",
    types: [".odt", ".ods", ".odp"],
    mimeTypes: ["text", "spreadsheet", "presentation"].map(
      (kind) => `application/vnd.oasis.opendocument.${kind}`,
    ),
    chunkers: [...forText, "RowChunker"],
    chunker: "DocumentChunker",
    read: readOdf,
  },
  rtf: {
    name: "RtfReader",
    description: "Reads RTF documents",
    types: [".rtf"],
    mimeTypes: ["application/rtf", "text/rtf"],
    chunkers: forText,
    chunker: "DocumentChunker",
    read: readRtf,
  },
  eml: {
    name: "EmlReader",
    description: "Reads mails with their attachments",
    types: [".eml"],
    mimeTypes: ["message/rfc822"],
    chunkers: forText,
    chunker: "DocumentChunker",
    read: readEml,
  },
  zip: {
    name: "ZipReader",
    description: "Reads the files of an archive, each as its own reader does",
    types: [".zip"],
    mimeTypes: ["application/zip", "application/x-zip-compressed"],
    chunkers: forText,
    chunker: "DocumentChunker",
    read: readZip,
  },
  website: {
    name: "WebsiteReader",
    description: "Reads the text of one web page",
    types: ["url", ".html", ".htm"],
    mimeTypes: ["text/html", "application/xhtml+xml"],
    chunkers: forText,
    chunker: "FixedSizeChunker",
    read: readHtml,
  },
} as const satisfies Readonly<Record<string, Reader>>;

export type ReaderId = keyof typeof readers;
export const readerIds = Object.keys(readers) as readonly ReaderId[]; // the keys of a constant table
