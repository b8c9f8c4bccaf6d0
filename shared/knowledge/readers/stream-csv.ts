import { Readable } from "node:stream";
import { ContentFault } from "../content-fault.ts";
import type { ReadPart } from "./reader.ts";
import { PIECE_CHARS } from "./stream-text.ts";
import { decodedBlocks } from "./text-encoding.ts";

/** A longer row is no row: a quotation mark was not closed, or the file is no table. */
const MAX_ROW_CHARS = 1_000_000;

/** A table as one line for each of its rows, whatever its delimiter. Rows without a value are left out. */
export async function* streamCsv(blocks: AsyncIterable<Uint8Array>): AsyncGenerator<ReadPart, undefined> {
  let lines: string[] = [];
  let chars = 0;
  let continues = false;
  for await (const cells of rowsOf(blocks)) {
    const line = cells.map(oneLine).join(", ");
    lines.push(line);
    chars += line.length + 1;
    if (chars < PIECE_CHARS) continue;
    yield { text: lines.join("\n"), about: {}, continues };
    [lines, chars, continues] = [[], 0, true];
  }
  if (lines.length > 0) yield { text: lines.join("\n"), about: {}, continues };
  return undefined;
}

/** A table as one passage for each of its rows, every value under the name of its column. */
export async function* streamFieldLabeledCsv(
  blocks: AsyncIterable<Uint8Array>,
): AsyncGenerator<ReadPart, undefined> {
  let names: readonly string[] | undefined;
  let row_number = 0;
  for await (const cells of rowsOf(blocks)) {
    if (!names) {
      names = cells;
      continue;
    }
    const labels = names;
    row_number += 1;
    const labelled = cells.map(
      (cell, column) => `${labels[column] ?? `Column ${column + 1}`}: ${oneLine(cell)}`,
    );
    yield { text: labelled.join("\n"), about: { row_number } };
  }
  return undefined;
}

async function* rowsOf(blocks: AsyncIterable<Uint8Array>): AsyncGenerator<string[], undefined> {
  const { parse } = await import("csv-parse");
  const parser = parse({
    bom: true,
    delimiter: [",", ";", "\t"],
    max_record_size: MAX_ROW_CHARS,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    trim: true,
  });
  const source = Readable.from(decodedBlocks(blocks), { objectMode: true });
  source.on("error", (error) => parser.destroy(error));
  try {
    for await (const row of source.pipe(parser) as AsyncIterable<string[]>) yield row;
  } catch (error) {
    if (error instanceof ContentFault) throw error;
    throw new ContentFault(
      `The table cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  return undefined;
}

const oneLine = (cell: string): string => cell.replace(/\s+/g, " ");
