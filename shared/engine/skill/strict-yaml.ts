/** A text, a list, or values by key. Every scalar is a text: `1.0` and `true` stay as they are written. */
export type StrictValue = string | readonly StrictValue[] | StrictMapping;
export type StrictMapping = ReadonlyMap<string, StrictEntry>;
export type StrictEntry = { readonly value: StrictValue /** From 1. */; readonly line: number };

/** A line that cannot be read. */
export class YamlFault extends Error {
  override readonly name = "YamlFault";
  readonly line: number;
  constructor(text: string, line: number) {
    super(text);
    this.line = line;
  }
}

type Cursor = { readonly lines: readonly string[]; at: number };

const isNothing = (line: string): boolean => /^\s*(#|$)/.test(line);
const indentOf = (line: string): number => line.length - line.trimStart().length;

/**
 * Reads the part of YAML in which a text has one reading: mappings, lists and scalars in blocks. What YAML has beside that,
 * such as `{…}`, `[…]`, anchors, tags and keys that repeat, is refused, as the reference reader of the format does.
 *
 * @throws YamlFault
 */
export function readStrictYaml(text: string): StrictValue {
  const cursor: Cursor = { lines: text.split("\n"), at: 0 };
  skipNothing(cursor);
  const first = cursor.lines[cursor.at];
  if (first === undefined) return "";
  const value = block(cursor, indentOf(first));
  skipNothing(cursor);
  if (cursor.at < cursor.lines.length) throw fault(cursor, "its indentation fits to no line above");
  return value;
}

const fault = ({ at }: Cursor, text: string): YamlFault => new YamlFault(text, at + 1);

function skipNothing(cursor: Cursor): void {
  while (isNothing(cursor.lines[cursor.at] ?? "x")) cursor.at++;
}

const isItem = (line: string): boolean => /^\s*-(\s|$)/.test(line);

function block(cursor: Cursor, indent: number): StrictValue {
  const line = cursor.lines[cursor.at] ?? "";
  if (/^ *\t/.test(line)) throw fault(cursor, "it is indented with a tab; indent with blanks");
  if (isItem(line)) return list(cursor, indent);
  return keyOf(line.trim()) === undefined ? scalar(cursor, line.trim(), indent - 1) : mapping(cursor, indent);
}

function list(cursor: Cursor, indent: number): StrictValue[] {
  const items: StrictValue[] = [];
  for (skipNothing(cursor); cursor.at < cursor.lines.length; skipNothing(cursor)) {
    const line = cursor.lines[cursor.at] ?? "";
    if (indentOf(line) !== indent || !isItem(line)) break;
    items.push(valueAfter(cursor, line.trim().slice(1).trim(), indent));
  }
  return items;
}

function mapping(cursor: Cursor, indent: number): StrictMapping {
  const entries = new Map<string, StrictEntry>();
  for (skipNothing(cursor); cursor.at < cursor.lines.length; skipNothing(cursor)) {
    const line = cursor.lines[cursor.at] ?? "";
    if (indentOf(line) < indent) break;
    if (/^ *\t/.test(line)) throw fault(cursor, "it is indented with a tab; indent with blanks");
    if (indentOf(line) > indent) throw fault(cursor, "its indentation fits to no line above");
    const found = keyOf(line.trim());
    if (found === undefined) throw fault(cursor, "it is neither `key: value` nor part of the value above");
    if (entries.has(found.key)) throw fault(cursor, `the key ${found.key} is there twice`);
    const at = cursor.at + 1;
    entries.set(found.key, { value: valueAfter(cursor, found.rest, indent), line: at });
  }
  return entries;
}

const KEY =
  /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s"'#&*!|>%@`[\]{},?:-][^\n]*?|[?:-]\S[^\n]*?)\s*:(?:\s+(.*)|)$/s;

function keyOf(line: string): { readonly key: string; readonly rest: string } | undefined {
  const [, key, rest = ""] = KEY.exec(line) ?? [];
  if (key === undefined) return undefined;
  return { key: /^["']/.test(key) ? unquoted(key) : key, rest: rest.trim() };
}

/** What stands behind a key or a dash; the cursor is on that line, and afterwards behind the value. */
function valueAfter(cursor: Cursor, rest: string, indent: number): StrictValue {
  if (rest !== "" && !rest.startsWith("#")) return scalar(cursor, rest, indent);
  cursor.at++;
  skipNothing(cursor);
  const next = cursor.lines[cursor.at];
  if (next === undefined) return "";
  const isBelow = indentOf(next) > indent || (indentOf(next) === indent && isItem(next));
  return isBelow ? block(cursor, indentOf(next)) : "";
}

const refusedStarts: Readonly<Record<string, string>> = {
  "[": "lists in brackets are not read; write one item a line, after a dash",
  "{": "mappings in braces are not read; write one key a line",
  "&": "anchors are not read",
  "*": "aliases are not read",
  "!": "tags are not read; put a text with this beginning in quotes",
};

function scalar(cursor: Cursor, first: string, indent: number): string {
  const start = first.charAt(0);
  const refused = refusedStarts[start];
  if (refused !== undefined) throw fault(cursor, refused);
  if (start === "|" || start === ">") return blockScalar(cursor, first, indent);
  if (start === '"' || start === "'") return quoted(cursor, first, start);
  if (/^[%@`,\]}]|^[-?](\s|$)|^:(\s|$)/.test(first))
    throw fault(cursor, `a value cannot begin with ${start}; put it in quotes`);
  return plain(cursor, first, indent);
}

/** A text without quotes, which ends at a comment or at a line that is indented no further than its key. */
function plain(cursor: Cursor, first: string, indent: number): string {
  let text = "";
  for (let line = first, breaks = 0; ; ) {
    const own = line.replace(/\s#.*$/, "").trim();
    if (/:(\s|$)/.test(own)) throw fault(cursor, "a colon in a value needs quotes around the value");
    text += (text === "" ? "" : breaks > 0 ? "\n".repeat(breaks) : " ") + own;
    const isCommented = own !== line.trim();
    cursor.at++;
    const from = cursor.at;
    while (cursor.lines[cursor.at]?.trim() === "") cursor.at++;
    const next = cursor.lines[cursor.at];
    if (next === undefined || isCommented || indentOf(next) <= indent || next.trim().startsWith("#"))
      return text;
    breaks = cursor.at - from;
    line = next.trim();
  }
}

function quoted(cursor: Cursor, first: string, mark: string): string {
  const begunAt = cursor.at;
  const whole = mark === '"' ? /^"(?:[^"\\]|\\.)*"/s : /^'(?:[^']|'')*'/s;
  let text = first;
  for (let breaks = 0; ; ) {
    const found = whole.exec(text)?.[0];
    cursor.at++;
    if (found !== undefined) {
      const behind = text.slice(found.length);
      if (!/^\s*$|^\s+#/.test(behind))
        throw new YamlFault("something stands behind the closing quote", cursor.at);
      return unquoted(found);
    }
    while (cursor.lines[cursor.at]?.trim() === "") {
      breaks++;
      cursor.at++;
    }
    const next = cursor.lines[cursor.at];
    if (next === undefined) throw new YamlFault("its quotes are not closed", begunAt + 1);
    text = `${text.trimEnd()}${breaks > 0 ? "\n".repeat(breaks) : " "}${next.trim()}`;
    breaks = 0;
  }
}

const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  "0": "\0",
  e: "\x1b",
  a: "\x07",
  b: "\b",
};

function unquoted(text: string): string {
  const inner = text.slice(1, -1);
  if (text.startsWith("'")) return inner.replaceAll("''", "'");
  return inner.replace(/\\(x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|.)/gs, (_, code: string) =>
    code.length > 1 ? String.fromCodePoint(Number.parseInt(code.slice(1), 16)) : (escapes[code] ?? code),
  );
}

/** A text after `|`, which keeps its lines, or `>`, which joins them. */
function blockScalar(cursor: Cursor, head: string, indent: number): string {
  const [, style, chomping = ""] = /^([|>])([+-]?)(?:\s+#.*)?$/.exec(head) ?? [];
  if (style === undefined) throw fault(cursor, "only |, |-, |+, >, >- and >+ begin a text of several lines");
  cursor.at++;
  const own: string[] = [];
  for (; cursor.at < cursor.lines.length; cursor.at++) {
    const line = cursor.lines[cursor.at] ?? "";
    if (line.trim() !== "" && indentOf(line) <= indent) break;
    own.push(line);
  }
  const depth = indentOf(own.find((line) => line.trim() !== "") ?? "");
  const lines = own.map((line) => line.slice(depth));
  const body = lines.join("\n").replace(/\n+$/, "");
  const text = style === "|" ? body : body.replace(/([^\n])\n(?![\n ])/g, "$1 ").replace(/\n(\n+)/g, "$1");
  if (chomping === "-" || text === "") return text;
  return chomping === "+" ? `${text}${"\n".repeat(lines.length - body.split("\n").length + 1)}` : `${text}\n`;
}
