import { ContentFault } from "../content-fault.ts";
import { htmlText } from "./html-text.ts";
import { parseXml, pathFrom } from "./parse-xml.ts";
import type { Reading, ReadPart } from "./reader.ts";
import { decodedText } from "./text-encoding.ts";
import { unzip } from "./unzip.ts";

const CONTAINER = "META-INF/container.xml";

/**
 * The chapters of a book in the order in which they are read, with their headings.
 *
 * @source W3C EPUB 3.3, sections 4.2.6 (container) and 5 (package document)
 */
export async function readEpub(bytes: Uint8Array, { budget }: Pick<Reading, "budget">): Promise<ReadPart[]> {
  const archive = unzip(bytes, budget);
  if (archive.exists("META-INF/rights.xml"))
    throw new ContentFault("The book is protected against copying, so it cannot be read.");
  let root: string | undefined;
  await parseXml(archive.read(CONTAINER), {
    open: (name, attributes) => {
      if (name === "rootfile") root ??= attributes["full-path"];
    },
  });
  if (root === undefined) throw new ContentFault("The book names no contents.");
  const chapters = await spineOf(archive.read(root), root);
  const parts: ReadPart[] = [];
  for (const path of chapters) {
    if (!archive.exists(path)) continue;
    const { text, heading, title } = await htmlText(await decodedText(archive.read(path)));
    if (text === "") continue;
    const named = heading ?? title;
    parts.push({
      text,
      about: { chapter: parts.length + 1, ...(named !== undefined && { heading: named }) },
    });
  }
  return parts;
}

/** Paths of the documents that are read one after the other. */
async function spineOf(bytes: Uint8Array, root: string): Promise<string[]> {
  const items = new Map<string, string>();
  const order: string[] = [];
  await parseXml(bytes, {
    open: (name, { id = "", href = "", idref = "" }) => {
      if (name === "item") items.set(id, href);
      if (name === "itemref") order.push(idref);
    },
  });
  return order.flatMap((id) => {
    const href = items.get(id);
    return href === undefined ? [] : [pathFrom(root, decoded(href.split("#")[0] ?? ""))];
  });
}

function decoded(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}
