/**
 * Ingests one file of text in a process of its own, against real tables, and prints the memory that it took: it must not
 * grow with the file. The time is that of the local vector store.
 * `node bench/large-text.ts [--megabytes 20,200]`.
 */
import { spawnSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import { newContent } from "../shared/domain/knowledge/content-plans.ts";
import { connectEmbedder } from "../shared/knowledge/embedders/connect-embedder.ts";
import { wordIndex } from "../shared/knowledge/lexical/word-index.ts";
import { processContent } from "../shared/knowledge/processing/process-content.ts";
import { readInProcess } from "../shared/knowledge/readers/read-in-process.ts";
import { epochSeconds, systemClock } from "../shared/runtime/clock.ts";
import { getContent } from "../shared/stores/knowledge/content-item.ts";
import { dynamoVectors } from "../shared/stores/knowledge/dynamo-vectors.ts";
import { putContent } from "../shared/stores/knowledge/put-content.ts";
import { startStores } from "../test/support/stores.ts";
import { printTable } from "./figures.ts";

const { values } = parseArgs({
  options: { megabytes: { type: "string", default: "20,200" }, one: { type: "string" } },
});
const MB = 1_000_000;
const address = { knowledge_id: "bench", id: "0b8f2c1e-6f57-5b0e-9a55-4c7ad0d5a111" };

if (values.one !== undefined) console.log(JSON.stringify(await ingested(Number(values.one))));
else {
  for (const megabytes of values.megabytes.split(",")) {
    const { stdout, stderr } = spawnSync(process.execPath, [import.meta.filename, "--one", megabytes], {
      encoding: "utf8",
    });
    const line = stdout.trim().split("\n").at(-1);
    if (!line) throw new Error(stderr);
    const figures: Record<string, string> = JSON.parse(line);
    printTable(
      Object.entries({ "file, MB": megabytes, ...figures }).map(([what, figure]) => ({ what, figure })),
    );
  }
}

/** Any part of a text of numbered sentences, so that none of it has to be kept. */
function partOf(from: number, bytes: number): Uint8Array {
  const line = (n: number) =>
    `Sentence ${String(n).padStart(9, "0")} says what the one before it did not say. `;
  const length = line(0).length;
  const first = Math.floor(from / length);
  const lines = Array.from({ length: Math.ceil(bytes / length) + 1 }, (_, i) => line(first + i)).join("");
  return new Uint8Array(Buffer.from(lines).subarray(from - first * length, from - first * length + bytes));
}

async function ingested(megabytes: number) {
  const stores = await startStores();
  const size = megabytes * MB;
  const hash = createHash("sha256");
  for (let at = 0; at < size; at += MB) hash.update(partOf(at, Math.min(MB, size - at)));
  const object = { key: "large", sha256: hash.digest("hex"), bytes: size };
  const getRange = async (_key: string, from: number, bytes: number) => partOf(from, bytes);
  const db = { ...stores.db, objects: { ...stores.db.objects, getRange } };
  const file = { object, filename: "large.txt", mime_type: "text/plain" };
  const upload = {
    ...address,
    owner: null,
    name: "large",
    description: "",
    type: "text/plain",
    size,
    metadata: null,
    input: { kind: "held" as const, file },
    options: {},
  };
  await putContent(db, undefined, newContent(upload, epochSeconds(systemClock)));
  const from = performance.now();
  let peak = 0;
  let message = "";
  const watch = setInterval(async () => {
    peak = Math.max(peak, process.memoryUsage.rss());
    message = (await getContent(stores.db, address))?.status_message || message;
  }, 500);
  const nothing = () => undefined;
  await processContent(
    {
      db,
      vectors: dynamoVectors(db),
      words: wordIndex(db),
      embedder: connectEmbedder({ EMBEDDER: "local" }),
      readFile: readInProcess(new URL("../functions/knowledge-worker/read-process.ts", import.meta.url)),
      queue: { send: async () => undefined },
      clock: systemClock,
      log: { info: nothing, warn: console.error, error: console.error },
      newWorkerId: randomUUID,
      sourceOf: nothing,
      openSource: () => {
        throw new Error("there are no sources here");
      },
      allowedHosts: [],
    },
    address,
    Number.POSITIVE_INFINITY,
  );
  clearInterval(watch);
  const content = await getContent(stores.db, address);
  const seconds = ((performance.now() - from) / 1000).toFixed(0);
  await stores.stop();
  return {
    status: content?.status ?? "gone",
    chunks: String(content?.live?.chunks ?? 0),
    "most memory of the process, MB": (peak / MB).toFixed(0),
    seconds,
    "last message": message,
  };
}
