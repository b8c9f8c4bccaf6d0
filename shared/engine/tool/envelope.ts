import type { StoredResult } from "../../schemas/runs/stored-result.ts";

const PREVIEW_LINES = 20;
const PREVIEW_CHARS = 1_200;

type Sizes = { readonly preview_lines?: number | undefined; readonly preview_chars?: number | undefined };

/**
 * What a model is shown of a result that is stored: its head and its tail.
 *
 *   <result id="res_0a1b2c3d4e" tool="read_log" lines="4213" size="1048576">
 *   head
 *   … 1,047,376 characters are left out: read_result or search_result has them …
 *   tail
 *   </result>
 */
export function envelopeOf(
  text: string,
  { result_id, tool, lines, chars, stored }: StoredResult & { readonly tool: string },
  { preview_lines = PREVIEW_LINES, preview_chars = PREVIEW_CHARS }: Sizes = {},
): string {
  const head = firstOf(text, Math.ceil(preview_lines * 0.75), Math.ceil(preview_chars * 0.75));
  const tail = lastOf(text, Math.floor(preview_lines * 0.25), Math.floor(preview_chars * 0.25));
  const mark = stored ? "" : ' stored="false"';
  const left = chars - head.length - tail.length;
  const how = stored ? "are left out: read_result or search_result has them" : "are lost";
  const parts = [head, `… ${left.toLocaleString("en")} characters ${how} …`, tail];
  const shown = parts.filter((part) => part !== "").join("\n");
  const tag = `<result id="${result_id}" tool="${tool}" lines="${lines}" size="${chars}"${mark}>`;
  return `${tag}\n${shown}\n</result>`;
}

function firstOf(text: string, lines: number, chars: number): string {
  let end = -1;
  for (let line = 0; line < lines && end < text.length; line += 1) {
    const next = text.indexOf("\n", end + 1);
    end = next < 0 ? text.length : next;
    if (end >= chars) break;
  }
  return wholeCharacters(text, 0, Math.min(end, chars));
}

function lastOf(text: string, lines: number, chars: number): string {
  let start = text.length;
  for (let line = 0; line < lines && start > 0; line += 1) {
    start = Math.max(0, text.lastIndexOf("\n", start - 1));
    if (text.length - start >= chars) break;
  }
  return wholeCharacters(text, Math.max(start, text.length - chars), text.length).replace(/^\n/, "");
}

/** A part of a text that does not begin or end within a character that has two code units. */
export function wholeCharacters(text: string, from: number, to: number): string {
  const isWithin = (at: number) => at > 0 && at < text.length && /[\uDC00-\uDFFF]/.test(text[at] ?? "");
  return text.slice(isWithin(from) ? from + 1 : from, isWithin(to) ? to - 1 : to);
}
