import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { FilterExpression } from "../../shared/schemas/knowledge/knowledge-filter.ts";
import { dynamoVectors } from "../../shared/stores/knowledge/dynamo-vectors.ts";
import { s3Vectors } from "../../shared/stores/knowledge/s3-vectors.ts";
import { supportedFilter } from "../../shared/stores/knowledge/supported-filter.ts";
import type { Chunk, Tags, VectorStore } from "../../shared/stores/knowledge/vector-store.ts";
import { startStores, type TestStores } from "../support/stores.ts";
import { startVectorEndpoint, VECTOR_BUCKET, type VectorEndpoint } from "../support/vector-endpoint.ts";

let stores: TestStores;
let remote: VectorEndpoint;
beforeAll(async () => {
  [stores, remote] = await Promise.all([startStores(), startVectorEndpoint()]);
});
afterAll(async () => {
  await stores?.stop();
  await remote?.stop();
});

const openS3 = (bucket = VECTOR_BUCKET) => {
  const credentials = { accessKeyId: "LOCAL", secretAccessKey: "local" };
  return s3Vectors(bucket, { endpoint: remote.endpoint, region: "us-east-1", credentials, maxAttempts: 1 });
};
const stores_: Readonly<Record<string, () => VectorStore>> = {
  "in a table": () => dynamoVectors(stores.db),
  "in S3 Vectors": () => openS3(),
};

const anything: FilterExpression = { op: "AND", conditions: [] };
/** A vector of length 1 at an angle, so that nearness can be seen by eye. */
const at = (degrees: number) => [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
const chunk = (key: string, degrees: number, tags: Tags = {}): Chunk => ({
  key,
  vector: at(degrees),
  tags: { owner: "*", ...tags },
  text: `text of ${key}`,
  about: { chunk: degrees, nested: { a: [1] } },
});

let indexes = 0;
let index: string;
beforeEach(() => {
  indexes += 1;
  index = `index-${indexes}`;
});

describe.each(Object.keys(stores_))("chunks %s", (kind) => {
  let store: VectorStore;
  beforeEach(() => {
    store = stores_[kind]?.() ?? openS3();
  });
  const keysNear = async (degrees: number, top = 10, filter: FilterExpression = anything) =>
    (await store.query(index, { vector: at(degrees), top, filter })).map(({ key }) => key);

  test("are found by nearness, with their text and place", async () => {
    await store.put(index, [chunk("far", 90), chunk("near", 10), chunk("there", 0)]);
    expect(await keysNear(0)).toEqual(["there", "near", "far"]);
    expect(await keysNear(80, 2)).toEqual(["far", "near"]);
    const [hit] = await store.query(index, { vector: at(0), top: 1, filter: anything });
    expect(hit).toEqual({ key: "there", text: "text of there", about: { chunk: 0, nested: { a: [1] } } });
  });

  test("of an index that was not written to are none", async () => {
    expect(await keysNear(0)).toEqual([]);
    expect(await store.get(index, ["a"])).toEqual([]);
    await store.remove(index, ["a"]);
  });

  test("are read again as they were written, without those that are not there", async () => {
    const written = chunk("one", 30, { "m.line": "pumps", "m.n": 3, "m.on": true, "m.list": ["a", "b"] });
    await store.put(index, [written]);
    const [read, ...others] = await store.get(index, ["one", "unknown"]);
    expect(others).toEqual([]);
    expect({ ...read, vector: read?.vector.map((x) => Math.round(x * 1e5) / 1e5) }).toEqual({
      ...written,
      vector: written.vector.map((x) => Math.round(x * 1e5) / 1e5),
    });
  });

  test("are replaced by what is written under their key, and gone once removed, also twice", async () => {
    await store.put(index, [chunk("one", 0), chunk("two", 5)]);
    await store.put(index, [{ ...chunk("one", 90), text: "other" }]);
    expect(await keysNear(90)).toEqual(["one", "two"]);
    await store.remove(index, ["one"]);
    await store.remove(index, ["one"]);
    expect(await keysNear(90)).toEqual(["two"]);
  });

  test("of one index are not found in another", async () => {
    await store.put(index, [chunk("one", 0)]);
    await store.put(`${index}-b`, [chunk("two", 0)]);
    expect(await keysNear(0)).toEqual(["one"]);
  });

  test.each<[string, FilterExpression, string[]]>([
    ["equality of text", { op: "EQ", key: "m.line", value: "pumps" }, ["a", "c"]],
    ["equality of numbers", { op: "EQ", key: "m.n", value: 2 }, ["b"]],
    ["equality with one of a list", { op: "EQ", key: "m.tags", value: "red" }, ["c"]],
    ["one of several", { op: "IN", key: "m.n", values: [1, 2] }, ["a", "b"]],
    ["greater than", { op: "GT", key: "m.n", value: 1 }, ["b", "c"]],
    ["at most", { op: "LTE", key: "m.n", value: 2 }, ["a", "b"]],
    [
      "all of several",
      {
        op: "AND",
        conditions: [
          { op: "EQ", key: "m.line", value: "pumps" },
          { op: "GTE", key: "m.n", value: 3 },
        ],
      },
      ["c"],
    ],
    [
      "either",
      {
        op: "OR",
        conditions: [
          { op: "EQ", key: "m.n", value: 1 },
          { op: "EQ", key: "m.tags", value: "red" },
        ],
      },
      ["a", "c"],
    ],
    ["a key that no vector has", { op: "EQ", key: "m.zebra", value: 1 }, []],
  ])("are narrowed by %s", async (_what, filter, keys) => {
    await store.put(index, [
      chunk("a", 0, { "m.line": "pumps", "m.n": 1 }),
      chunk("b", 1, { "m.line": "valves", "m.n": 2 }),
      chunk("c", 2, { "m.line": "pumps", "m.n": 3, "m.tags": ["red", "blue"] }),
    ]);
    expect((await keysNear(0, 10, filter)).toSorted()).toEqual(keys);
  });

  test.each<[string, FilterExpression]>([
    ["a negation", { op: "NOT", condition: { op: "EQ", key: "m.n", value: 1 } }],
    ["a part of a text", { op: "CONTAINS", key: "m.line", value: "ump" }],
    ["inequality", { op: "NEQ", key: "m.n", value: 1 }],
  ])("that pass %s are among what is found, whether the store can check it or not", async (_what, filter) => {
    await store.put(index, [chunk("a", 0, { "m.n": 1 }), chunk("b", 1, { "m.n": 2, "m.line": "pumps" })]);
    expect(await keysNear(0, 10, filter)).toContain("b");
  });

  test("may be more than one request takes", async () => {
    const many = Array.from({ length: 1_203 }, (_, i) => chunk(`many-${i}`, i / 10));
    await store.put(index, many);
    const keys = many.map(({ key }) => key);
    expect(new Set((await store.get(index, keys)).map(({ key }) => key)).size).toBe(1_203);
    expect(await keysNear(0, 1_100)).toHaveLength(1_100);
    await store.remove(index, keys.slice(0, 1_000));
    expect(await keysNear(0, 10_000)).toHaveLength(203);
  });
});

describe("S3 Vectors", () => {
  test("is never sent more than it takes", () => {
    const most = (operation: string) =>
      Math.max(...remote.asked.filter((one) => one.operation === operation).map(({ members }) => members));
    expect(most("PutVectors")).toBe(500);
    expect(most("DeleteVectors")).toBe(500);
    expect(most("GetVectors")).toBe(100);
  });

  test.each<[string, Partial<Chunk>]>([
    ["tags of more than 2 KB", { tags: { "m.long": "x".repeat(2_100) } }],
    ["more than 40 KB", { text: "x".repeat(41_000) }],
    ["more than 50 keys", { tags: Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`m.${i}`, i])) }],
    ["a vector of another length", { vector: [1, 0, 0] }],
  ])("refuses %s, and the store says so", async (_what, changed) => {
    const store = openS3();
    await store.put(index, [chunk("good", 0)]);
    await expect(store.put(index, [{ ...chunk("bad", 0), ...changed }])).rejects.toMatchObject({
      name: "ValidationException",
    });
  });

  test("that cannot be reached is no empty answer", async () => {
    const nowhere = s3Vectors(VECTOR_BUCKET, {
      endpoint: "http://127.0.0.1:1",
      region: "us-east-1",
      credentials: { accessKeyId: "LOCAL", secretAccessKey: "local" },
      maxAttempts: 1,
    });
    await expect(nowhere.query(index, { vector: at(0), top: 1, filter: anything })).rejects.toThrow();
  });
});

test("a filter that S3 Vectors cannot check becomes one that lets through more", () => {
  const unknown: FilterExpression = { op: "STARTSWITH", key: "a", value: "x" };
  const known: FilterExpression = { op: "EQ", key: "b", value: 1 };
  expect(supportedFilter({ op: "AND", conditions: [unknown, known] })).toEqual({ b: { $eq: 1 } });
  expect(supportedFilter({ op: "OR", conditions: [unknown, known] })).toBeUndefined();
  expect(supportedFilter({ op: "NOT", condition: known })).toBeUndefined();
  expect(supportedFilter({ op: "AND", conditions: [known, known] })).toEqual({
    $and: [{ b: { $eq: 1 } }, { b: { $eq: 1 } }],
  });
});
