import { ContentFault } from "../content-fault.ts";
import { decodedText, type Passage } from "./passage.ts";

/** A table as one line for each of its rows, whatever its delimiter. */
export async function readCsv(bytes: Uint8Array): Promise<Passage[]> {
  const rows = await rowsOf(bytes);
  const lines = rows.map((cells) => cells.map(oneLine).join(", "));
  return [{ text: lines.join("\n"), about: {} }];
}

/** A table as one passage for each of its rows, every value under the name of its column. */
export async function readFieldLabeledCsv(bytes: Uint8Array): Promise<Passage[]> {
  const [names = [], ...rows] = await rowsOf(bytes);
  return rows.map((cells, i) => ({
    text: cells
      .map((cell, column) => `${names[column] ?? `Column ${column + 1}`}: ${oneLine(cell)}`)
      .join("\n"),
    about: { row_number: i + 1 },
  }));
}

async function rowsOf(bytes: Uint8Array): Promise<string[][]> {
  const { parse } = await import("csv-parse/sync");
  const text = decodedText(bytes);
  try {
    return parse(text, {
      bom: true,
      delimiter: [",", ";", "\t"],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      trim: true,
    });
  } catch (error) {
    throw new ContentFault(
      `The table cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

const oneLine = (cell: string): string => cell.replace(/\s+/g, " ");
