import { LimitExceeded } from "../content-fault.ts";
import { MAX_READ_CHARACTERS } from "./reading-limits.ts";

/** A cell that holds something. @param isText false for numbers, dates and the like */
export type Cell = { readonly text: string; readonly isText: boolean };
/** The cells of a row that hold something, by their columns; empty ones take no room. */
export type Row = ReadonlyMap<number, Cell>;

/**
 * The rows of a sheet as lines that are found by themselves: each begins with the name of the sheet, and each value
 * stands under the name of its column. The names of columns are the first row of several texts.
 *
 *   Prices | Name, Colour
 *   Prices | Name: Puku, Colour: red
 */
export class LabelledRows {
  readonly #lines: string[] = [];
  readonly #sheet: string;
  readonly #count: (characters: number) => void;
  #names: ReadonlyMap<number, string> | undefined;
  #hasNames = true;

  constructor(sheet: string, count: (characters: number) => void) {
    this.#sheet = oneLine(sheet);
    this.#count = count;
  }

  add(row: Row): void {
    const cells = [...row].sort(([a], [b]) => a - b);
    if (cells.length === 0) return;
    const isHeader = this.#names === undefined && this.#hasNames && cells.length > 1;
    const values = cells.map(([column, { text }]) => labelled(this.#names?.get(column), oneLine(text)));
    if (isHeader) {
      this.#hasNames = cells.every(([, { isText }]) => isText);
      if (this.#hasNames) this.#names = new Map(cells.map(([column, { text }]) => [column, oneLine(text)]));
    }
    const line = `${this.#sheet} | ${values.join(", ")}`;
    this.#count(line.length);
    this.#lines.push(line);
  }

  get text(): string {
    return this.#lines.join("\n");
  }
}

const labelled = (name: string | undefined, text: string): string =>
  name === undefined || name === "" ? text : `${name}: ${text}`;
const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

/** Stops a reading whose text grows by what it repeats, before its limit of memory does. */
export function characterCount(): (characters: number) => void {
  let total = 0;
  return (characters) => {
    total += characters;
    if (total > MAX_READ_CHARACTERS)
      throw new LimitExceeded(`The file has more than ${MAX_READ_CHARACTERS / 1e6} million characters.`);
  };
}
