import type { ChunkerKey } from "../chunkers/chunker.ts";
import { readCsv, readFieldLabeledCsv } from "./read-csv.ts";
import { readDocx } from "./read-docx.ts";
import { readHtml } from "./read-html.ts";
import { readJson } from "./read-json.ts";
import { readPdf } from "./read-pdf.ts";
import { readText } from "./read-text.ts";
import type { Reader } from "./reader.ts";

const forText: readonly ChunkerKey[] = [
  "FixedSizeChunker",
  "DocumentChunker",
  "RecursiveChunker",
  "SemanticChunker",
];

/**
 * Every reader by its id.
 *
 * @source contract, knowledge 5.1
 */
export const readers = {
  text: {
    name: "TextReader",
    description: "Reads plain text",
    types: [".txt", "text"],
    mimeTypes: ["text/plain"],
    chunkers: forText,
    chunker: "FixedSizeChunker",
    read: readText,
  },
  markdown: {
    name: "MarkdownReader",
    description: "Reads Markdown, section by section",
    types: [".md", ".markdown"],
    mimeTypes: ["text/markdown", "text/x-markdown"],
    chunkers: ["MarkdownChunker", ...forText],
    chunker: "MarkdownChunker",
    read: readText,
  },
  csv: {
    name: "CsvReader",
    description: "Reads tables, a line for each row",
    types: [".csv"],
    mimeTypes: ["text/csv"],
    chunkers: ["RowChunker", "FixedSizeChunker", "DocumentChunker", "RecursiveChunker"],
    chunker: "RowChunker",
    read: readCsv,
  },
  field_labeled_csv: {
    name: "FieldLabeledCsvReader",
    description: "Reads tables, each value under the name of its column",
    types: [".csv"],
    mimeTypes: [],
    chunkers: [],
    chunker: undefined,
    read: readFieldLabeledCsv,
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
