import { ContentFault } from "../content-fault.ts";
import { type CellFormat, cellFormats, shownNumber } from "./cell-formats.ts";
import { type Cell, characterCount, LabelledRows } from "./labelled-rows.ts";
import { parseXml, pathFrom, relationsOf } from "./parse-xml.ts";
import type { Reading, ReadPart } from "./reader.ts";
import { type Unzipped, unzip } from "./unzip.ts";

const WORKBOOK = "xl/workbook.xml";

type Workbook = {
  readonly sheets: readonly { readonly name: string; readonly path: string }[];
  readonly is1904: boolean;
  readonly texts: readonly string[];
  readonly formats: readonly CellFormat[];
};

/**
 * The sheets of an Excel workbook, a line for each row. Cells are read one by one, and empty ones are skipped: a sheet
 * that is a million columns wide costs what it holds.
 *
 * @source ECMA-376 part 1, section 18 (SpreadsheetML)
 */
export async function readXlsx(bytes: Uint8Array, { budget }: Pick<Reading, "budget">): Promise<ReadPart[]> {
  const archive = unzip(bytes, budget);
  const workbook = await workbookOf(archive);
  const count = characterCount();
  const parts: ReadPart[] = [];
  for (const { name, path } of workbook.sheets) {
    if (!archive.exists(path)) continue;
    const rows = new LabelledRows(name, count);
    await readSheet(archive.read(path), workbook, rows);
    parts.push({ text: rows.text, about: { sheet: name } });
  }
  return parts;
}

async function workbookOf(archive: Unzipped): Promise<Workbook> {
  const relations = await relationsOf(archive.read("xl/_rels/workbook.xml.rels"));
  const sheets: { name: string; path: string }[] = [];
  let is1904 = false;
  await parseXml(archive.read(WORKBOOK), {
    open: (element, attributes) => {
      if (element === "workbookPr") is1904 = isTrue(attributes.date1904);
      const relation = element === "sheet" ? relations.get(attributes["r:id"] ?? "") : undefined;
      if (relation?.type !== "worksheet") return;
      sheets.push({ name: attributes.name ?? "", path: pathFrom(WORKBOOK, relation.target) });
    },
  });
  if (sheets.length === 0) throw new ContentFault("The workbook has no sheets.");
  const partOf = (type: string) => {
    const target = [...relations.values()].find((relation) => relation.type === type)?.target;
    const path = target === undefined ? undefined : pathFrom(WORKBOOK, target);
    return path !== undefined && archive.exists(path) ? archive.read(path) : undefined;
  };
  const [strings, styles] = [partOf("sharedStrings"), partOf("styles")];
  return {
    sheets,
    is1904,
    texts: strings ? await sharedTexts(strings) : [],
    formats: styles ? await cellFormats(styles) : [],
  };
}

const isTrue = (value: string | undefined): boolean => value === "1" || value === "true";

/** Texts that cells refer to. Readings of Japanese words (`rPh`) are left out: Excel shows them above the text. */
async function sharedTexts(bytes: Uint8Array): Promise<string[]> {
  const texts: string[] = [];
  let [text, isText, phonetic] = ["", false, 0];
  await parseXml(bytes, {
    open: (name) => {
      if (name === "si") text = "";
      if (name === "rPh") phonetic += 1;
      isText = name === "t" && phonetic === 0;
    },
    text: (piece) => {
      if (isText) text += piece;
    },
    close: (name) => {
      if (name === "t") isText = false;
      if (name === "rPh") phonetic -= 1;
      if (name === "si") texts.push(text);
    },
  });
  return texts;
}

async function readSheet(bytes: Uint8Array, workbook: Workbook, rows: LabelledRows): Promise<void> {
  let row = new Map<number, Cell>();
  let [column, type, style, raw, isValue] = [-1, "n", 0, "", false];
  await parseXml(bytes, {
    open: (name, { r, t = "n", s = "0" }) => {
      if (name === "c") {
        [column, type, style, raw] = [columnOf(r) ?? column + 1, t, Number(s), ""];
      }
      if (name === "row") [row, column] = [new Map(), -1];
      isValue = name === "v" || name === "t";
    },
    text: (piece) => {
      if (isValue) raw += piece;
    },
    close: (name) => {
      if (name === "v" || name === "t") isValue = false;
      if (name === "row") rows.add(row);
      if (name !== "c") return;
      const cell = cellOf(raw, type, workbook.formats[style] ?? "plain", workbook);
      if (cell.text.trim() !== "") row.set(column, cell);
    },
  });
}

function cellOf(raw: string, type: string, format: CellFormat, { texts, is1904 }: Workbook): Cell {
  switch (type) {
    case "s":
      return { text: texts[Number(raw)] ?? "", isText: true };
    case "b":
      return { text: raw === "1" ? "TRUE" : raw === "" ? "" : "FALSE", isText: false };
    case "n":
      return { text: raw === "" ? "" : shownNumber(raw, format, is1904), isText: false };
    default:
      return { text: raw, isText: type !== "d" };
  }
}

/** The column of a cell's name, from 0: `AB12` is in column 27. */
function columnOf(name: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,4}/i.exec(name ?? "")?.[0].toUpperCase();
  if (letters === undefined) return undefined;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}
