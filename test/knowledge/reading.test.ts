import { describe, expect, test } from "vitest";
import { matchesFilter } from "../../shared/domain/knowledge/matches-filter.ts";
import { chunkerKeys } from "../../shared/knowledge/chunkers/chunker.ts";
import { chunkers } from "../../shared/knowledge/chunkers/chunkers.ts";
import { connectEmbedder } from "../../shared/knowledge/embedders/connect-embedder.ts";
import type { FileToRead } from "../../shared/knowledge/read-chunks.ts";
import { pickReader } from "../../shared/knowledge/readers/pick-reader.ts";
import { readers } from "../../shared/knowledge/readers/readers.ts";
import { isPublicAddress } from "../../shared/outbound/is-public-address.ts";
import { chunksOf, inBlocks } from "../support/read-here.ts";
import { recallAt } from "../support/recall.ts";
import { passages, questions } from "./labelled-set.ts";
import { aDocx, aPdf } from "./sample-files.ts";

const embedder = connectEmbedder({ EMBEDDER: "local" });
const read = (filename: string, content: string | Uint8Array, more: Partial<FileToRead> = {}) => {
  const bytes = typeof content === "string" ? new Uint8Array(Buffer.from(content)) : content;
  return chunksOf({ ...inBlocks(bytes), filename, mime_type: "", options: {}, ...more }, embedder);
};
const textsOf = async (...given: Parameters<typeof read>) => (await read(...given)).map(({ text }) => text);

describe("a reader", () => {
  test.each([
    [
      "by the name that is asked for, however it is written",
      { reader_id: "Field-Labeled CSV Reader", filename: "a.txt", mime_type: "" },
      "FieldLabeledCsvReader",
    ],
    ["by extension", { filename: "A.PDF", mime_type: "text/plain" }, "PdfReader"],
    ["by media type", { filename: "page", mime_type: "text/html; charset=utf-8" }, "WebsiteReader"],
    [
      "plain text where nothing is known",
      { filename: "x.zebra", mime_type: "application/zebra" },
      "TextReader",
    ],
  ])("is picked %s", (_what, facts, name) => {
    expect(readers[pickReader(facts)].name).toBe(name);
  });

  test("of PDF gives its pages", async () => {
    const chunks = await read("a.pdf", aPdf(["Gnus graze.", "Kudus jump."]));
    expect(chunks).toEqual([
      { text: "Gnus graze.", about: { page: 1 } },
      { text: "Kudus jump.", about: { page: 2 } },
    ]);
  });

  test("of Word documents gives their paragraphs", async () => {
    expect(await textsOf("a.docx", aDocx(["Elands eat.", "Nyalas hide."]))).toEqual([
      "Elands eat.\n\nNyalas hide.",
    ]);
  });

  test.each([
    ["PDF", "a.pdf"],
    ["Word document", "a.docx"],
    ["JSON", "a.json"],
  ])("says so where a file is no %s", async (_what, filename) => {
    await expect(read(filename, "no such file")).rejects.toMatchObject({ name: "ContentFault" });
  });

  test("of JSON gives the elements of a list one by one", async () => {
    const chunks = await read("a.json", '[{"name":"Bongo"},"Sitatunga"]');
    expect(chunks.map(({ about }) => about.item)).toEqual([1, 2]);
    expect(chunks[0]?.text).toContain('"Bongo"');
    expect(chunks[1]?.text).toBe("Sitatunga");
  });

  test("of tables puts values under the names of their columns where it is asked to", async () => {
    const options = { reader_id: "field_labeled_csv" };
    expect(await textsOf("a.csv", 'name;colour\n"Puku";"red\nbrown"\n', { options })).toEqual([
      "name: Puku\ncolour: red brown",
    ]);
  });

  test("of text takes what other systems write", async () => {
    const utf16 = new Uint8Array([0xff, 0xfe, ...Buffer.from("Dik-dik", "utf16le")]);
    expect(await textsOf("a.txt", utf16)).toEqual(["Dik-dik"]);
  });
});

describe("a chunker", () => {
  const text = `${"One two three four five. ".repeat(40)}\n\n${"Six seven eight. ".repeat(30)}\n# Not a heading here\n${"x".repeat(300)}`;

  test.each(chunkerKeys.filter((key) => key !== "RowChunker"))(
    "%s keeps to its size and loses nothing",
    async (key) => {
      for (const sizes of [
        { size: 100, overlap: 0 },
        { size: 57, overlap: 13 },
        { size: 1, overlap: 0 },
        { size: 5000, overlap: 10 },
      ]) {
        const chunks = await chunkers[key].cut({ text, about: { page: 1 } }, sizes, embedder.embed);
        for (const chunk of chunks) {
          expect(chunk.text.length).toBeLessThanOrEqual(sizes.size);
          expect(chunk.about.page).toBe(1);
        }
        const letters = (one: string) => one.replace(/\s/g, "");
        const joined = letters(chunks.map((chunk) => chunk.text).join(""));
        if (sizes.overlap === 0) expect(joined).toBe(letters(text));
        else expect(joined.length).toBeGreaterThanOrEqual(letters(text).length);
      }
    },
  );

  test("of Markdown begins a chunk with each heading, and not in code", async () => {
    const markdown = "Intro.\n# One\nText.\n```\n# no heading\n```\n## Two\nMore.";
    const chunks = await read("a.md", markdown);
    expect(chunks.map(({ about }) => about.heading)).toEqual([undefined, "One", "Two"]);
    expect(chunks[1]?.text).toContain("# no heading");
  });

  test("by meaning ends where neighbours are least alike", async () => {
    const options = { reader_id: "text", chunker: "SemanticChunker" };
    const chunks = await textsOf(
      "a.txt",
      "Pumps move water. Pumps need water. Pumps love water. Invoices ask for money. Invoices cost money. Invoices want money.",
      { options },
    );
    expect(chunks.length).toBeGreaterThan(1);
    expect(chunks.some((chunk) => chunk.includes("Pumps") && chunk.includes("Invoices"))).toBe(false);
  });

  test("cuts no character in two", async () => {
    const options = { reader_id: "text", chunker: "FixedSizeChunker", chunk_size: 3 };
    for (const chunk of await textsOf("a.txt", "🐘🐘🐘🐘", { options })) {
      expect(chunk).toMatch(/^(🐘)+$/u);
    }
  });
});

describe("an address", () => {
  test.each(["8.8.8.8", "2606:4700::1111"])("such as %s is public", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test.each([
    "127.0.0.1",
    "10.1.2.3",
    "172.31.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "fe80::1",
    "fc00::1",
    "fd00:ec2::254",
    "::ffff:169.254.169.254",
    "64:ff9b::a00:1",
    "2002:7f00:1::",
    "2001::1",
    "2001:db8::1",
    "not an address",
  ])("such as %s is not", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe("a filter", () => {
  const metadata = { n: 3, s: "pump", list: ["a", "b"], on: true };
  test.each([
    [{ op: "EQ", key: "n", value: 3 }, true],
    [{ op: "EQ", key: "n", value: "3" }, false],
    [{ op: "EQ", key: "list", value: "b" }, true],
    [{ op: "NEQ", key: "zebra", value: 1 }, true],
    [{ op: "GTE", key: "n", value: 3 }, true],
    [{ op: "LT", key: "n", value: "4" }, false],
    [{ op: "CONTAINS", key: "s", value: "um" }, true],
    [{ op: "CONTAINS", key: "list", value: "a" }, true],
    [{ op: "STARTSWITH", key: "s", value: "um" }, false],
    [{ op: "IN", key: "n", values: [1, 3] }, true],
    [{ op: "NOT", condition: { op: "EQ", key: "on", value: true } }, false],
    [{ op: "EQ", key: "constructor", value: 1 }, false],
  ] as const)("%j", (filter, expected) => {
    expect(matchesFilter(metadata, filter as Parameters<typeof matchesFilter>[1])).toBe(expected);
  });
});

test("the local embedder finds what a question asks for among the first five", async () => {
  const { recall, missed } = await recallAt(5, embedder, passages, questions);
  expect(missed.length, missed.join(" ")).toBeLessThanOrEqual(2);
  expect(recall).toBeGreaterThanOrEqual(0.9);
});
