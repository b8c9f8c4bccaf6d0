import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import {
  above,
  absent,
  absentOr,
  anyOf,
  atLeast,
  atMost,
  below,
  exists,
  type Guard,
  isNew,
  isNoText,
  isNot,
  isText,
  noneOf,
  oneOf,
  present,
} from "../../shared/data/guard.ts";
import type { Item } from "../../shared/data/item.ts";
import {
  countWrites,
  joined,
  resultOf,
  transact,
  write,
  writeAndMeasure,
  writeAndRead,
  writeAndReplace,
} from "../../shared/data/write.ts";
import { writeBatch } from "../../shared/data/write-batch.ts";
import {
  appended,
  checkItem,
  deleteItem,
  ifAbsent,
  members,
  plus,
  putItem,
  updateItem,
  type Write,
} from "../../shared/data/writes.ts";
import { batchGet } from "../../shared/stores/batch-get.ts";
import { startStores } from "../support/stores.ts";

const stores = await startStores();
afterAll(() => stores.stop());
const { db } = stores;

let made = 0;
const newKey = () => ({ pk: `item#${++made}`, sk: "item" });
const read = async (key: Item): Promise<Item | undefined> => (await batchGet(db, db.tables.jobs, [key]))[0];

/** Reserved words of the service, names that are no placeholders, and two that differ in what a placeholder loses. */
const attribute = fc.constantFrom("status", "size", "if_status", "hold#a", "hold#b", "a.b", "1st", "name");
const number = fc.integer({ min: 0, max: 4 });
const value = fc.oneof(number, fc.constantFrom("", "queued", "running"), fc.constant(null));
const attributes = fc.dictionary(attribute, value, { maxKeys: 6 });

/** A guard, and whether it holds for an item. */
type Judged = { readonly guard: Guard; readonly holds: (item: Item | undefined) => boolean };

const compared = (
  make: (limit: number) => ReturnType<typeof below>,
  holds: (of: number, limit: number) => boolean,
) =>
  fc.tuple(attribute, number).map(
    ([name, limit]): Judged => ({
      guard: { [name]: make(limit) },
      holds: (item) => typeof item?.[name] === "number" && holds(item[name], limit),
    }),
  );
const chosen = fc.tuple(attribute, fc.array(value, { minLength: 1, maxLength: 3 }));
const singles: readonly fc.Arbitrary<Judged>[] = [
  fc.tuple(attribute, value).map(([name, is]) => ({
    guard: { [name]: is },
    holds: (item: Item | undefined) => item?.[name] === is,
  })),
  fc.tuple(attribute, value).map(([name, other]) => ({
    guard: { [name]: isNot(other) },
    holds: (item: Item | undefined) => item?.[name] !== other,
  })),
  attribute.map((name) => ({
    guard: { [name]: absent },
    holds: (item: Item | undefined) => item?.[name] === undefined,
  })),
  attribute.map((name) => ({
    guard: { [name]: present },
    holds: (item: Item | undefined) => item?.[name] !== undefined,
  })),
  attribute.map((name) => ({
    guard: { [name]: isText },
    holds: (item: Item | undefined) => typeof item?.[name] === "string",
  })),
  attribute.map((name) => ({
    guard: { [name]: isNoText },
    holds: (item: Item | undefined) => typeof item?.[name] !== "string",
  })),
  chosen.map(([name, choices]) => ({
    guard: { [name]: oneOf(choices) },
    holds: (item: Item | undefined) => choices.some((choice) => item?.[name] === choice),
  })),
  chosen.map(([name, choices]) => ({
    guard: { [name]: noneOf(choices) },
    holds: (item: Item | undefined) => !choices.some((choice) => item?.[name] === choice),
  })),
  fc.tuple(attribute, number).map(([name, limit]) => ({
    guard: { [name]: absentOr(atMost(limit)) },
    holds: (item: Item | undefined) =>
      item?.[name] === undefined || (typeof item[name] === "number" && item[name] <= limit),
  })),
  compared(below, (of, limit) => of < limit),
  compared(atMost, (of, limit) => of <= limit),
  compared(above, (of, limit) => of > limit),
  compared(atLeast, (of, limit) => of >= limit),
  fc.constant({ guard: isNew, holds: (item: Item | undefined) => item === undefined }),
  fc.constant({ guard: exists, holds: (item: Item | undefined) => item !== undefined }),
];
const single = fc.oneof(...singles);
const { judged } = fc.letrec<{ judged: Judged }>((tie) => ({
  judged: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    single,
    fc.array(tie("judged"), { minLength: 1, maxLength: 3 }).map(
      (parts): Judged => ({
        guard: parts.map(({ guard }) => guard),
        holds: (item) => parts.every(({ holds }) => holds(item)),
      }),
    ),
    fc.tuple(tie("judged"), tie("judged")).map(
      ([a, b]): Judged => ({
        guard: anyOf(a.guard, b.guard),
        holds: (item) => a.holds(item) || b.holds(item),
      }),
    ),
  ),
}));

/** Changes of an item whose attributes are known, and what becomes of it. */
const changes = fc.record({
  set: fc.dictionary(attribute, fc.option(value, { nil: undefined }), { maxKeys: 4 }),
  kept: value,
  added: number,
});

test("a write happens where its guard holds, and otherwise says what it saw and changes nothing", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.option(attributes, { nil: undefined }),
      judged,
      changes,
      async (before, { guard, holds }, { set, kept, added }) => {
        const key = newKey();
        const item = before && { ...key, ...before };
        if (item) await write(db, putItem("jobs", item));
        const result = await writeAndRead(
          db,
          updateItem("jobs", key, { set: { ...set, kept: ifAbsent(kept) }, add: { added }, guard }),
        );
        const after = Object.fromEntries(
          Object.entries({ ...key, ...before, ...set, kept, added }).filter(([, one]) => one !== undefined),
        );
        const expected = holds(item) ? { written: true, item: after } : { written: false, seen: item };
        expect(result).toEqual(expected);
        expect(await read(key)).toEqual(holds(item) ? after : item);
      },
    ),
    { numRuns: 150 },
  );
});

test("a transaction is written whole, or names the first part that was refused and changes nothing", async () => {
  const names = ["job", "counters", "run", "session"] as const;
  const part = fc.record({
    absentToo: fc.boolean(),
    fails: fc.boolean(),
    kind: fc.constantFrom("put", "update", "delete", "check"),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(part, { maxLength: 2 }), { minLength: 4, maxLength: 4 }),
      async (groups) => {
        const planned = groups.map((group) =>
          group.map(({ fails, kind }) => {
            const key = newKey();
            const guard = { n: fails ? 2 : 1 };
            const writes: Record<string, Write> = {
              put: putItem("jobs", { ...key, n: 5 }, guard),
              update: updateItem("jobs", key, { set: { n: 5 }, guard }),
              delete: deleteItem("jobs", key, guard),
              check: checkItem("jobs", key, guard),
            };
            return { key, fails, kind, write: writes[kind] as Write };
          }),
        );
        const all = planned.flat();
        if (all.length === 0) return;
        await writeBatch(
          db,
          all.map(({ key }) => putItem("jobs", { ...key, n: 1 })),
        );
        const [job, counters, run, session] = planned.map((group) => group.map((one) => one.write));
        const result = await transact(db, { job, counters, run, session });
        const firstRefused = planned.findIndex((group) => group.some(({ fails }) => fails));
        if (firstRefused < 0) expect(result).toEqual({ written: true });
        else expect(result).toMatchObject({ written: false, refused: names[firstRefused], seen: { n: 1 } });
        for (const { key, kind } of all) {
          const left = firstRefused < 0 ? { put: 5, update: 5, delete: undefined, check: 1 }[kind] : 1;
          expect((await read(key))?.n).toBe(left);
        }
      },
    ),
    { numRuns: 40 },
  );
});

test("a part may be one write, none, or built anew for each try", async () => {
  const key = newKey();
  const tries: number[] = [];
  const result = await transact(db, (tryNumber) => {
    tries.push(tryNumber);
    return { job: putItem("jobs", { ...key }, isNew), session: undefined, events: [] };
  });
  expect([result, tries]).toEqual([{ written: true }, [0]]);
  const again = await transact(db, { job: putItem("jobs", { ...key }, isNew) });
  expect(again).toEqual({ written: false, refused: "job", seen: key });
});

test("of many that count one item at the same time each is counted, alone and in transactions", async () => {
  const key = newKey();
  const count = () => updateItem("jobs", key, { add: { n: 1 } });
  const alone = Array.from({ length: 6 }, () => write(db, count()));
  const together = Array.from({ length: 6 }, () =>
    transact(db, { counter: count(), other: putItem("jobs", newKey()) }),
  );
  for (const result of await Promise.all([...alone, ...together])) expect(result.written).toBe(true);
  expect(await read(key)).toMatchObject({ n: 12 });
});

test("values follow from what is stored", async () => {
  const key = newKey();
  await write(db, putItem("jobs", { ...key, attempt: 2, replies: ["a"], state: { cart: 1, kept: true } }));
  const changed = await writeAndRead(
    db,
    updateItem("jobs", key, {
      set: {
        attempt: plus(1),
        generation: plus(1, 1),
        replies: appended(["b"]),
        state: members({ cart: 2, "a.b#c": 3 }),
      },
      add: { awaited_by: new Set(["x"]) },
    }),
  );
  expect(changed).toEqual({
    written: true,
    item: {
      ...key,
      attempt: 3,
      generation: 2,
      replies: ["a", "b"],
      state: { cart: 2, kept: true, "a.b#c": 3 },
      awaited_by: new Set(["x"]),
    },
  });
});

test("a write answers with what it replaced, or with what it cost", async () => {
  const key = newKey();
  expect(await writeAndReplace(db, putItem("jobs", { ...key, n: 1 }))).toEqual({
    written: true,
    replaced: undefined,
  });
  expect(await writeAndReplace(db, putItem("jobs", { ...key, n: 2 }))).toEqual({
    written: true,
    replaced: { ...key, n: 1 },
  });
  const measured = await writeAndMeasure(db, deleteItem("jobs", key, { n: 2 }));
  expect(measured).toMatchObject({ written: true, units: expect.any(Number) });
  expect(await writeAndMeasure(db, deleteItem("jobs", key, { n: 2 }))).toEqual({
    written: false,
    seen: undefined,
  });
});

test("a refusal shows numbers beyond what is exact, as every read does", async () => {
  const key = newKey();
  await write(db, putItem("jobs", { ...key, n: 2 ** 60 }));
  expect(await write(db, putItem("jobs", { ...key }, isNew))).toEqual({
    written: false,
    seen: { ...key, n: 2 ** 60 },
  });
});

test("a batch of writes to several tables is written, and a guard has no place in one", async () => {
  const [one, other] = [newKey(), newKey()];
  await writeBatch(db, [putItem("jobs", one), putItem("runs", other)]);
  expect(await read(one)).toEqual(one);
  await writeBatch(db, [deleteItem("jobs", one), deleteItem("runs", other)]);
  expect(await read(one)).toBeUndefined();
  await expect(writeBatch(db, [putItem("jobs", one, isNew)])).rejects.toThrow("no guards");
});

test("parts of several are joined by name, and a refusal elsewhere is no answer about them", async () => {
  const [a, b, taken] = [newKey(), newKey(), newKey()];
  await write(db, putItem("jobs", taken));
  const parts = joined<"record" | "name">([
    { record: putItem("jobs", a, isNew), name: undefined },
    { name: undefined, record: putItem("jobs", b, isNew) },
  ]);
  const tallies = putItem("jobs", taken, isNew);
  expect(countWrites(parts)).toBe(2);
  expect(resultOf(parts, await transact(db, { ...parts, tallies }))).toBeUndefined();
  expect(resultOf(parts, await transact(db, parts))).toEqual({ written: true });
  expect(resultOf(parts, await transact(db, { ...parts, tallies }))).toMatchObject({
    refused: "record",
    seen: a,
  });
});
