import { createHash } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { newContent } from "../../../shared/domain/knowledge/content-plans.ts";
import { connectEmbedder } from "../../../shared/knowledge/embedders/connect-embedder.ts";
import { processContent } from "../../../shared/knowledge/processing/process-content.ts";
import type { ProcessingDeps } from "../../../shared/knowledge/processing/processing-deps.ts";
import { readInProcess } from "../../../shared/knowledge/readers/read-in-process.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import type { StoredContent } from "../../../shared/schemas/knowledge/knowledge-content.ts";
import type { Db } from "../../../shared/stores/db.ts";
import { contentWork, getContent } from "../../../shared/stores/knowledge/content-item.ts";
import { dynamoVectors } from "../../../shared/stores/knowledge/dynamo-vectors.ts";
import { putContent } from "../../../shared/stores/knowledge/put-content.ts";
import { BLOCK_BYTES, putObject } from "../../../shared/stores/objects/object-bytes.ts";
import { breakingDb } from "../../support/breaking-db.ts";
import { auditChunks } from "../../support/chunk-audit.ts";
import { contentWorker } from "../../support/content-worker.ts";
import { type ManualClock, manualClock } from "../../support/manual-clock.ts";
import { startStores, type TestStores } from "../../support/stores.ts";

let stores: TestStores;
let clock: ManualClock;
beforeEach(async () => {
  stores = await startStores();
  clock = manualClock(1_790_000_000_000);
});
afterEach(() => stores.stop());

const address = { knowledge_id: "kb", id: "0b8f2c1e-6f57-5b0e-9a55-4c7ad0d5a111" };
const module = new URL("../../../functions/knowledge-worker/read-process.ts", import.meta.url);
const NEVER = Number.POSITIVE_INFINITY;

const worker = (db: Db, more: Partial<ProcessingDeps> = {}): ProcessingDeps => contentWorker(db, clock, more);

const seen = async (): Promise<StoredContent> => {
  const content = await getContent(stores.db, address);
  if (!content) throw new Error("the content is gone");
  return content;
};

async function upload(text: string, options = {}): Promise<void> {
  const object = await putObject(stores.db, "knowledge/1/", new Uint8Array(Buffer.from(text)));
  const input = {
    kind: "held" as const,
    file: { object, filename: "large.txt", mime_type: "text/plain" },
  };
  const described = { owner: null, name: "large", description: "", type: "text/plain", metadata: null };
  const content = { ...address, ...described, size: text.length, input, options };
  await putContent(stores.db, undefined, newContent(content, epochSeconds(clock)));
}

const sentences = (n: number) =>
  Array.from({ length: n }, (_, i) => `Sentence ${i} says what the one before it did not say. `).join("");
const small = { reader_id: "text", chunker: "FixedSizeChunker", chunk_size: 1_000 };

/** The text of all chunks in their order, without blanks: nothing is lost and nothing is there twice. */
async function whole(): Promise<string> {
  const { live, id } = await seen();
  if (!live) throw new Error("nothing is found");
  const keys = Array.from({ length: live.chunks }, (_, i) => `${id}_${live.hash}_${i + 1}`);
  const chunks = await dynamoVectors(stores.db).get(live.index, keys);
  const texts = new Map(chunks.map(({ key, text }) => [key, text]));
  return keys
    .map((key) => texts.get(key))
    .join("")
    .replace(/\s/g, "");
}

test("a large text shows how far it is, and a worker that dies anywhere loses nothing and doubles nothing", async () => {
  const text = sentences(12_000);
  await upload(text, small);
  const messages: string[] = [];
  // Each worker dies after some writes more than the one before it.
  for (const atWrite of [20, 20, 15, NEVER]) {
    const { db } = breakingDb(stores.db, atWrite, "after", /Transact|Update|BatchWrite/);
    await processContent(worker(db), address, NEVER).catch(() => undefined);
    messages.push((await seen()).status_message);
    clock.advance((contentWork.lease.seconds + 1) * 1000);
  }
  expect(await seen()).toMatchObject({ status: "completed", status_message: "" });
  expect(messages.slice(0, 3)).toEqual(Array(3).fill(expect.stringMatching(/^\d00 of about \d{3} chunks$/)));
  expect(messages.slice(0, 3).toSorted()).toEqual(messages.slice(0, 3));
  expect(await auditChunks(stores.db)).toMatchObject({ missing: [], orphans: [] });
  expect(await whole()).toBe(text.replace(/\s/g, ""));
});

test("a text that a dying worker left behind leaves nothing of it when it then fails", async () => {
  await upload(sentences(12_000), small);
  const { db } = breakingDb(stores.db, 25, "after", /Transact|Update|BatchWrite/);
  await processContent(worker(db), address, NEVER).catch(() => undefined);
  for (let attempt = 0; attempt < 7; attempt += 1) {
    clock.advance(400_000);
    const embed = () => Promise.reject(new Error("429"));
    const embedder = { ...connectEmbedder({ EMBEDDER: "local" }), embed };
    await processContent(worker(stores.db, { embedder }), address, NEVER);
  }
  expect(await seen()).toMatchObject({ status: "failed", stale: [] });
  expect(await auditChunks(stores.db)).toMatchObject({ missing: [], orphans: [] });
});

test("a large file is read as its chunks are written, never far ahead of them", async () => {
  const size = 6 * BLOCK_BYTES;
  // Few words, since each is indexed: what is read ahead is counted in bytes.
  const line = Buffer.from("Incomprehensibilities counterrevolutionaries institutionalizations.\n");
  const block = (from: number, bytes: number) =>
    new Uint8Array(
      Buffer.alloc(bytes + line.length, line).subarray(from % line.length, (from % line.length) + bytes),
    );
  const hash = createHash("sha256");
  for (let from = 0; from < size; from += BLOCK_BYTES) hash.update(block(from, BLOCK_BYTES));
  const object = { key: "large", sha256: hash.digest("hex"), bytes: size };
  let read = 0;
  let mostAhead = 0;
  let written = 0;
  const getRange = async (_key: string, from: number, bytes: number) => {
    read = from + bytes;
    mostAhead = Math.max(mostAhead, read - written);
    return block(from, bytes);
  };
  const db = { ...stores.db, objects: { ...stores.db.objects, getRange } };
  // Nothing is stored here: this is about what the reading holds.
  const vectors = {
    ...dynamoVectors(db),
    put: async (_index: string, chunks: readonly { text: string }[]) => {
      written += chunks.reduce((sum, { text }) => sum + text.length, 0);
    },
  };
  const embedder = {
    ...connectEmbedder({ EMBEDDER: "local" }),
    embed: async (texts: readonly string[]) => texts.map(() => [1]),
  };
  const file = { object, filename: "large.txt", mime_type: "text/plain" };
  const described = { owner: null, name: "large", description: "", type: "text/plain", metadata: null };
  const content = { ...address, ...described, size, input: { kind: "held" as const, file }, options: {} };
  await putContent(db, undefined, newContent(content, epochSeconds(clock)));
  await processContent(worker(db, { vectors, embedder, readFile: readInProcess(module) }), address, NEVER);
  expect(await seen()).toMatchObject({ status: "completed" });
  expect(read).toBe(size);
  expect(mostAhead).toBeLessThan(3 * BLOCK_BYTES);
}, 180_000);
