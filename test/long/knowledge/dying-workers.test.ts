import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  newContent,
  planPatch,
  planRemoval,
  planReupload,
  type Upload,
} from "../../../shared/domain/knowledge/content-plans.ts";
import { connectEmbedder } from "../../../shared/knowledge/embedders/connect-embedder.ts";
import { processContent } from "../../../shared/knowledge/processing/process-content.ts";
import type { ProcessingDeps } from "../../../shared/knowledge/processing/processing-deps.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import type { StoredContent } from "../../../shared/schemas/knowledge/knowledge-content.ts";
import type { Db } from "../../../shared/stores/db.ts";
import { contentWork, getContent } from "../../../shared/stores/knowledge/content-item.ts";
import { dynamoVectors } from "../../../shared/stores/knowledge/dynamo-vectors.ts";
import { changeContent, putContent } from "../../../shared/stores/knowledge/put-content.ts";
import { putObject } from "../../../shared/stores/objects/object-bytes.ts";
import { breakingDb } from "../../support/breaking-db.ts";
import { auditChunks, auditWords } from "../../support/chunk-audit.ts";
import { contentWorker } from "../../support/content-worker.ts";
import { type ManualClock, manualClock } from "../../support/manual-clock.ts";
import { readHere } from "../../support/read-here.ts";
import { startStores, type TestStores } from "../../support/stores.ts";

/** A worker dies at each of its writes in turn; whoever comes after it must leave what an undisturbed one leaves. */
let stores: TestStores;
let clock: ManualClock;
beforeEach(async () => {
  stores = await startStores();
  clock = manualClock(1_790_000_000_000);
});
afterEach(() => stores.stop());

const address = { knowledge_id: "kb", id: "0b8f2c1e-6f57-5b0e-9a55-4c7ad0d5a111" };
const rowsOf = (word: string, n: number) => Array.from({ length: n }, (_, i) => `${word} ${i}`).join("\n");
/** Chunks are written and removed in batches, records are dropped. */
const everyWrite = /Put|Update|Transact|BatchWrite|Delete/;

const worker = (db: Db): ProcessingDeps => contentWorker(db, clock);

const LEASE_SECONDS = contentWork.lease.seconds;

const NEVER = Number.POSITIVE_INFINITY;
const tend = (db: Db) => processContent(worker(db), address, NEVER);

async function uploadOf(text: string, revision: number): Promise<Upload> {
  const object = await putObject(stores.db, `knowledge/${revision}/`, new Uint8Array(Buffer.from(text)));
  return {
    ...address,
    owner: null,
    name: "table",
    description: "",
    type: "text/csv",
    size: text.length,
    metadata: { a: 1 },
    input: { kind: "held", file: { object, filename: "table.csv", mime_type: "text/csv" } },
    options: {},
  };
}

const now = () => epochSeconds(clock);
const seen = async (): Promise<StoredContent> => {
  const content = await getContent(stores.db, address);
  if (!content) throw new Error("the content is gone");
  return content;
};
const change = async (plan: (content: StoredContent) => StoredContent | undefined) =>
  changeContent(stores.db, await seen(), plan);

const acts = {
  upload: async () => {
    const upload = await uploadOf(rowsOf("lynx", 130), 1);
    await putContent(stores.db, undefined, newContent(upload, now()));
  },
  uploadChanged: async () => {
    const upload = await uploadOf(rowsOf("puma", 115), 2);
    await change((content) => planReupload(content, upload, now()));
  },
  patch: async () => {
    await change((content) => planPatch(content, { metadata: { b: 2 } }, now()));
  },
  remove: async () => {
    await change((content) => planRemoval(content, now()));
  },
};
type Act = keyof typeof acts;

/** What the sweeper does every minute, until nothing is owed to anybody. */
async function untilNothingIsOwed(): Promise<void> {
  for (let minutes = 0; minutes < 20; minutes += 1) {
    clock.advance((LEASE_SECONDS + 1) * 1000);
    const due = await contentWork.due(stores.db, now());
    if (due.length === 0 && minutes > 0) return;
    for (const { message } of due) await processContent(worker(stores.db), message, NEVER);
  }
  throw new Error("something is owed for ever");
}

/** Plays acts to their end, each tended by a calm worker but the last, whose worker dies at its n-th write. */
async function play(
  story: readonly Act[],
  atWrite: number,
  when: "before" | "after",
): Promise<{ writes: number; died: boolean }> {
  const last = story.at(-1);
  for (const act of story.slice(0, -1)) {
    await acts[act]();
    await tend(stores.db);
  }
  if (last) await acts[last]();
  const dying = breakingDb(stores.db, atWrite, when, everyWrite);
  const died = await tend(dying.db).then(
    () => dying.writes() >= atWrite,
    () => true,
  );
  return { writes: dying.writes(), died };
}

const stories: Readonly<
  Record<string, { readonly acts: readonly Act[]; readonly chunks: number; readonly word: string }>
> = {
  "an upload": { acts: ["upload"], chunks: 130, word: "lynx" },
  "an upload of changed bytes": { acts: ["upload", "uploadChanged"], chunks: 115, word: "puma" },
  "a change of metadata": { acts: ["upload", "patch"], chunks: 130, word: "lynx" },
  "a removal": { acts: ["upload", "remove"], chunks: 0, word: "" },
};

describe.each(Object.entries(stories))(
  "a worker that dies during %s",
  (_name, { acts: story, chunks, word }) => {
    test("leaves nothing that is found twice and nothing that is never found", {
      timeout: 180_000,
    }, async () => {
      const { writes } = await play(story, NEVER, "before");
      expect(writes).toBeGreaterThan(2);
      const places =
        writes > 12 ? [1, 2, 4, Math.floor(writes / 2), writes - 2, writes - 1, writes] : everyUpTo(writes);
      for (const atWrite of places) {
        // Whoever dies before a write leaves what one leaves who died after the write before it.
        for (const when of atWrite === 1 ? (["before", "after"] as const) : (["after"] as const)) {
          await stores.stop();
          stores = await startStores();
          const { died } = await play(story, atWrite, when);
          expect(died).toBe(true);
          await untilNothingIsOwed();
          const { contents, missing, orphans } = await auditChunks(stores.db);
          const label = `write ${atWrite}, ${when}`;
          expect({ missing, orphans }, label).toEqual({ missing: [], orphans: [] });
          expect(
            contents.map(({ status, live }) => [status, live?.chunks]),
            label,
          ).toEqual(chunks === 0 ? [] : [["completed", chunks]]);
          if (story.includes("patch")) await expectTags({ "m.a": 1, "m.b": 2 });
          if (word) expect(await textsStartWith(word)).toBe(true);
          expect(await worded(word || "lynx"), label).toBe(chunks);
          expect(await auditWords(stores), label).toEqual([]);
        }
      }
    });
  },
);

const everyUpTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

async function allHits() {
  const { live } = await seen();
  const [vector = []] = await worker(stores.db).embedder.embed(["lynx puma"]);
  const query = { vector, top: 1000, filter: { op: "AND" as const, conditions: [] } };
  return dynamoVectors(stores.db).query(live?.index ?? "", query);
}

const worded = async (query: string) =>
  (await worker(stores.db).words.search(address.knowledge_id, { query, owner: null, top: 1000 })).hits.length;

const textsStartWith = async (word: string) => (await allHits()).every(({ text }) => text.startsWith(word));

async function expectTags(tags: object): Promise<void> {
  const { live } = await seen();
  const keys = (await allHits()).map(({ key }) => key);
  const chunks = await dynamoVectors(stores.db).get(live?.index ?? "", keys);
  for (const chunk of chunks) expect(chunk.tags).toEqual({ owner: "*", ...tags });
}

describe("a content", () => {
  test("that is uploaded anew while it is processed shows the newer bytes alone", async () => {
    await acts.upload();
    const slow = breakingDb(stores.db, 6, "after", everyWrite);
    await tend(slow.db).catch(() => undefined);
    await acts.uploadChanged();
    await untilNothingIsOwed();
    expect(await auditChunks(stores.db)).toMatchObject({
      missing: [],
      orphans: [],
      contents: [{ live: { chunks: 115 } }],
    });
  });

  test("that is removed while it is processed leaves nothing", async () => {
    await acts.upload();
    const slow = breakingDb(stores.db, 6, "after", everyWrite);
    await tend(slow.db).catch(() => undefined);
    await acts.remove();
    await untilNothingIsOwed();
    expect(await auditChunks(stores.db)).toEqual({ contents: [], missing: [], orphans: [] });
  });

  test("is held by one worker at a time", async () => {
    await acts.upload();
    await Promise.all([tend(stores.db), tend(stores.db), tend(stores.db)]);
    expect(await auditChunks(stores.db)).toMatchObject({
      missing: [],
      orphans: [],
      contents: [{ attempt: 1, status: "completed" }],
    });
  });

  test("whose worker dies every time, without a word, is begun five times and then ends failed", async () => {
    await acts.upload();
    let begun = 0;
    for (let claims = 0; claims < 8; claims += 1) {
      // A takeover is two writes: one that finds a lease which is over, and one that takes it.
      const { db } = breakingDb(stores.db, claims === 0 ? 2 : 3, "before", everyWrite);
      const readFile: ProcessingDeps["readFile"] = (...given) => {
        begun += 1;
        return readHere(...given);
      };
      await processContent({ ...worker(db), readFile }, address, NEVER).catch(() => undefined);
      clock.advance((LEASE_SECONDS + 1) * 1000);
    }
    await untilNothingIsOwed();
    expect(begun).toBe(5);
    expect(await seen()).toMatchObject({
      status: "failed",
      status_message: "It could not be processed: its worker ended 5 times without a result.",
    });
  });

  test("that takes more claims than attempts, because it gets further with each, is completed", async () => {
    const upload = await uploadOf(rowsOf("lynx", 950), 1);
    await putContent(stores.db, undefined, newContent(upload, now()));
    for (let slices = 0; slices < 30 && (await seen()).status !== "completed"; slices += 1) {
      // The time is over after one batch.
      let asked = 0;
      const short = {
        ...worker(stores.db),
        clock: { ...clock, now: () => clock.now() + (asked++ < 60 ? 0 : 1e9) },
      };
      await processContent(short, address, clock.now() + 1e8);
      clock.advance((LEASE_SECONDS + 1) * 1000);
    }
    expect(await seen()).toMatchObject({ status: "completed", live: { chunks: 950 } });
  });

  test("whose embedder fails every time is tried five times and then ends failed, and says where", async () => {
    await acts.upload();
    const broken = {
      ...worker(stores.db),
      embedder: {
        ...connectEmbedder({ EMBEDDER: "local" }),
        embed: async () => Promise.reject(new Error("429")),
      },
    };
    for (let minute = 0; minute < 8; minute += 1) {
      await processContent(broken, address, NEVER);
      clock.advance(300_000);
    }
    const { status, status_message, attempt } = await seen();
    expect({ status, attempt }).toEqual({ status: "failed", attempt: 5 });
    expect(status_message).toBe(
      "It could not be processed in 5 attempts; the last one ended while embedding it.",
    );
    expect(await auditChunks(stores.db)).toMatchObject({ missing: [], orphans: [] });
  });
});
