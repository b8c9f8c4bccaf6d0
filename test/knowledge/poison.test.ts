import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ContentFault } from "../../shared/knowledge/content-fault.ts";
import { readInThread } from "../../shared/knowledge/readers/read-in-thread.ts";
import type { ReaderId } from "../../shared/knowledge/readers/readers.ts";
import { READING_LIMITS } from "../../shared/knowledge/readers/reading-limits.ts";
import { clientOf } from "../support/client.ts";
import { startPlatform, type TestPlatform } from "../support/platform.ts";
import { deepJson, lyingArchive, manyCells, manyElements, packedPdf } from "../support/poison-files.ts";
import { aDocx, aPdf } from "./sample-files.ts";

const thread = new URL("../../functions/knowledge-worker/read-thread.ts", import.meta.url);
/** A small part of the worker's, so that they are soon reached; the platform below has the worker's own. */
const limits = { ...READING_LIMITS, heapMb: 150, bufferMb: 150 };
const read = readInThread(thread, limits);

const MB = 1_000_000;
/** What the test's own process may grow by while a thread reads: its limits, the file, and some room. */
const MOST_GROWTH = (limits.heapMb + limits.bufferMb + 300) * MB;

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

describe("a file that takes too much", { timeout: 120_000 }, () => {
  const poison: readonly (readonly [what: string, ReaderId, () => Uint8Array, reason: RegExp])[] = [
    ["a document of 4 MB of elements", "docx", () => manyElements(4), /more than 150 MB of memory/],
    ["an archive that lies about its size", "docx", () => lyingArchive(300), /unpacks to more than 50 MB/],
    ["a PDF that unpacks without end", "pdf", () => packedPdf(400), /more than \d+ MB of memory/],
    ["a table of delimiters", "csv", () => manyCells(20), /more than/],
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

  test("and one that never ends is stopped after its time", async () => {
    const hasty = readInThread(thread, { ...READING_LIMITS, seconds: 0.2 });
    await expect(hasty("docx", manyElements(20))).rejects.toThrow("takes longer than 0.2 s");
  });

  test("a reading that nobody wants any more is stopped", async () => {
    const stop = new AbortController();
    const reading = readInThread(thread)("docx", manyElements(20), stop.signal);
    setTimeout(() => stop.abort(new Error("not wanted")), 100);
    await expect(reading).rejects.toThrow("not wanted");
  });
});

test("ordinary files are read in the thread as they are without it", async () => {
  expect(await read("docx", aDocx(["Alpha.", "Beta."]))).toEqual([
    { text: "Alpha.\n\nBeta.\n\n", about: {} },
  ]);
  expect(await read("pdf", aPdf(["One.", "Two."]))).toEqual([
    { text: "One.", about: { page: 1 } },
    { text: "Two.", about: { page: 2 } },
  ]);
  await expect(read("docx", new Uint8Array([1, 2, 3]))).rejects.toThrow("no archive");
  await expect(read("pdf", new Uint8Array([1, 2, 3]))).rejects.toThrow(ContentFault);
  await expect(read("json", new Uint8Array([1, 2, 3]))).rejects.toThrow("no JSON");
});

describe("the platform", { timeout: 120_000 }, () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startPlatform();
  });
  afterAll(() => platform.stop());

  test("ends such a content as failed at its first attempt, and goes on with the next one", async () => {
    const bytes = manyElements(20);
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
    await expect.poll(async () => (await statusOf(plain)).status, { timeout: 30_000 }).toBe("completed");
  });
});
