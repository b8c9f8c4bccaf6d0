import { ContentFault } from "../content-fault.ts";
import { parseXml, pathFrom, relationsOf } from "./parse-xml.ts";
import type { Reading, ReadPart } from "./reader.ts";
import { type Unzipped, unzip } from "./unzip.ts";

const PRESENTATION = "ppt/presentation.xml";

/**
 * The slides of a presentation in their order, with their speaker notes.
 *
 * @source ECMA-376 part 1, section 19 (PresentationML)
 */
export async function readPptx(bytes: Uint8Array, { budget }: Pick<Reading, "budget">): Promise<ReadPart[]> {
  const archive = unzip(bytes, budget);
  const relations = await relationsFor(archive, PRESENTATION);
  const paths: string[] = [];
  await parseXml(archive.read(PRESENTATION), {
    open: (name, attributes) => {
      const relation = name === "sldId" ? relations.get(attributes["r:id"] ?? "") : undefined;
      if (relation) paths.push(pathFrom(PRESENTATION, relation.target));
    },
  });
  if (paths.length === 0) throw new ContentFault("The presentation has no slides.");
  const parts: ReadPart[] = [];
  for (const [i, path] of paths.entries())
    if (archive.exists(path)) parts.push(await slideOf(archive, path, i + 1));
  return parts;
}

async function slideOf(archive: Unzipped, path: string, slide: number): Promise<ReadPart> {
  const { title, lines } = await paragraphsOf(archive.read(path));
  const relations = await relationsFor(archive, path);
  const notes = [...relations.values()].find(({ type }) => type === "notesSlide");
  const notesPath = notes && pathFrom(path, notes.target);
  const spoken =
    notesPath !== undefined && archive.exists(notesPath)
      ? (await paragraphsOf(archive.read(notesPath))).lines
      : [];
  if (lines.length + spoken.length === 0) return { text: "", about: { slide } };
  const text = [`Slide ${slide}`, ...lines, ...(spoken.length > 0 ? ["", "Notes:", ...spoken] : [])].join(
    "\n",
  );
  return { text, about: { slide, ...(title !== undefined && { title }) } };
}

async function relationsFor(archive: Unzipped, path: string) {
  const at = path.lastIndexOf("/") + 1;
  const relations = `${path.slice(0, at)}_rels/${path.slice(at)}.rels`;
  return relationsOf(archive.exists(relations) ? archive.read(relations) : new Uint8Array());
}

/** Placeholders that repeat what is known: numbers, dates and footers of slides. */
const REPEATED = new Set(["sldNum", "dt", "ftr", "hdr", "sldImg"]);

/** The paragraphs of all shapes of a slide, and its title. */
async function paragraphsOf(bytes: Uint8Array): Promise<{ title: string | undefined; lines: string[] }> {
  const lines: string[] = [];
  let title: string | undefined;
  let [line, isText, placeholder] = ["", false, ""];
  await parseXml(bytes, {
    open: (name, { type = "body" }) => {
      if (name === "sp") placeholder = "";
      if (name === "ph") placeholder = type;
      if (name === "p") line = "";
      if (name === "br" || name === "tab") line += " ";
      isText = name === "t";
    },
    text: (piece) => {
      if (isText) line += piece;
    },
    close: (name) => {
      if (name === "t") isText = false;
      const text = line.replace(/\s+/g, " ").trim();
      if (name !== "p" || text === "" || REPEATED.has(placeholder)) return;
      if (placeholder === "title" || placeholder === "ctrTitle") title ??= text;
      lines.push(text);
      line = "";
    },
  });
  return { title, lines };
}
