import { describe, expect } from "vitest";
import { ContentFault } from "../../../shared/knowledge/content-fault.ts";
import { readInProcess } from "../../../shared/knowledge/readers/read-in-process.ts";
import type { ReadBatch } from "../../../shared/knowledge/readers/read-parts.ts";
import type { ReadPart } from "../../../shared/knowledge/readers/reader.ts";
import type { ReaderId } from "../../../shared/knowledge/readers/readers.ts";
import { READING_LIMITS } from "../../../shared/knowledge/readers/reading-limits.ts";
import { aDocx, aPdf } from "../../knowledge/sample-files.ts";
import { clientOf } from "../../support/client.ts";
import type { RunningPlatform } from "../../support/platform.ts";
import {
  archiveOfArchives,
  deepJson,
  fourGigabytes,
  lyingArchive,
  manyCells,
  manyElements,
  packedPdf,
  repeatedNames,
  wideSheet,
} from "../../support/poison-files.ts";
import { inBlocks } from "../../support/read-here.ts";
import { test } from "../../support/shared-platform.ts";

const module = new URL("../../../functions/knowledge-worker/read-process.ts", import.meta.url);
/** A small part of the worker's, so that they are soon reached; the platform below has the worker's own. */
const limits = { ...READING_LIMITS, heapMb: 150, bufferMb: 150 };
const readFile = readInProcess(module, limits);
const read = (reader: ReaderId, bytes: Uint8Array) => allParts(readFile(reader, inBlocks(bytes)));

const MB = 1_000_000;
/** What the test's own process may grow by while another process reads: the file, what was read of it, and some room. */
const MOST_GROWTH = 300 * MB;

async function allParts(batches: AsyncIterable<ReadBatch>): Promise<ReadPart[]> {
  const all: ReadPart[] = [];
  for await (const { parts } of batches) all.push(...parts);
  return all;
}

/** What became of a reading, and how much the process grew meanwhile. */
async function outcomeOf(reader: ReaderId, bytes: Uint8Array) {
  const before = process.memoryUsage.rss();
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 20);
  const error = await read(reader, bytes).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  clearInterval(watch);
  return { error, growth: most - before };
}

describe("a file that takes too much", () => {
  const poison: readonly (readonly [what: string, ReaderId, () => Uint8Array, reason: RegExp])[] = [
    ["a document of 4 MB of elements", "docx", () => manyElements(4), /more than 150 MB of memory/],
    ["an archive that lies about its size", "docx", () => lyingArchive(300), /unpacks to more than 50 MB/],
    ["a PDF that unpacks without end", "pdf", () => packedPdf(400), /more than \d+ MB of memory/],
    ["an archive of archives", "zip", () => archiveOfArchives(20, 10), /unpacks to more than 50 MB/],
    [
      "a sheet that repeats long names",
      "excel",
      () => repeatedNames(5_000),
      /more than 50 million characters/,
    ],
    ["lists in lists", "json", () => deepJson(600, 200), /more than|cannot read/],
  ];

  test.each(poison)(
    "%s ends with the limit as its reason, and the process lives",
    async (_what, reader, make, reason) => {
      const bytes = make();
      expect(bytes.length).toBeLessThan(50 * MB);
      const { error, growth } = await outcomeOf(reader, bytes);
      expect(error).toBeInstanceOf(ContentFault);
      expect(String(error)).toMatch(reason);
      expect(growth).toBeLessThan(MOST_GROWTH);
    },
  );

  test("a table of nothing but delimiters has no rows, and is read as it comes", async () => {
    expect(await read("csv", manyCells(20))).toEqual([]);
  });

  test("a sheet of a million empty columns gives what it holds", async () => {
    expect((await read("zip", wideSheet(1_000_000))).map(({ text }) => text)).toEqual(["Wide | 1"]);
  });

  test("an archive that claims to have 4 GB gives what it has", async () => {
    expect((await read("zip", fourGigabytes())).map(({ text }) => text)).toEqual(["small"]);
  });

  test("and one that never ends is stopped after its time", async () => {
    const hasty = readInProcess(module, { ...READING_LIMITS, seconds: 0.2 });
    await expect(allParts(hasty("docx", inBlocks(manyElements(20))))).rejects.toThrow(
      "takes longer than 0.2 s",
    );
  });

  test("a reading that is not wanted any more is stopped", async () => {
    const stop = new AbortController();
    const reading = allParts(readInProcess(module)("docx", inBlocks(manyElements(20)), stop.signal));
    setTimeout(() => stop.abort(new Error("not wanted")), 100);
    await expect(reading).rejects.toThrow("not wanted");
  });
});

test("ordinary files are read in the process as they are without it", async () => {
  expect(await read("docx", aDocx(["Alpha.", "Beta."]))).toMatchObject([
    { text: "Alpha.\n\nBeta.\n\n", about: {} },
  ]);
  expect(await read("pdf", aPdf(["One.", "Two."]))).toMatchObject([
    { text: "One.", about: { page: 1 } },
    { text: "Two.", about: { page: 2 } },
  ]);
  await expect(read("docx", new Uint8Array([1, 2, 3]))).rejects.toThrow("no archive");
  await expect(read("pdf", new Uint8Array([1, 2, 3]))).rejects.toThrow(ContentFault);
  await expect(read("json", new Uint8Array([1, 2, 3]))).rejects.toThrow("no JSON");
});

describe("the platform", () => {
  let platform: RunningPlatform;
  test.beforeAll(({ platform: shared }) => {
    platform = shared;
  });

  test("ends such a content as failed at its first attempt, and continues with the next one", async () => {
    const bytes = manyElements(12);
    expect(bytes.length).toBeLessThan(200_000);
    const { post, get } = clientOf(platform.url, platform.adminToken);
    const add = async (name: string, file: Uint8Array) => {
      const form = new FormData();
      form.set("file", new File([Buffer.from(file)], name));
      return String((await post("/knowledge/content", { form })).json.id);
    };
    const statusOf = async (id: string) => (await get(`/knowledge/content/${id}/status`)).json;
    const poisoned = await add("poison.docx", bytes);
    const plain = await add("plain.docx", aDocx(["Alpha."]));
    await expect
      .poll(async () => (await statusOf(poisoned)).status, { timeout: 90_000, interval: 500 })
      .toBe("failed");
    expect((await statusOf(poisoned)).status_message).toMatch(/more than 1000 MB of memory/);
    await expect.poll(async () => (await statusOf(plain)).status).toBe("completed");
  });
});
