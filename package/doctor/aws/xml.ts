import { parseXml } from "../../../shared/knowledge/reading.ts";

type Element = { readonly name: string; text: string; readonly children: Element[] };

/** An entry of a list in an answer: its texts by their names, and the lists that it holds. */
export type XmlEntry = {
  readonly text: (name: string) => string | undefined;
  readonly list: (name: string) => readonly XmlEntry[];
};

/** Reads an answer of AWS's query protocol, whose lists are elements of `member`. */
export async function readXml(bytes: Uint8Array): Promise<XmlEntry> {
  const root: Element = { name: "", text: "", children: [] };
  const open = [root];
  await parseXml(bytes, {
    open(name) {
      const element: Element = { name, text: "", children: [] };
      open.at(-1)?.children.push(element);
      open.push(element);
    },
    close: () => void open.pop(),
    text(text) {
      const within = open.at(-1);
      if (within) within.text += text;
    },
  });
  return entryOf(root);
}

const entryOf = (element: Element): XmlEntry => ({
  text: (name) => find(element, name)?.text.trim(),
  list: (name) => (find(element, name)?.children ?? []).map(entryOf),
});

/** The nearest descendant with this name, level by level. */
function find(within: Element, name: string): Element | undefined {
  for (let level = within.children; level.length > 0; level = level.flatMap(({ children }) => children)) {
    const found = level.find((child) => child.name === name);
    if (found) return found;
  }
  return undefined;
}
