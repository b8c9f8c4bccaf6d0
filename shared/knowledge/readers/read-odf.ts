import { ContentFault } from "../content-fault.ts";
import { type Cell, characterCount, LabelledRows } from "./labelled-rows.ts";
import { parseXml } from "./parse-xml.ts";
import type { Reading, ReadPart } from "./reader.ts";
import { unzip } from "./unzip.ts";

/** A repeated cell or row with a value is written out so often at most: a sheet may claim a million of them. */
const MAX_REPEATED = 100;

/**
 * OpenDocument: the sections of a text with their headings, the slides of a presentation, the sheets of a workbook with
 * a line for each row.
 *
 * @source OASIS OpenDocument 1.3 part 3
 */
export async function readOdf(bytes: Uint8Array, { budget }: Pick<Reading, "budget">): Promise<ReadPart[]> {
  const archive = unzip(bytes, budget);
  if (
    isEncrypted(archive.exists("META-INF/manifest.xml") ? archive.read("META-INF/manifest.xml") : undefined)
  )
    throw new ContentFault("The document is protected by a password.");
  const content = archive.read("content.xml");
  const kind = archive.exists("mimetype") ? Buffer.from(archive.read("mimetype")).toString("latin1") : "";
  return kind.includes("spreadsheet") ? sheetsOf(content) : sectionsOf(content);
}

const isEncrypted = (manifest: Uint8Array | undefined): boolean =>
  manifest !== undefined && Buffer.from(manifest).includes("encryption-data");

/** Sections of a text document begin with its headings, those of a presentation with its slides. */
async function sectionsOf(content: Uint8Array): Promise<ReadPart[]> {
  const sections: { about: Record<string, unknown>; lines: string[] }[] = [{ about: {}, lines: [] }];
  const count = characterCount();
  let [line, slide, depth, hidden] = ["", 0, 0, 0];
  const begin = (about: Record<string, unknown>) => sections.push({ about, lines: [] });
  await parseXml(content, {
    open: (name, attributes) => {
      if (HIDDEN.has(name)) hidden += 1;
      if (name === "page" && attributes["draw:name"] !== undefined) {
        slide += 1;
        begin({ slide });
        sections.at(-1)?.lines.push(`Slide ${slide}`);
      }
      if (name === "p" || name === "h") {
        if (depth === 0) line = "";
        depth += 1;
      }
      if (name === "s" || name === "tab" || name === "line-break") line += " ";
    },
    text: (piece) => {
      if (depth > 0 && hidden === 0) line += piece;
    },
    close: (name) => {
      if (HIDDEN.has(name)) hidden -= 1;
      if (name !== "p" && name !== "h") return;
      depth -= 1;
      const text = line.replace(/\s+/g, " ").trim();
      if (text === "" || depth > 0) return;
      count(text.length);
      if (name === "h" && slide === 0) begin({ heading: text });
      sections.at(-1)?.lines.push(text);
      line = "";
    },
  });
  // The line that names a slide alone is no text.
  return sections
    .filter(({ about, lines }) => lines.length > ("slide" in about ? 1 : 0))
    .map(({ about, lines }) => ({ text: lines.join("\n\n"), about }));
}

/** What was deleted but is kept for reviewers, and remarks at the margin's anchor. */
const HIDDEN = new Set(["tracked-changes", "annotation"]);

async function sheetsOf(content: Uint8Array): Promise<ReadPart[]> {
  const parts: ReadPart[] = [];
  const count = characterCount();
  let sheet: { name: string; rows: LabelledRows } | undefined;
  let row = new Map<number, Cell>();
  let [column, repeatedCells, repeatedRows, text, isText, depth, hidden] = [0, 1, 1, "", true, 0, 0];
  await parseXml(content, {
    open: (name, attributes) => {
      if (HIDDEN.has(name)) hidden += 1;
      if (name === "table") {
        const named = attributes["table:name"] ?? "";
        sheet = { name: named, rows: new LabelledRows(named, count) };
      }
      if (name === "table-row") {
        [row, column] = [new Map(), 0];
        repeatedRows = times(attributes["table:number-rows-repeated"]);
      }
      if (name === "table-cell" || name === "covered-table-cell") {
        repeatedCells = times(attributes["table:number-columns-repeated"]);
        text = "";
        isText = (attributes["office:value-type"] ?? "string") === "string";
      }
      if (name === "p") {
        if (text !== "") text += " ";
        depth += 1;
      }
    },
    text: (piece) => {
      if (depth > 0 && hidden === 0) text += piece;
    },
    close: (name) => {
      if (HIDDEN.has(name)) hidden -= 1;
      if (name === "p") depth -= 1;
      if (name === "table-cell" || name === "covered-table-cell") {
        const copies = text.trim() === "" ? 0 : Math.min(repeatedCells, MAX_REPEATED);
        for (let i = 0; i < copies; i += 1) row.set(column + i, { text, isText });
        column += repeatedCells;
      }
      if (name === "table-row" && row.size > 0) {
        for (let i = 0; i < Math.min(repeatedRows, MAX_REPEATED); i += 1) sheet?.rows.add(row);
      }
      if (name === "table" && sheet) {
        parts.push({ text: sheet.rows.text, about: { sheet: sheet.name }, chunker: "RowChunker" });
        sheet = undefined;
      }
    },
  });
  return parts;
}

const times = (repeated: string | undefined): number => Math.max(1, Number(repeated ?? 1) || 1);
