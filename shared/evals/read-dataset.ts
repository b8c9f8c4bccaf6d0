import * as v from "valibot";
import type { Fault } from "../errors.ts";
import { MAX_CASES } from "../schemas/evals/eval-bodies.ts";
import { type EvalCasePlan, evalCaseEntries } from "../schemas/evals/eval-plan.ts";
import { parsedJson } from "../schemas/values/json-values.ts";
import { nearestName } from "../schemas/values/nearest-name.ts";

/** Faults that are listed; a file of the wrong kind has one in each row. */
const MAX_FAULTS = 100;

/** The cases of a file, or what is wrong with it; `path` leads to the row, counted from 1, and its column. */
export type ReadDataset =
  | { readonly cases: readonly EvalCasePlan[]; readonly faults: readonly [] }
  | { readonly cases: readonly []; readonly faults: readonly Fault[] };

/** @param file.filename  its ending decides between CSV and JSON; without one of the two, the first character does */
export async function readDataset({
  filename,
  bytes,
}: {
  readonly filename: string;
  readonly bytes: Uint8Array;
}): Promise<ReadDataset> {
  const text = textIn(bytes);
  if (text === undefined) return refused([fault("", "The file is no text in UTF-8")]);
  const rows = isJson(filename, text) ? rowsOfJson(text) : await tableRows(text);
  if (typeof rows === "string") return refused([fault("", rows)]);
  if (rows.length === 0) return refused([fault("", "The file has no cases")]);
  if (rows.length > MAX_CASES) {
    return refused([fault("", `The file has ${rows.length} cases, and a dataset may have ${MAX_CASES}`)]);
  }
  const read = rows.map((row, i) => caseOf(row, i + 1));
  const faults = read.flatMap((one) => one.faults);
  if (faults.length > 0) return refused(faults);
  return { cases: read.flatMap((one) => (one.value ? [one.value] : [])), faults: [] };
}

const fault = (path: string, message: string): Fault => ({ path, message, error_code: "UNPROCESSABLE" });

const refused = (faults: readonly Fault[]): ReadDataset => ({
  cases: [],
  faults: faults.slice(0, MAX_FAULTS),
});

function textIn(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const isJson = (filename: string, text: string): boolean =>
  /\.json$/i.test(filename) || (!/\.(csv|tsv)$/i.test(filename) && text.trimStart().startsWith("["));

/** What one row gives: a value, or why there is none. */
type Row = { readonly value: unknown } | { readonly fault: Fault };

function rowsOfJson(text: string): readonly Row[] | string {
  const parsed = parsedJson(text);
  if (!Array.isArray(parsed)) return "The file is no JSON array of cases";
  return parsed.map((value) => ({ value }));
}

/** Columns whose cells are no text, and how they are read; both take JSON too. */
const listColumn = "expected_tool_calls";
const objectColumn = "expected_tool_call_arguments";

async function tableRows(text: string): Promise<readonly Row[] | string> {
  try {
    const [names = [], ...rows] = await rowsOfCsv(text, delimiterOf(text));
    const unknown = names.find((name) => !Object.hasOwn(evalCaseEntries, name));
    if (unknown !== undefined) return `The column ${unknown} is unknown; ${nearestOf(unknown)}`;
    const twice = names.find((name, i) => names.indexOf(name) !== i);
    if (twice !== undefined) return `The column ${twice} is there twice`;
    return rows.map((cells, i) => rowOf(names, cells, i + 1));
  } catch (error) {
    return `The table cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** The first line decides, so that the others separate nothing within cells. */
function delimiterOf(text: string): string {
  const [names = ""] = text.split(/\r?\n/, 1);
  return ["\t", ";", ","].find((one) => names.includes(one)) ?? ",";
}

function rowOf(names: readonly string[], cells: readonly string[], number: number): Row {
  if (cells.length > names.length) {
    return {
      fault: fault(
        rowPath(number),
        `It has ${cells.length} cells, and there are ${names.length} columns; a cell with the delimiter in it needs quotes`,
      ),
    };
  }
  // A cell that is left empty says nothing.
  const filled = names.flatMap((name, i) => (cells[i] ? [[name, cells[i]] as const] : []));
  return { value: Object.fromEntries(filled.map(([name, cell]) => [name, cellValue(name, cell)])) };
}

function cellValue(name: string, cell: string): unknown {
  if (name === objectColumn) return parsedJson(cell) ?? cell;
  if (name !== listColumn) return cell;
  const parsed = parsedJson(cell);
  return Array.isArray(parsed) ? parsed : cell.split(/[,;|]/).map((one) => one.trim());
}

/** Without the type that some messages begin with. */
const textOf = (message: string): string => message.slice(message.indexOf("|") + 1);

const rowPath = (number: number): string => `rows[${number}]`;
function nearestOf(name: string): string {
  const names = Object.keys(evalCaseEntries);
  const nearest = nearestName(name, names);
  return nearest === undefined ? `it may be ${names.join(", ")}` : `the nearest is ${nearest}`;
}

const Case = v.strictObject(evalCaseEntries);

function caseOf(
  row: Row,
  number: number,
): { readonly value?: EvalCasePlan; readonly faults: readonly Fault[] } {
  if ("fault" in row) return { faults: [row.fault] };
  const parsed = v.safeParse(Case, row.value);
  if (parsed.success) return { value: parsed.output, faults: [] };
  return {
    faults: parsed.issues.map((issue) => {
      const column = v.getDotPath(issue);
      const path = column === null ? rowPath(number) : `${rowPath(number)}.${column}`;
      const isUnknown = issue.type === "strict_object" && column !== null && issue.expected === "never";
      return fault(path, isUnknown ? `${column} is unknown; ${nearestOf(column)}` : textOf(issue.message));
    }),
  };
}

/**
 * The rows of a table in CSV, the first line among them; empty lines are left out.
 *
 * @param delimiter  what separates the cells of a row
 * @throws Error with a text for whoever has written the table, such as a quote that does not end
 */
export async function rowsOfCsv(text: string, delimiter: string): Promise<string[][]> {
  const { parse } = await import("csv-parse/sync");
  return parse(text, {
    bom: true,
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    trim: true,
  });
}
