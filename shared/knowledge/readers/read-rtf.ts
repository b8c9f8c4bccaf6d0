import { TextDecoder } from "node:util";
import { ContentFault } from "../content-fault.ts";
import type { ReadPart } from "./reader.ts";

/** Groups whose text is not of the document: fonts, styles, pictures, and what stands on every page. */
const HIDDEN = new Set(
  "fonttbl colortbl stylesheet info pict object header headerl headerr headerf footer footerl footerr footerf listtable listoverridetable revtbl rsidtbl generator themedata datastore xmlnstbl latentstyles fldinst nonshppict filetbl".split(
    " ",
  ),
);
/** Control words that stand for text. */
const SHOWN: Readonly<Record<string, string>> = {
  par: "\n\n",
  sect: "\n\n",
  page: "\n\n",
  line: "\n",
  row: "\n",
  tab: " ",
  cell: " ",
  nestcell: " ",
  emdash: "—",
  endash: "–",
  bullet: "•",
  lquote: "‘",
  rquote: "’",
  ldblquote: "“",
  rdblquote: "”",
};
const CODE_PAGES: Readonly<Record<number, string>> = {
  932: "shift_jis",
  936: "gb18030",
  949: "euc-kr",
  950: "big5",
};
/** Deeper groups are no document. */
const MAX_GROUPS = 10_000;

const TOKEN = /[{}]|\\([a-z]+)(-?\d+)? ?|\\'([0-9a-f]{2})|\\([^a-z])|[^\\{}]+/giy;

type Group = { readonly hidden: boolean; readonly skipped: number };

/** The text of an RTF document, a blank line between its paragraphs. @source Microsoft, RTF specification 1.9.1 */
export async function readRtf(bytes: Uint8Array): Promise<ReadPart[]> {
  const source = Buffer.from(bytes).toString("latin1");
  if (!source.startsWith("{\\rtf")) throw new ContentFault("The file is no RTF.");
  const text = textOf(source)
    .split("\n")
    .map((line) => line.replace(/[ \t]+/g, " ").trim())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
  return [{ text, about: {} }];
}

function textOf(source: string): string {
  const parts: string[] = [];
  const outer: Group[] = [];
  let group: Group = { hidden: false, skipped: 1 };
  let decoder = new TextDecoder("windows-1252");
  let encoded: number[] = [];
  /** Characters that follow a Unicode character for readers that know none. */
  let toSkip = 0;
  const flush = () => {
    if (encoded.length > 0) parts.push(decoder.decode(new Uint8Array(encoded)));
    encoded = [];
  };
  const show = (text: string) => {
    const shown = text.slice(toSkip);
    toSkip = Math.max(0, toSkip - text.length);
    if (group.hidden || shown === "") return;
    flush();
    parts.push(shown);
  };
  TOKEN.lastIndex = 0;
  for (let token = TOKEN.exec(source); token !== null; token = TOKEN.exec(source)) {
    const [all, word, number, hex, symbol] = token;
    if (all === "{") {
      if (outer.push(group) > MAX_GROUPS)
        throw new ContentFault("The file has groups in groups without end.");
    } else if (all === "}") {
      flush();
      group = outer.pop() ?? group;
      toSkip = 0;
    } else if (hex !== undefined) {
      if (toSkip > 0) toSkip -= 1;
      else if (!group.hidden) encoded.push(Number.parseInt(hex, 16));
    } else if (word !== undefined) {
      const value = number === undefined ? undefined : Number(number);
      if (HIDDEN.has(word)) group = { ...group, hidden: true };
      else if (word === "ansicpg") decoder = decoderOf(value ?? 1252);
      else if (word === "uc") group = { ...group, skipped: value ?? 1 };
      else if (word === "bin") TOKEN.lastIndex += Math.max(0, value ?? 0);
      else if (word === "u" && value !== undefined) {
        show(String.fromCharCode(value & 0xffff));
        toSkip = group.skipped;
      } else if (SHOWN[word] !== undefined) show(SHOWN[word]);
    } else if (symbol !== undefined) {
      if (symbol === "*") group = { ...group, hidden: true };
      else if (symbol === "~") show("\u00a0");
      else if (symbol === "_") show("-");
      else if (symbol === "\n" || symbol === "\r") show("\n\n");
      else if ("\\{}".includes(symbol)) show(symbol);
    } else show(all.replace(/[\r\n]/g, ""));
  }
  flush();
  return parts.join("");
}

function decoderOf(codePage: number): TextDecoder {
  try {
    return new TextDecoder(CODE_PAGES[codePage] ?? `windows-${codePage}`);
  } catch {
    return new TextDecoder("windows-1252");
  }
}
