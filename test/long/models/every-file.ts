import { readFileSync } from "node:fs";
import { modelsDocPath } from "../../../scripts/models-doc.ts";
import { acceptedTypes } from "../../../shared/domain/runs/media-types.ts";
import { aPresentation, aWorkbook } from "../../knowledge/sample-documents.ts";
import { aDocx, aPdf, aZip } from "../../knowledge/sample-files.ts";

/** What stands in every file that a reader reads. */
export const SAID = "The ferry leaves at nine.";

export type SampleFile = {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
};

const OFFICE = "application/vnd.openxmlformats-officedocument";
const pictures: Readonly<Record<string, string>> = {
  png: "89504e470d0a1a0a",
  jpeg: "ffd8ff",
  jpg: "ffd8ff",
  gif: "474946383961",
  webp: "524946460000000057454250",
};
const documents: Readonly<Record<string, () => Uint8Array | string>> = {
  "application/pdf": () => aPdf([SAID]),
  "application/json": () => JSON.stringify({ said: SAID }),
  "application/zip": () => aZip({ "inner.txt": SAID }),
  "application/x-zip-compressed": () => aZip({ "inner.md": SAID }),
  "text/rtf": () => `{\\rtf1 ${SAID}}`,
  "application/rtf": () => `{\\rtf1\\ansi ${SAID}}`,
  [`${OFFICE}.wordprocessingml.document`]: () => aDocx([SAID]),
  [`${OFFICE}.presentationml.presentation`]: () => aPresentation([["Ferry", SAID]], "Bring a coat."),
  [`${OFFICE}.spreadsheetml.sheet`]: () =>
    aWorkbook({ Ferry: `<row><c r="A1" t="inlineStr"><is><t>${SAID}</t></is></c></row>` }),
};

/** A file of each type that a run accepts. */
export const everyFile: readonly SampleFile[] = acceptedTypes.map((type, at) => {
  const [family = "", subtype = ""] = type.split("/");
  const content =
    family === "image"
      ? Buffer.concat([Buffer.from(pictures[subtype] ?? "", "hex"), Buffer.from(type)])
      : Buffer.from(documents[type]?.() ?? `${SAID} (${type})`);
  return { name: `file-${at}`, type, bytes: content };
});

/** The table in docs/models.md: by type, what the model of each provider is given. */
export function documentedFiles(): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const [, table = ""] = readFileSync(modelsDocPath, "utf8").split("## Files");
  const [head = [], , ...rows] = table
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) => line.split("|").map((cell) => cell.trim()));
  return Object.fromEntries(
    rows.map(([, type = "", ...cells]) => [
      type,
      Object.fromEntries(cells.flatMap((cell, at) => (head[at + 2] ? [[head[at + 2] ?? "", cell]] : []))),
    ]),
  );
}
