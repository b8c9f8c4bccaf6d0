import { createContext, Script } from "node:vm";

/** Milliseconds after which a search is given up: some patterns take longer than the universe lasts. */
const TIME_LIMIT_MS = 2_000;
export const MAX_MATCHES = 20;
/** Longest piece of a line around a match. */
const LINE_CHARS = 400;

/** @param line number of the line, from 1 @param at position of the match in it, from 0 */
type Match = { readonly line: number; readonly at: number };

/** Finds the first matching place of each line. A script of its own, because only that can be stopped while a pattern is matched. */
const search = new Script(`
  (() => {
    const expression = new RegExp(pattern, "i");
    const found = [];
    let count = 0;
    let line = 0;
    for (let from = 0; from <= text.length; ) {
      const next = text.indexOf("\\n", from);
      const end = next < 0 ? text.length : next;
      const at = text.slice(from, end).search(expression);
      line += 1;
      if (at >= 0) {
        count += 1;
        if (found.length < most) found.push([line, at]);
      }
      from = end + 1;
    }
    return JSON.stringify({ count, found });
  })()`);

/** Places in a text that match a regular expression. @throws Error, with a text for the model */
function findMatches(
  text: string,
  pattern: string,
  { most, timeout }: { readonly most: number; readonly timeout: number },
): { count: number; found: Match[] } {
  try {
    const context = createContext(Object.assign(Object.create(null), { text, pattern, most }));
    const json: unknown = search.runInContext(context, { timeout });
    const { count, found } = JSON.parse(String(json)) as { count: number; found: [number, number][] }; // made above
    return { count, found: found.map(([line, at]) => ({ line, at })) };
  } catch (error) {
    // What the script throws is of the other context, so that only its name says what it is.
    const { name, code } = error as { name?: string; code?: string };
    if (code === "ERR_SCRIPT_EXECUTION_TIMEOUT")
      throw new Error("The search took too long. Search with a simpler pattern.");
    if (name === "SyntaxError") throw new Error("The pattern is no regular expression of JavaScript.");
    throw error;
  }
}

/**
 * Searches a text line by line, without regard to case.
 *
 * @param contextLines  lines shown before and after each match
 * @param maxChars      of what is shown
 * @param limitMs       after which it is given up
 * @throws Error, with a text for the model
 */
export function searchText(
  text: string,
  pattern: string,
  contextLines: number,
  maxChars: number,
  limitMs: number = TIME_LIMIT_MS,
): string {
  const found = findIn(text, pattern, contextLines, { maxChars, limitMs });
  return found.count === 0 ? "No line matches." : found.shown;
}

type Found = {
  /** Lines that match. */
  readonly count: number;
  /** Those of them that are shown. */
  readonly matches: number;
  readonly shown: string;
};

/** The same, with how much was found. @param limits.most  matches that are shown */
export function findIn(
  text: string,
  pattern: string,
  contextLines: number,
  {
    maxChars,
    most = MAX_MATCHES,
    limitMs = TIME_LIMIT_MS,
  }: { readonly maxChars: number; readonly most?: number; readonly limitMs?: number },
): Found {
  const { count, found } = findMatches(text, pattern, { most, timeout: limitMs });
  const lines = text.split("\n");
  const excerpts = found.map(({ line, at }) => excerpt(lines, line, at, contextLines));
  const kept = excerpts.filter(
    (_, i) => i === 0 || excerpts.slice(0, i + 1).join("\n--\n").length <= maxChars,
  );
  const more = count > kept.length ? `\n${count - kept.length} more lines match.` : "";
  return { count, matches: kept.length, shown: `${kept.join("\n--\n").slice(0, maxChars)}${more}` };
}

function excerpt(lines: readonly string[], line: number, at: number, contextLines: number): string {
  const from = Math.max(1, line - contextLines);
  const to = Math.min(lines.length, line + contextLines);
  const shown: string[] = [];
  for (let number = from; number <= to; number += 1) {
    const text = lines[number - 1] ?? "";
    const isMatch = number === line;
    shown.push(`${number}${isMatch ? ":" : "-"} ${isMatch ? around(text, at) : text.slice(0, LINE_CHARS)}`);
  }
  return shown.join("\n");
}

/** A long line, cut to what is around its match. */
function around(text: string, at: number): string {
  if (text.length <= LINE_CHARS) return text;
  const from = Math.max(0, Math.min(at - LINE_CHARS / 2, text.length - LINE_CHARS));
  const piece = text.slice(from, from + LINE_CHARS);
  return `(character ${from + 1} on) ${piece}`;
}
