import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createOwned, updateOwned } from "../../shared/stores/owned/change-owned.ts";
import { getOwned } from "../../shared/stores/owned/get-owned.ts";
import { listOwned, listOwners, type OwnedQuery } from "../../shared/stores/owned/list-owned.ts";
import { type MemoryRow, memoryKind, type StoredMemory } from "../../shared/stores/owned/memory-item.ts";
import { getOwnerSummary, summaryKey } from "../../shared/stores/owned/owned.ts";
import { removeOwned, removeWherever, replaceOwned } from "../../shared/stores/owned/remove-owned.ts";
import { putItems } from "../support/put-items.ts";
import { aMemory } from "../support/records.ts";
import { startStores, type TestStores } from "../support/stores.ts";

/** Owned records, by the example of memories. */
let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

const NOW = Date.now();
const create = async (count: number, user_id: string): Promise<StoredMemory[]> => {
  const made = Array.from({ length: count }, (_, i) => aMemory({ user_id, changed_at_ms: NOW + i }));
  await Promise.all(made.map((memory) => createOwned(stores.db, memoryKind, memory)));
  return made;
};
const idsOf = (memories: readonly StoredMemory[]) => memories.map(memoryKind.idOf);
const list = (owner: string, asked: Partial<OwnedQuery<MemoryRow>> = {}) =>
  listOwned(stores.db, memoryKind, { owners: [owner], sort_order: "desc", page: 1, limit: 100, ...asked });
const countOf = async (owner: string) => (await getOwnerSummary(stores.db, "memories", owner))?.records ?? 0;
const owners = (asked: { page?: number; limit?: number } = {}) =>
  listOwners(stores.db, "memories", {
    owner: undefined,
    sort_by: "changed_at",
    sort_order: "desc",
    page: 1,
    limit: 100,
    ...asked,
  });

describe("counts", () => {
  test("are exact after many have written at once, one owner's and all owners'", async () => {
    const before = await listOwned(stores.db, memoryKind, {
      owners: undefined,
      sort_order: "desc",
      page: 1,
      limit: 1,
    });
    const made = await create(12, "busy");
    expect(await countOf("busy")).toBe(12);
    await Promise.all([
      removeOwned(stores.db, memoryKind, "busy", idsOf(made.slice(0, 4))),
      removeOwned(stores.db, memoryKind, "busy", idsOf(made.slice(2, 6))),
      ...made.slice(6, 9).map((one) => updateOwned(stores.db, memoryKind, one, { memory: "new" }, NOW + 100)),
      create(2, "busy"),
    ]);
    expect(await countOf("busy")).toBe(8);
    expect((await list("busy")).records).toHaveLength(8);
    const after = await listOwned(stores.db, memoryKind, {
      owners: undefined,
      sort_order: "desc",
      page: 1,
      limit: 1,
    });
    expect(after.total - before.total).toBe(8);
  });

  test("of owners rise with the first record and fall with the last", async () => {
    const { total } = await owners();
    const [one, two] = await create(2, "comes-and-goes");
    expect((await owners()).total).toBe(total + 1);
    await removeOwned(stores.db, memoryKind, "comes-and-goes", [one?.memory_id ?? ""]);
    expect((await owners()).total).toBe(total + 1);
    await removeOwned(stores.db, memoryKind, "comes-and-goes", [two?.memory_id ?? ""]);
    expect((await owners()).total).toBe(total);
    expect((await owners()).owners.map(({ user_id }) => user_id)).not.toContain("comes-and-goes");
  });
});

describe("an owner's records", () => {
  test("are out of reach for whoever names another owner", async () => {
    const [mine] = await create(1, "mine");
    if (!mine) throw new Error("one was made");
    expect(await getOwned(stores.db, memoryKind, mine.memory_id, "other")).toBeUndefined();
    expect(await removeOwned(stores.db, memoryKind, "other", [mine.memory_id])).toBe(0);
    expect(await getOwned(stores.db, memoryKind, mine.memory_id, "mine")).toEqual(mine);
    expect(await createOwned(stores.db, memoryKind, { ...mine, user_id: "other" })).toBe(false);
    expect(await countOf("other")).toBe(0);
  });

  test("come page by page, in the order of their last change, also within a millisecond", async () => {
    const made = await create(5, "paged");
    const [first] = made;
    if (!first) throw new Error("five were made");
    await updateOwned(stores.db, memoryKind, first, { memory: "again" }, NOW);
    await updateOwned(
      stores.db,
      memoryKind,
      { ...first, changed_at_ms: NOW + 9 },
      { memory: "and again" },
      NOW,
    );
    const whole = idsOf((await list("paged")).records);
    expect(whole[0]).toBe(first.memory_id);
    const pages = await Promise.all([1, 2, 3, 4].map((page) => list("paged", { page, limit: 2 })));
    expect(pages.flatMap(({ records }) => idsOf(records))).toEqual(whole);
    expect(pages.map(({ total }) => total)).toEqual([5, 5, 5, 5]);
  });

  test("are found wherever they are, and removed in as many transactions as it takes", async () => {
    const made = [...(await create(45, "many")), ...(await create(3, "few"))];
    await removeWherever(stores.db, memoryKind, [...idsOf(made), "unknown", "x".repeat(2000)]);
    expect([await countOf("many"), await countOf("few")]).toEqual([0, 0]);
  });

  test("never come back by a change of one that was removed", async () => {
    const [one] = await create(1, "gone");
    if (!one) throw new Error("one was made");
    await removeOwned(stores.db, memoryKind, "gone", [one.memory_id]);
    expect(await updateOwned(stores.db, memoryKind, one, { memory: "new" }, NOW)).toBeUndefined();
    expect(await countOf("gone")).toBe(0);
  });
});

describe("replacing many by one", () => {
  test("leaves everything when one was changed meanwhile", async () => {
    const made = await create(3, "replaced");
    const [first] = made;
    if (!first) throw new Error("three were made");
    await updateOwned(stores.db, memoryKind, first, { memory: "newer" }, NOW + 50);
    const merged = aMemory({ user_id: "replaced", memory: "merged" });
    expect(await replaceOwned(stores.db, memoryKind, made, merged)).toBe(false);
    expect((await list("replaced")).records.map(({ memory }) => memory)).toContain("newer");
    expect(await countOf("replaced")).toBe(3);
  });

  test("leaves one", async () => {
    const made = await create(3, "merged");
    const merged = aMemory({ user_id: "merged", memory: "merged" });
    expect(await replaceOwned(stores.db, memoryKind, made, merged)).toBe(true);
    expect(await list("merged")).toMatchObject({ total: 1, records: [{ memory: "merged" }] });
  });
});

test("a search that would look at too many is refused, and names what is not; the list itself goes on", async () => {
  await create(3, "hoarder");
  const more = 20_001;
  // Counted without being there: what decides is the count.
  await putItems(stores.db, "memories", [
    { ...summaryKey("hoarder"), user_id: "hoarder", records: more, changed_at_ms: NOW },
  ]);
  const refusal = { code: "BAD_REQUEST", message: expect.stringContaining("more than 20000 memories") };
  await expect(list("hoarder", { matches: () => true })).rejects.toMatchObject(refusal);
  const sortBy = { name: "memory", sortValueOf: ({ memory }: MemoryRow) => memory };
  await expect(list("hoarder", { sortBy })).rejects.toMatchObject(refusal);
  expect((await list("hoarder", { limit: 2 })).records).toHaveLength(2);
});

test("an optimistic change refuses when another writer was quicker, in the same millisecond too", async () => {
  const [one] = await create(1, "quick");
  if (!one) throw new Error("one was made");
  const change = (memory: string) =>
    updateOwned(stores.db, memoryKind, one, { memory }, one.changed_at_ms, { onlyIfAsSeen: true });
  expect(await change("first")).toMatchObject({ memory: "first" });
  expect(await change("second")).toBeUndefined();
});
