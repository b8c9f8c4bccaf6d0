import { deflateRawSync, deflateSync } from "node:zlib";
import { DEFLATED, zipArchive } from "./zip-archive.ts";

/** Files that take far more to be read than to be sent. They are made when they are needed. */

type Packed = {
  readonly body: Buffer;
  /** What the archive claims that it unpacks to. */
  readonly claimedBytes: number;
};

/** An archive of deflated files with any claim about their sizes. */
const anArchive = (files: Readonly<Record<string, Packed>>): Uint8Array =>
  zipArchive(
    Object.entries(files).map(([name, { body, claimedBytes }]) => ({
      ...{ name, body, method: DEFLATED, checksum: 0, size: claimedBytes },
    })),
  );

const TYPES = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`;
const RELATIONS = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`;

/** A Word document with this XML between its first and its last paragraph. @param claimedBytes of its main part */
function aDocument(xml: string, claimedBytes?: number): Uint8Array {
  const body = `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${xml}</w:body></w:document>`;
  const packed = (text: string): Packed => ({
    body: deflateRawSync(text, { level: 9 }),
    claimedBytes: Buffer.byteLength(text),
  });
  const document = packed(body);
  return anArchive({
    "[Content_Types].xml": packed(TYPES),
    "_rels/.rels": packed(RELATIONS),
    "word/document.xml": { ...document, claimedBytes: claimedBytes ?? document.claimedBytes },
  });
}

/** Well-formed XML, of which every few bytes become an object: memory is what it takes. */
export const manyElements = (megabytes: number): Uint8Array => {
  const element = "<w:p><w:r><w:t>a</w:t></w:r></w:p>";
  return aDocument(element.repeat((megabytes * 1e6) / element.length));
};

/** Far more than is allowed, in an archive that claims a kilobyte. */
export const lyingArchive = (megabytes: number): Uint8Array =>
  aDocument(`<w:p><w:r><w:t>${"a".repeat(megabytes * 1e6)}</w:t></w:r></w:p>`, 1_000);

/** An archive of archives, each of which unpacks to so much. */
export function archiveOfArchives(archives: number, megabytes: number): Uint8Array {
  const inner = anArchive({ "a.txt": packedZeros(megabytes) });
  const packed = { body: deflateRawSync(inner, { level: 9 }), claimedBytes: inner.length };
  return anArchive(Object.fromEntries(Array.from({ length: archives }, (_, i) => [`${i}.zip`, packed])));
}

/** An archive with a file that claims to have as much as a size of 32 bits can say. */
export const fourGigabytes = (): Uint8Array =>
  anArchive({ "a.txt": { body: deflateRawSync("small"), claimedBytes: 0xffff_ffff } });

const packedZeros = (megabytes: number): Packed => ({
  body: deflateRawSync(Buffer.alloc(megabytes * 1e6, "0 "), { level: 9 }),
  claimedBytes: 1_000,
});

/** A workbook with a sheet of this XML. */
function aWorkbook(rows: string): Uint8Array {
  const packed = (text: string): Packed => ({ body: deflateRawSync(text), claimedBytes: text.length });
  return anArchive({
    "xl/workbook.xml": packed(`<workbook><sheets><sheet name="Wide" r:id="a"/></sheets></workbook>`),
    "xl/_rels/workbook.xml.rels": packed(
      `<Relationships><Relationship Id="a" Type="x/worksheet" Target="sheet.xml"/></Relationships>`,
    ),
    "xl/sheet.xml": packed(`<worksheet><sheetData>${rows}</sheetData></worksheet>`),
  });
}

/** A row of empty cells, in as many columns as are asked for, and one that holds something. */
export const wideSheet = (columns: number): Uint8Array =>
  aWorkbook(`<row>${"<c/>".repeat(columns)}<c><v>1</v></c></row>`);

/** Rows that repeat the long names of their columns: a megabyte becomes as many as there are rows. */
export const repeatedNames = (rows: number): Uint8Array => {
  const name = "x".repeat(30_000);
  const names = ["A", "B"].map((column) => `<c r="${column}1" t="inlineStr"><is><t>${name}</t></is></c>`);
  return aWorkbook(`<row>${names.join("")}</row>${'<row><c r="A2"><v>1</v></c></row>'.repeat(rows)}`);
};

/** A PDF whose page is a stream of nothing, packed twice. */
export function packedPdf(megabytes: number): Uint8Array {
  const content = deflateSync(deflateSync(Buffer.alloc(megabytes * 1e6, "0 0 m\n"), { level: 9 }), {
    level: 9,
  });
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R >>",
  ].map((object) => Buffer.from(object));
  const stream = Buffer.concat([
    Buffer.from(`<< /Length ${content.length} /Filter [/FlateDecode /FlateDecode] >>\nstream\n`),
    content,
    Buffer.from("\nendstream"),
  ]);
  const parts: Buffer[] = [Buffer.from("%PDF-1.4\n")];
  const offsets: number[] = [];
  let at = parts[0]?.length ?? 0;
  for (const [i, object] of [...objects, stream].entries()) {
    offsets.push(at);
    const part = Buffer.concat([Buffer.from(`${i + 1} 0 obj\n`), object, Buffer.from("\nendobj\n")]);
    parts.push(part);
    at += part.length;
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  parts.push(
    Buffer.from(
      `xref\n0 5\n0000000000 65535 f \n${table}trailer\n<< /Size 5 /Root 1 0 R >>\nstartxref\n${at}\n%%EOF`,
    ),
  );
  return new Uint8Array(Buffer.concat(parts));
}

/** Rows of nothing but delimiters: every byte becomes a cell. */
export const manyCells = (megabytes: number): Uint8Array =>
  new Uint8Array(Buffer.from(`${",".repeat(999)}\n`.repeat(megabytes * 1_000)));

/** Lists in lists, which grow by their indentation when they are written out. */
export const deepJson = (depth: number, times: number): Uint8Array =>
  new Uint8Array(
    Buffer.from(
      `[${Array(times)
        .fill("[".repeat(depth) + "]".repeat(depth))
        .join(",")}]`,
    ),
  );
