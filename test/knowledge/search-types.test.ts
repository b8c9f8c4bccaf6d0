import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newContent, planPatch, planRemoval } from "../../shared/domain/knowledge/content-plans.ts";
import { allEqual } from "../../shared/domain/knowledge/matches-filter.ts";
import { basesOf, type KnowledgeBase } from "../../shared/knowledge/base.ts";
import { connectEmbedder } from "../../shared/knowledge/embedders/connect-embedder.ts";
import { type Embedder, normalized } from "../../shared/knowledge/embedders/embedder.ts";
import { processContent } from "../../shared/knowledge/processing/process-content.ts";
import type { ProcessingDeps } from "../../shared/knowledge/processing/processing-deps.ts";
import { searchBase } from "../../shared/knowledge/search.ts";
import { weightsOf } from "../../shared/knowledge/search-type.ts";
import { wordsOfContents } from "../../shared/migrations/words-of-contents.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import type { Metadata, StoredContent } from "../../shared/schemas/knowledge/knowledge-content.ts";
import { connectVectors } from "../../shared/stores/knowledge/connect-vectors.ts";
import { contentAttributes, getContent } from "../../shared/stores/knowledge/content-item.ts";
import { dynamoVectors } from "../../shared/stores/knowledge/dynamo-vectors.ts";
import { putContent } from "../../shared/stores/knowledge/put-content.ts";
import { s3Vectors } from "../../shared/stores/knowledge/s3-vectors.ts";
import type { VectorStore } from "../../shared/stores/knowledge/vector-store.ts";
import { putObject } from "../../shared/stores/objects/object-bytes.ts";
import { contentWorker } from "../support/content-worker.ts";
import { startStores, type TestStores } from "../support/stores.ts";
import { startVectorEndpoint, VECTOR_BUCKET, type VectorEndpoint } from "../support/vector-endpoint.ts";

let stores: TestStores;
let remote: VectorEndpoint;
let base: KnowledgeBase;
let deps: ProcessingDeps;
let made = 0;
beforeAll(async () => {
  [stores, remote] = await Promise.all([startStores(), startVectorEndpoint()]);
});
afterAll(async () => {
  await stores?.stop();
  await remote?.stop();
});

/** Knows what is a car: texts about it are near each other, whatever their words. */
const embedder: Embedder = {
  id: "cars",
  provider: "test",
  description: "",
  embed: async (texts) => texts.map((text) => normalized([/car|automobile|Wagen/i.test(text) ? 1 : 0, 0.1])),
};
const none = connectEmbedder({ EMBEDDER: "none" });

const openS3 = () => {
  const credentials = { accessKeyId: "LOCAL", secretAccessKey: "local" };
  return s3Vectors(VECTOR_BUCKET, {
    endpoint: remote.endpoint,
    region: "us-east-1",
    credentials,
    maxAttempts: 1,
  });
};

const depsWith = (vectors: VectorStore, by: Embedder): ProcessingDeps =>
  contentWorker(stores.db, systemClock, { vectors, embedder: by });

beforeEach(() => {
  made += 1;
  const [first] = basesOf([{ name: `base ${made}`, max_results: 10, sources: [] }]);
  if (!first) throw new Error("there is no base");
  base = first;
});

const work = (content: Pick<StoredContent, "id" | "knowledge_id">) =>
  processContent(deps, content, Number.POSITIVE_INFINITY);

async function add(
  name: string,
  text: string,
  owner: string | null = null,
  metadata: Metadata | null = null,
  filename = "a.txt",
) {
  const address = { knowledge_id: base.id, id: randomUUID() };
  const object = await putObject(stores.db, `knowledge/${address.id}/`, Buffer.from(text));
  const file = { object, filename, mime_type: "text/plain" };
  const described = { name, owner, metadata, description: "", type: null, size: text.length, options: {} };
  await putContent(
    stores.db,
    undefined,
    newContent({ ...address, ...described, input: { kind: "held", file } }, 0),
  );
  await work(address);
  return address;
}

type How = { type?: "vector" | "keyword" | "hybrid"; owner?: string | null; filter?: Metadata; max?: number };

async function found(
  query: string,
  { type, owner, filter = {}, max = 10 }: How = {},
): Promise<(string | null)[]> {
  const results = await searchBase(deps, base, {
    query,
    max_results: max,
    filter: allEqual(filter),
    owner,
    ...(type && { weights: weightsOf(deps.embedder, base, { search_type: type }) }),
  });
  for (const { content, meta_data } of results)
    expect([content.length > 0, meta_data?.chunk]).toEqual([true, 1]);
  return results.map(({ name }) => name);
}

async function seen(address: { id: string; knowledge_id: string }): Promise<StoredContent> {
  const content = await getContent(stores.db, address);
  if (!content) throw new Error("the content is gone");
  return content;
}

describe.each(["in a table", "in S3 Vectors"])("a base with vectors %s", (kind) => {
  beforeEach(() => {
    deps = depsWith(kind === "in a table" ? dynamoVectors(stores.db) : openS3(), embedder);
  });

  test("is searched by meaning, by words, or by both", async () => {
    await add("automobile", "An automobile needs fuel.");
    await add("part", "Order part E-4711 for the pump.");
    await add("both", "The car E-4711 is in the yard.");
    const query = "car E-4711";
    expect((await found(query, { type: "vector", max: 2 })).toSorted()).toEqual(["automobile", "both"]);
    expect(await found(query, { type: "keyword" })).toEqual(["both", "part"]);
    expect((await found(query, { type: "hybrid" }))[0]).toBe("both");
    expect((await found(query)).toSorted()).toEqual(["automobile", "both", "part"]);
  });

  test.each(["keyword", "hybrid"] as const)(
    "shows first by %s where the wanted words stand together",
    async (type) => {
      const between =
        "Close it, fill the basin, wait for an hour, read the gauge twice, note both figures and sign.";
      await add("apart", `The relief works. ${between} Then open the valve.`);
      await add("together", `Open the relief valve. ${between} Then it works for the day.`);
      expect(await found("relief valves", { type })).toEqual(["together", "apart"]);
    },
  );

  test.each(["keyword", "hybrid"] as const)("shows no user by %s what they may not read", async (type) => {
    await add("shared", "The walrus is everybody's.");
    await add("mia's", "The walrus is a secret of Mia.", "mia");
    await add("tom's", "The walrus is a secret of Tom.", "tom");
    expect((await found("walrus secret", { type, owner: "mia" })).toSorted()).toEqual(["mia's", "shared"]);
    expect(await found("walrus secret", { type, owner: null })).toEqual(["shared"]);
    expect((await found("walrus secret", { type })).toSorted()).toEqual(["mia's", "shared", "tom's"]);
  });

  test.each(["keyword", "hybrid"] as const)("goes by the metadata of this moment, by %s", async (type) => {
    const content = await add("tagged", "The walrus swims.", null, { line: "old" });
    await add("other", "The walrus sleeps.", null, { line: "other" });
    expect(await found("walrus", { type, filter: { line: "old" } })).toEqual(["tagged"]);
    const before = await seen(content);
    await putContent(stores.db, before, planPatch(before, { metadata: { line: "new" } }, 0));
    // Before any worker has seen it.
    expect(await found("walrus", { type, filter: { line: "old" } })).toEqual([]);
    await work(content);
    expect(await found("walrus", { type, filter: { line: "new" } })).toEqual(["tagged"]);
  });

  test.each(["keyword", "hybrid"] as const)("finds nothing by %s of what was just removed", async (type) => {
    const content = await add("removed", "The walrus swims.");
    const before = await seen(content);
    await putContent(stores.db, before, planRemoval(before, 0));
    expect(await found("walrus", { type })).toEqual([]);
    await work(content);
    expect(await getContent(stores.db, content)).toBeUndefined();
    expect(await found("walrus", { type })).toEqual([]);
    expect([...stores.objects.held.keys()].filter((key) => key.startsWith(`words/${base.id}`))).toEqual([]);
  });

  test("finds contents from before there was an index of words: by vector at once, by words once they are migrated", async () => {
    const content = await add("older", "The automobile of the walrus.");
    const { live, ...now } = await seen(content);
    if (!live) throw new Error("it has no chunks");
    await deps.words.remove(base.id, { id: content.id, hash: live.hash });
    const { words: _, ...older } = live;
    await putContent(stores.db, { ...now, live }, { ...now, live: older });
    expect(await found("walrus", { type: "keyword" })).toEqual([]);
    expect(await found("car", { type: "vector" })).toEqual(["older"]);
    const [step] = wordsOfContents.steps;
    const record = await seen(content);
    const change = step?.up({ ...contentAttributes(record), sk: "content" });
    expect(change?.set).toMatchObject({ due_at: 0 });
    await putContent(stores.db, record, { ...record, ...change?.set, due_at: 0 });
    await work(content);
    expect(await found("walrus", { type: "keyword" })).toEqual(["older"]);
    expect(step?.up({ ...contentAttributes(await seen(content)), sk: "content" })).toBeUndefined();
  });
});

describe("a base without an embedder", () => {
  test("is searched by words, refuses what it cannot do, and keeps its texts when an embedder comes", async () => {
    const env = { VECTOR_STORE: "s3-vectors", VECTOR_BUCKET } as const;
    deps = depsWith(connectVectors(stores.db, env), none);
    await add("German", "Das Ventil vor dem Start schließen.");
    expect(await found("ventile schliessen")).toEqual(["German"]);
    expect(() => weightsOf(none, base, { search_type: "vector" })).toThrow("only be searched by keyword");
    expect(() => weightsOf(none, base, { search_type: "hybrid" })).toThrow("only be searched by keyword");
    await add(
      "long",
      `# Rotation\n\n${"Oil the bearing and close the lid.\n\n".repeat(200)}`,
      null,
      null,
      "a.md",
    );
    const query = { query: "rotation", max_results: 10, filter: allEqual({}), owner: null };
    expect((await searchBase(deps, base, query)).map(({ meta_data }) => meta_data?.chunk).toSorted()).toEqual(
      [1, 2],
    );
    // The texts are in the table: an embedder's index in S3 Vectors does not know them.
    deps = { ...deps, embedder };
    expect(await found("ventile schliessen", { type: "keyword" })).toEqual(["German"]);
  });
});

test("weights come from the request, else from the base, else both count the same", () => {
  const bare = { name: "b" };
  const own = { ...bare, weights: { vector: 3, keyword: 1 }, search_type: "hybrid" as const };
  expect(weightsOf(embedder, bare)).toEqual({ vector: 1, keyword: 1.5 });
  expect(weightsOf(embedder, own)).toEqual({ vector: 3, keyword: 1 });
  expect(weightsOf(embedder, own, { weights: { keyword: 2 } })).toEqual({ vector: 3, keyword: 2 });
  expect(weightsOf(embedder, { ...own, search_type: "keyword" })).toEqual({ vector: 0, keyword: 1 });
  expect(weightsOf(embedder, own, { search_type: "vector" })).toEqual({ vector: 1, keyword: 0 });
  expect(weightsOf(none, own)).toEqual({ vector: 0, keyword: 1 });
});
