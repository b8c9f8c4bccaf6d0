import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { connectEmbedder } from "../../shared/knowledge/embedders/connect-embedder.ts";
import { chunksOf, inBlocks } from "../support/read-here.ts";
import { aBook, aMail, anOpenDocument, aPresentation, aWorkbook } from "./sample-documents.ts";
import { aDocx, aPdf, aZip } from "./sample-files.ts";

const embedder = connectEmbedder({ EMBEDDER: "local" });
const bytesOf = (text: string, encoding: BufferEncoding = "utf8") =>
  new Uint8Array(Buffer.from(text, encoding));
type More = { readonly mime_type?: string; readonly options?: object; readonly blockBytes?: number };
const read = (filename: string, bytes: Uint8Array, { blockBytes, ...more }: More = {}) =>
  chunksOf({ ...inBlocks(bytes, blockBytes), filename, mime_type: "", options: {}, ...more }, embedder);
const textOf = async (...given: Parameters<typeof read>) =>
  (await read(...given)).map(({ text }) => text).join("\n");

const cell = (name: string, text: string, type = "inlineStr") =>
  type === "inlineStr"
    ? `<c r="${name}" t="inlineStr"><is><t>${text}</t></is></c>`
    : `<c r="${name}" ${type}><v>${text}</v></c>`;

describe("a workbook", () => {
  const styles = `<styleSheet><numFmts><numFmt numFmtId="170" formatCode="dd\\.mm\\.yyyy"/></numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="170"/><xf numFmtId="10"/></cellXfs></styleSheet>`;
  const rows = [
    `<row>${cell("A1", "0", 't="s"')}${cell("B1", "Born")}${cell("D1", "Share")}</row>`,
    `<row>${cell("A2", "1", 't="s"')}${cell("B2", "46085", 's="1"')}${cell("C2", "")}${cell("D2", "0.255", 's="2"')}</row>`,
    "<row/>",
    `<row>${cell("A4", "Kob &amp; Co")}${cell("D4", "0.30000000000000004", "")}</row>`,
  ].join("");

  test("gives its rows with the names of sheet and columns, dates as dates", async () => {
    const chunks = await read("a.xlsx", aWorkbook({ Herd: rows, Empty: "" }, ["Name", "Puku"], styles));
    expect(chunks).toEqual([
      { text: "Herd | Name, Born, Share", about: { sheet: "Herd", row_number: 1 } },
      { text: "Herd | Name: Puku, Born: 2026-03-04, Share: 25.5%", about: { sheet: "Herd", row_number: 2 } },
      { text: "Herd | Name: Kob & Co, Share: 0.3", about: { sheet: "Herd", row_number: 3 } },
    ]);
  });

  test("is one whatever it is called, also when it is declared as text", async () => {
    const bytes = aWorkbook({ Herd: rows }, ["Name", "Puku"], styles);
    for (const name of ["a", "a.txt", "a.pdf", "a.zip"])
      expect(await textOf(name, bytes, { mime_type: "text/plain" })).toContain("Name: Puku");
  });
});

test("a presentation gives its slides with their numbers, titles and notes", async () => {
  const slides = aPresentation(
    [
      ["Gnus", "They graze."],
      ["Kudus", "They jump."],
    ],
    "Wave here",
  );
  expect(await read("a.pptx", slides)).toEqual([
    { text: "Slide 1\nGnus\nThey graze.\n\nNotes:\nWave here", about: { slide: 1, title: "Gnus" } },
    { text: "Slide 2\nKudus\nThey jump.", about: { slide: 2, title: "Kudus" } },
  ]);
});

test("a book gives its chapters in the order in which they are read, with their headings", async () => {
  const book = aBook([
    "<html><body><h1>The end</h1><p>Over.</p></body></html>",
    "<html><head><title>T</title></head><body><p>Once.</p></body></html>",
  ]);
  expect(await read("a.epub", book)).toEqual([
    { text: "Once.", about: { chapter: 1, heading: "T" } },
    { text: "The end\n\nOver.", about: { chapter: 2, heading: "The end" } },
  ]);
});

describe("OpenDocument", () => {
  test("texts give their sections, without what was deleted", async () => {
    const body = `<office:text><text:tracked-changes><text:p>Gone.</text:p></text:tracked-changes><text:p>Intro<text:s/>here.</text:p><text:h>One</text:h><text:p>Oryx <text:span>run</text:span>.</text:p></office:text>`;
    expect(await read("a.odt", anOpenDocument("text", body))).toEqual([
      { text: "Intro here.", about: {} },
      { text: "One\n\nOryx run.", about: { heading: "One" } },
    ]);
  });

  test("workbooks give their rows, and repeated cells cost nothing", async () => {
    const one = (text: string) => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`;
    const body = `<table:table table:name="Herd"><table:table-row>${one("Name")}${one("Legs")}</table:table-row><table:table-row>${one("Oryx")}<table:table-cell office:value-type="float"><text:p>4</text:p></table:table-cell><table:table-cell table:number-columns-repeated="16000"/></table:table-row><table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table>`;
    expect(await read("a.ods", anOpenDocument("spreadsheet", body))).toEqual([
      { text: "Herd | Name, Legs", about: { sheet: "Herd", row_number: 1 } },
      { text: "Herd | Name: Oryx, Legs: 4", about: { sheet: "Herd", row_number: 2 } },
    ]);
  });

  test("presentations give their slides", async () => {
    const body = `<office:presentation><draw:page draw:name="p1"><text:p>Hi</text:p></draw:page><draw:page draw:name="p2"><text:p>Ho</text:p></draw:page></office:presentation>`;
    expect((await read("a.odp", anOpenDocument("presentation", body))).map(({ about }) => about)).toEqual([
      { slide: 1 },
      { slide: 2 },
    ]);
  });
});

test("RTF gives its paragraphs, in any of its encodings, without fonts and pictures", async () => {
  const rtf = String.raw`{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}{\*\generator X;}Gr\'fc\'dfe \u8364?5 {\b bold}\par{\pict 00ff}Two\tab{}cells\emdash end\{\}}`;
  expect(await textOf("a", bytesOf(rtf))).toBe("Grüße €5 bold\n\nTwo cells—end{}");
  const japanese = String.raw`{\rtf1\ansicpg932 \'93\'fa\'96\'7b}`;
  expect(await textOf("a.rtf", bytesOf(japanese))).toBe("日本");
});

describe("a mail", () => {
  const mail = aMail("Gnus <b>graze</b>.", {
    "prices.xlsx": ["application/octet-stream", aWorkbook({ Prices: `<row>${cell("A1", "Puku")}</row>` })],
    "note.txt": ["text/plain", bytesOf("Remember the kudus.")],
    "logo.png": ["image/png", bytesOf("\x89PNG\r\n\x1a\n", "latin1")],
  });

  test("gives subject, sender, receivers and date, its text, and attachments that can be read", async () => {
    for (const name of ["a.eml", "a"]) {
      const [body, ...attached] = await read(name, mail);
      expect(body?.text).toBe(
        "Subject: Grüße from the herd\nFrom: Ana Müller <ana@example.com>\nTo: bo@example.com\nDate: 2026-03-02T09:15:00.000Z\n\nGnus graze.",
      );
      expect(body?.about).toMatchObject({ subject: "Grüße from the herd", date: "2026-03-02T09:15:00.000Z" });
      expect(attached.map(({ text, about }) => [about.attachment, text])).toEqual([
        ["prices.xlsx", "Prices | Puku"],
        ["note.txt", "Remember the kudus."],
      ]);
    }
  });
});

describe("an archive", () => {
  test("gives its files, each as its own reader does, with their paths", async () => {
    const archive = aZip({
      "docs/a.docx": aDocx(["Elands eat."]),
      "b.csv": "name;colour\nPuku;red",
      "__MACOSX/b.csv": "no",
      "docs/": "",
      "inner.zip": aZip({ "c.md": "# See\nKudus." }),
      "d.png": bytesOf("\x89PNG", "latin1"),
    });
    expect(
      (await read("a.zip", archive)).map(({ text, about }) => [about.file, text, about.row_number]),
    ).toEqual([
      ["docs/a.docx", "Elands eat.", undefined],
      ["b.csv", "name, colour", 1],
      ["b.csv", "Puku, red", 2],
      ["c.md", "# See\nKudus.", undefined],
    ]);
  });

  test("whose files are all of kinds that are not read says which", async () => {
    const archive = aZip({ "a.png": bytesOf("\x89PNG", "latin1"), "b.bin": bytesOf("a\0b") });
    await expect(read("a.zip", archive)).rejects.toThrow(
      "Nothing could be read: a.png (The file cannot be read as text: it is a picture (PNG)); b.bin (The file cannot be read as text: it is binary, of a kind that is not read).",
    );
  });

  test("within archives without end is refused", async () => {
    let archive = aZip({ "a.txt": "deep" });
    for (let depth = 0; depth < 5; depth += 1) archive = aZip({ "a.zip": archive });
    await expect(read("a.zip", archive)).rejects.toThrow("more than 3 deep");
  });
});

describe("what cannot be read says why:", () => {
  const latin1 = (text: string) => bytesOf(text, "latin1");
  test.each([
    ["a picture", "a.png", latin1("\x89PNG\r\n\x1a\n\0\0"), "a picture (PNG)"],
    ["a picture that is called text", "a.txt", latin1("\xff\xd8\xff\xe0\0"), "a picture (JPEG)"],
    ["an old workbook", "a.xls", latin1("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), "older Office document"],
    ["what gzip packed", "a.txt", new Uint8Array(gzipSync("text")), "packed by gzip"],
    ["bytes of no kind", "a.md", latin1("ab\0\x01\x02cd"), "it is binary"],
    ["a PDF of pictures", "a.pdf", aPdf([""]), "its pages are pictures"],
    ["an archive without files", "a.zip", aZip({}), "has no files"],
    ["an empty file", "a.txt", new Uint8Array(), "The file is empty."],
    ["a text without letters", "a.txt", latin1(" \n "), "the file has no text"],
  ])("%s", async (_what, name, bytes, reason) => {
    await expect(read(name, bytes, { mime_type: "text/plain" })).rejects.toMatchObject({
      name: "ContentFault",
      message: expect.stringContaining(reason),
    });
  });

  test("a PDF for which the reader of text is requested", async () => {
    await expect(read("a.txt", aPdf(["x"]), { options: { reader_id: "text" } })).rejects.toThrow(
      "cannot be read by TextReader: it is a PDF",
    );
  });

  test("a text that turns out to be none behind its beginning", async () => {
    const bytes = latin1(`${"a ".repeat(60_000)}\0\0`);
    await expect(read("a.txt", bytes, { blockBytes: 70_000 })).rejects.toThrow("The file is no text");
  });
});

describe("text", () => {
  const german =
    "Die Größe der Tür beträgt drei Meter. Über die Straße führen grüne Wege, so daß man träumen könnte.";
  const japanese = "これは日本語のテキストです。動物園にはたくさんの動物がいます。";
  const chinese = "这是一个中文文本。动物园里有许多动物，孩子们非常喜欢看大熊猫。";
  /** As `iconv` writes them. */
  const shiftJis = Buffer.from(
    "grGC6oLNk/qWe4zqgsyDZYNMg1iDZ4LFgreBQpOulaiJgILJgs2CvYKtgrOC8YLMk66VqIKqgqKC3IK3gUI=",
    "base64",
  );

  test.each([
    ["Windows-1252", new Uint8Array(Buffer.from(german, "latin1")), german],
    ["UTF-16 without a mark", new Uint8Array(Buffer.from(german, "utf16le")), german],
    ["UTF-16 BE without a mark", new Uint8Array(Buffer.from(german, "utf16le").swap16()), german],
    ["UTF-16 BE with a mark", new Uint8Array(Buffer.from(`\ufeff${german}`, "utf16le").swap16()), german],
    ["UTF-8 with a mark", new Uint8Array(Buffer.from(`\ufeff${german}`)), german],
    ["Shift_JIS", new Uint8Array(shiftJis), japanese],
    ["GB18030", gb18030(chinese), chinese],
  ])("in %s is read as it was meant", async (_what, bytes, text) => {
    expect(await textOf("a.txt", bytes)).toBe(text);
    expect((await textOf("a.txt", bytes, { blockBytes: 7_001 })).replaceAll(" ", "")).toBe(
      text.replaceAll(" ", ""),
    );
  });

  test("begins as ASCII and decides on its encoding with its first other letter", async () => {
    const bytes = new Uint8Array(Buffer.from(`${"plain ".repeat(20_000)}${german}`, "latin1"));
    expect(await textOf("a.txt", bytes, { blockBytes: 100_000 })).toContain("Größe");
  });

  test("of pages is in the encoding that the page names", async () => {
    const page = new Uint8Array([
      ...Buffer.from('<html><head><meta charset="Shift_JIS"></head><body>'),
      ...shiftJis,
    ]);
    expect(await textOf("page", page)).toBe(japanese);
  });

  test("is the same in blocks of any size, and keeps its rows counted", async () => {
    const table = bytesOf(
      `name,n\n${Array.from({ length: 60_000 }, (_, i) => `größe ${i},${i}`).join("\n")}\n`,
    );
    const whole = await read("a.csv", table);
    expect(whole).toHaveLength(60_001);
    expect(whole.at(-1)).toEqual({ text: "größe 59999, 59999", about: { row_number: 60_001 } });
    expect(await read("a.csv", table, { blockBytes: 99_991 })).toEqual(whole);
    const prose = bytesOf(`${"Ein Absatz über Größe. ".repeat(9)}\n\n`.repeat(5_000));
    const chunks = await read("a.txt", prose);
    expect(await read("a.txt", prose, { blockBytes: 99_991 })).toEqual(chunks);
    expect(
      chunks
        .map(({ text }) => text)
        .join("")
        .replace(/\s/g, ""),
    ).toBe(Buffer.from(prose).toString().replace(/\s/g, ""));
  });
});

/** By the table that `TextDecoder` has: there is no encoder. */
function gb18030(text: string): Uint8Array {
  const decoder = new TextDecoder("gb18030");
  const codes = new Map<string, readonly number[]>();
  for (let first = 0x81; first < 0xff; first += 1)
    for (let second = 0x40; second < 0xff; second += 1)
      codes.set(decoder.decode(new Uint8Array([first, second])), [first, second]);
  return new Uint8Array([...text].flatMap((one) => codes.get(one) ?? [one.charCodeAt(0)]));
}
