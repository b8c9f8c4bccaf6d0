import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newContent, planCompletion, planRemoval } from "../../../shared/domain/knowledge/content-plans.ts";
import { LOCK_SECONDS } from "../../../shared/knowledge/lexical/compact.ts";
import { type WordIndex, wordIndex } from "../../../shared/knowledge/lexical/word-index.ts";
import { WORDS_VERSION } from "../../../shared/knowledge/lexical/words-of.ts";
import type { Db } from "../../../shared/stores/db.ts";
import { getContent } from "../../../shared/stores/knowledge/content-item.ts";
import { putContent } from "../../../shared/stores/knowledge/put-content.ts";
import { isShared, readManifest } from "../../../shared/stores/knowledge/word-parts.ts";
import { breakingDb } from "../../support/breaking-db.ts";
import { auditWords } from "../../support/chunk-audit.ts";
import { type ManualClock, manualClock } from "../../support/manual-clock.ts";
import { startStores, type TestStores } from "../../support/stores.ts";

let stores: TestStores;
let clock: ManualClock;
let index: WordIndex;
let kb: string;
let bases = 0;
beforeAll(async () => {
  stores = await startStores();
  clock = manualClock(1_790_000_000_000);
});
afterAll(() => stores.stop());
beforeEach(() => {
  bases += 1;
  kb = `kb${bases}`;
  index = wordIndex(stores.db, clock);
});

const HASH = "0123456789abcdef";
const idOf = (n: number) => `0b8f2c1e-6f57-5b0e-9a55-${String(n).padStart(12, "0")}`;

/** The record of a completed content: what no record knows is dropped when parts are put together. */
async function record(n: number): Promise<void> {
  const upload = {
    ...{
      id: idOf(n),
      knowledge_id: kb,
      owner: null,
      name: `content ${n}`,
      description: "",
      type: null,
      size: 1,
    },
    ...{ metadata: null, input: { kind: "url" as const, url: "https://example.com" }, options: {} },
  };
  const live = { index: "i", hash: HASH, chunks: 1, written: 1, words: WORDS_VERSION };
  await putContent(stores.db, undefined, planCompletion(newContent(upload, 0), live, 1, 0));
}

async function add(n: number, on: WordIndex = index, text = `walrus number ${n}`): Promise<void> {
  await record(n);
  await on.add(kb, { id: idOf(n), hash: HASH, owner: null, chunks: [{ position: 1, text }] });
}

const remove = (n: number, on: WordIndex = index) => on.remove(kb, { id: idOf(n), hash: HASH });
const found = async (query = "walrus", on: WordIndex = index) =>
  (await on.search(kb, { query, owner: null, top: 1000 })).hits.map(({ contentId }) => contentId).toSorted();
const ids = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => idOf(from + i));
const partsOf = async (db: Db = stores.db) => (await readManifest(db, kb)).parts;
const bytesWith = (word: string) =>
  [...stores.objects.held].filter(([key, bytes]) => key.includes(kb) && Buffer.from(bytes).includes(word));

describe("the index of words", () => {
  test("has few parts however many contents there are, and finds all of them", async () => {
    for (let n = 1; n <= 70; n += 1) await add(n);
    expect(await found()).toEqual(ids(1, 70));
    expect((await partsOf()).length).toBeLessThan(20);
    expect(await auditWords(stores)).toEqual([]);
    // Another process, with nothing in memory.
    expect(await found("walrus", wordIndex(stores.db, clock))).toEqual(ids(1, 70));
  });

  test("loses nothing where writers meet", async () => {
    const writers = Array.from({ length: 4 }, () => wordIndex(stores.db, clock));
    await Promise.all(
      writers.map(async (writer, w) => {
        for (let i = 1; i <= 10; i += 1) await add(w * 10 + i, writer);
      }),
    );
    expect(await found()).toEqual(ids(1, 40));
    expect(await auditWords(stores)).toEqual([]);
  });

  test("is searched while its parts are put together and removed", async () => {
    for (let n = 1; n <= 7; n += 1) await add(n);
    const reader = wordIndex(stores.db, clock);
    await reader.search(kb, { query: "walrus", owner: null, top: 10 });
    await Promise.all([
      add(8),
      ...Array.from({ length: 20 }, () => found("walrus", wordIndex(stores.db, clock))),
    ]);
    expect(await found("walrus", reader)).toEqual(ids(1, 8));
  });

  test("replaces a batch that is written again, also once it is in a part with others", async () => {
    for (let n = 1; n <= 8; n += 1) await add(n);
    expect((await partsOf()).map(isShared)).toEqual([true]);
    await index.add(kb, {
      id: idOf(3),
      hash: HASH,
      owner: null,
      chunks: [{ position: 1, text: "walrus number 3" }],
    });
    expect(await found()).toEqual(ids(1, 8));
  });

  test("has no byte left of what was removed, in parts of its own and in shared ones", async () => {
    for (let n = 1; n <= 9; n += 1)
      await add(n, index, n === 2 || n === 9 ? `walrus zeppelin ${n}` : "walrus");
    expect(bytesWith("zeppelin")).toHaveLength(2);
    // On the system's clock: one of them waits for the other.
    await Promise.all([remove(2, wordIndex(stores.db)), remove(9, wordIndex(stores.db))]);
    expect(bytesWith("zeppelin")).toEqual([]);
    expect(await found()).toEqual([idOf(1), ...ids(3, 8)]);
    await remove(2);
    for (const n of [1, 3, 4, 5, 6, 7, 8]) await remove(n);
    expect([...stores.objects.held.keys()].filter((key) => key.includes(`${kb}/`))).toEqual([]);
    expect(await partsOf()).toEqual([]);
  });

  test("drops what a worker wrote that did not know that its content was removed", async () => {
    for (let n = 1; n <= 7; n += 1) await add(n);
    const content = await getContent(stores.db, { knowledge_id: kb, id: idOf(1) });
    if (content) await putContent(stores.db, content, planRemoval(content, 0));
    await add(8);
    expect(await found()).toEqual(ids(2, 8));
  });

  const everyWrite = /Put|Update|Transact|Delete/;
  test.each(["merge", "removal"] as const)(
    "survives a process that dies at any write of a %s",
    async (what) => {
      const act = what === "merge" ? (on: WordIndex) => add(8, on) : (on: WordIndex) => remove(3, on);
      for (let atWrite = 1; ; atWrite += 1) {
        bases += 1;
        kb = `kb${bases}`;
        for (let n = 1; n <= (what === "merge" ? 7 : 8); n += 1) await add(n);
        const dying = breakingDb(stores.db, atWrite, "after", everyWrite);
        await act(wordIndex(dying.db, clock)).catch(() => undefined);
        clock.advance((LOCK_SECONDS + 1) * 1000);
        // Nothing is broken for searches, and who tries again ends it.
        const left = await found();
        expect(left).toEqual(expect.arrayContaining([...ids(1, 2), ...ids(4, 7)]));
        if (what === "merge")
          await index.add(kb, {
            id: idOf(8),
            hash: HASH,
            owner: null,
            chunks: [{ position: 1, text: "walrus" }],
          });
        else await remove(3);
        await remove(1);
        expect(await found(), `write ${atWrite}`).toEqual(
          what === "merge" ? ids(2, 8) : [idOf(2), ...ids(4, 8)],
        );
        expect(await auditWords(stores), `write ${atWrite}`).toEqual([]);
        if (dying.writes() < atWrite) break;
      }
    },
  );
});
