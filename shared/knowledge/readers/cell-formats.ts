import { parseXml } from "./parse-xml.ts";

/** How a number of a sheet is shown, as far as it changes its meaning. */
export type CellFormat = "plain" | "date" | "time" | "date and time" | "percent";

/** Formats that need no definition. @source ECMA-376 part 1, section 18.8.30 */
function builtIn(id: number): CellFormat {
  if (id === 9 || id === 10) return "percent";
  if (id === 22) return "date and time";
  if ((id >= 18 && id <= 21) || (id >= 45 && id <= 47)) return "time";
  const isDate = (id >= 14 && id <= 17) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58);
  return isDate ? "date" : "plain";
}

/** What a format's code shows. Texts in quotes, colours and conditions in brackets are not of interest. */
function formatOf(code: string): CellFormat {
  const bare = code.replace(/"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, "").toLowerCase();
  if (bare.includes("%")) return "percent";
  if (bare.includes("general")) return "plain";
  const hasDate = /[yd]/.test(bare);
  const hasTime = /[hs]/.test(bare);
  if (hasDate) return hasTime ? "date and time" : "date";
  if (hasTime) return "time";
  return /m/.test(bare) ? "date" : "plain";
}

/** The format of each style of a workbook, by its position. */
export async function cellFormats(styles: Uint8Array): Promise<CellFormat[]> {
  const own = new Map<number, CellFormat>();
  const formats: CellFormat[] = [];
  let isWithin = false;
  await parseXml(styles, {
    open: (name, { numFmtId = "0", formatCode = "" }) => {
      const id = Number(numFmtId);
      if (name === "numFmt") own.set(id, formatOf(formatCode));
      if (name === "cellXfs") isWithin = true;
      if (name === "xf" && isWithin) formats.push(own.get(id) ?? builtIn(id));
    },
    close: (name) => {
      if (name === "cellXfs") isWithin = false;
    },
  });
  return formats;
}

const DAY_MS = 86_400_000;
/** Day 0 of a workbook: before 1 March 1900 it is one day off, as in every program that writes it. */
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);

/** A number as its format shows it. Dates are ISO 8601, without a zone because sheets have none. */
export function shownNumber(text: string, format: CellFormat, is1904: boolean): string {
  const value = Number(text);
  if (format === "plain" || !Number.isFinite(value)) return rounded(text, value);
  if (format === "percent") return `${Number((value * 100).toPrecision(12))}%`;
  const date = new Date((is1904 ? EPOCH_1904 : EPOCH_1900) + Math.round(value * DAY_MS));
  if (Number.isNaN(date.getTime())) return text;
  const iso = date.toISOString();
  const [day, time] = [iso.slice(0, 10), iso.slice(11, 19)];
  if (format === "time" && value < 1) return time;
  return format === "date" ? day : `${day} ${time}`;
}

/** 0.1 + 0.2 is stored as 0.30000000000000004, and that is not what users search for. */
const rounded = (text: string, value: number): string =>
  Number.isFinite(value) && text.length > 15 ? String(Number(value.toPrecision(15))) : text;
