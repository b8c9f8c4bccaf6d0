import { afterAll, expect, test } from "vitest";
import { newContent } from "../../shared/domain/knowledge/content-plans.ts";
import { processContent } from "../../shared/knowledge/processing/process-content.ts";
import type { ReadFile } from "../../shared/knowledge/readers/read-in-process.ts";
import type { KnowledgeMessage } from "../../shared/queue/knowledge-queue.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { getContent } from "../../shared/stores/knowledge/content-item.ts";
import { CONTENTS_OF_OWNER } from "../../shared/stores/knowledge/owner-share.ts";
import { putContent } from "../../shared/stores/knowledge/put-content.ts";
import { putObject } from "../../shared/stores/objects/object-bytes.ts";
import { contentWorker } from "../support/content-worker.ts";
import { manualClock } from "../support/manual-clock.ts";
import { readHere } from "../support/read-here.ts";
import { startStores } from "../support/stores.ts";

const stores = await startStores();
afterAll(stores.stop);

const NEVER = Number.POSITIVE_INFINITY;
const clock = manualClock(Date.now());

/** A worker that reads files only when it is let, and the wake-ups that it sends. */
function aWorker() {
  const sent: KnowledgeMessage[] = [];
  const reading: string[] = [];
  const { promise: isLet, resolve: letRead } = Promise.withResolvers<void>();
  const readFile: ReadFile = async function* (...asked) {
    reading.push("file");
    await isLet;
    yield* readHere(...asked);
  };
  const queue = { send: async (message: KnowledgeMessage) => void sent.push(message) };
  const deps = contentWorker(stores.db, clock, { readFile, queue });
  return {
    sent,
    reading,
    letRead,
    work: (id: string) => processContent(deps, { knowledge_id: "kb", id }, NEVER),
  };
}

async function upload(owner: string | null, id: string): Promise<string> {
  const text = "a line\nanother line";
  const object = await putObject(stores.db, `knowledge/${id}/`, new Uint8Array(Buffer.from(text)));
  const content = newContent(
    {
      knowledge_id: "kb",
      id,
      owner,
      name: id,
      description: "",
      type: "text/plain",
      size: text.length,
      metadata: {},
      input: { kind: "held", file: { object, filename: "a.csv", mime_type: "text/csv" } },
      options: {},
    },
    epochSeconds(clock),
  );
  await putContent(stores.db, undefined, content);
  return id;
}
const statusOf = async (id: string) => (await getContent(stores.db, { knowledge_id: "kb", id }))?.status;

test("many files of one user are not processed all at once, so that another's one file has a worker", async () => {
  const { sent, reading, letRead, work } = aWorker();
  const many = await Promise.all(Array.from({ length: 9 }, (_, at) => upload("maria", `maria-${at}`)));
  const works = many.map(work);
  await expect.poll(() => reading.length).toBe(CONTENTS_OF_OWNER);
  // The others have ended without a worker's time, and wait.
  await expect
    .poll(async () => (await Promise.all(works.map(settledNow))).filter(Boolean))
    .toHaveLength(many.length - CONTENTS_OF_OWNER);

  const other = work(await upload("otto", "otto-0"));
  await expect.poll(() => reading.length).toBe(CONTENTS_OF_OWNER + 1);
  letRead();
  await other;
  expect(await statusOf("otto-0")).toBe("completed");

  // Each end wakes one that waits, until all are done.
  await Promise.all(works);
  while (sent.length > 0) await Promise.all(sent.splice(0).map(({ id }) => work(id)));
  expect(await Promise.all(many.map(statusOf))).toEqual(many.map(() => "completed"));
});

test("what has no owner has no share", async () => {
  const { reading, letRead, work } = aWorker();
  const many = await Promise.all(Array.from({ length: 6 }, (_, at) => upload(null, `shared-${at}`)));
  const works = many.map(work);
  await expect.poll(() => reading.length).toBe(many.length);
  letRead();
  await Promise.all(works);
});

/** Whether a promise has settled. */
const settledNow = (one: Promise<unknown>): Promise<boolean> =>
  Promise.race([one.then(() => true), new Promise<boolean>((resolve) => setImmediate(resolve, false))]);
