import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  visit,
} from "yaml";

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

/**
 * Reads the part of YAML in which a text has one reading: mappings, lists and scalars in blocks. What YAML has beside that,
 * such as `{…}`, `[…]`, anchors, tags and keys that repeat, is refused, as the reference reader of the format does.
 *
 * @throws YamlFault
 */
export function readStrictYaml(text: string): StrictValue {
  const lines = new LineCounter();
  const lineAt = (offset = 0): number => lines.linePos(offset).line;
  const { contents, errors, warnings } = parseDocument(text, {
    schema: "failsafe",
    lineCounter: lines,
    prettyErrors: false,
    keepSourceTokens: true,
  });
  visit(contents, {
    Node: (_, node) => {
      const refused = refusalOf(node);
      if (refused !== undefined) throw new YamlFault(refused, lineAt(node.range?.[0]));
    },
    Pair: (_, pair) => {
      if (hasPlainKey(pair)) return;
      throw new YamlFault(NO_KEY, lineAt(pair.srcToken?.start[0]?.offset));
    },
  });
  const [fault] = [...errors, ...warnings];
  if (fault) throw new YamlFault(fault.message, lineAt(fault.pos[0]));
  return strictValueOf(contents, lineAt);
}

const NO_KEY = "it is neither `key: value` nor part of the value above";

/** A key that is a text before its colon; YAML also has keys after `?`, and none at all. */
const hasPlainKey = ({ key, srcToken }: Pair): boolean =>
  isScalar(key) && key.value !== "" && !srcToken?.start.some(({ type }) => type === "explicit-key-ind");

function refusalOf(node: Node): string | undefined {
  if (isSeq(node) && node.flow) return "lists in brackets are not read; write one item a line, after a dash";
  if (isMap(node) && node.flow) return "mappings in braces are not read; write one key a line";
  if (isAlias(node)) return "aliases are not read";
  if (node.anchor !== undefined) return "anchors are not read";
  return node.tag === undefined ? undefined : "tags are not read; put a text with this beginning in quotes";
}

function strictValueOf(node: unknown, lineAt: (offset?: number) => number): StrictValue {
  if (isSeq(node)) return node.items.map((item) => strictValueOf(item, lineAt));
  if (isMap(node)) return new Map(node.items.map((pair) => entryOf(pair, lineAt)));
  return isScalar(node) ? String(node.value) : "";
}

function entryOf({ key, value }: Pair, lineAt: (offset?: number) => number): [string, StrictEntry] {
  const line = isScalar(key) ? lineAt(key.range?.[0]) : 1;
  return [String(isScalar(key) ? key.value : ""), { value: strictValueOf(value, lineAt), line }];
}
