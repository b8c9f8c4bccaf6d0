import { beforeAll, describe, expect } from "vitest";
import { allScopes, fileForm, type KnowledgeClient, knowledgeOf } from "../../knowledge/knowledge-client.ts";
import { type Client, clientOf } from "../../support/client.ts";
import type { RunningPlatform } from "../../support/platform.ts";
import { test } from "../../support/shared-platform.ts";
import { UNKNOWN_HOST } from "../../support/unknown-host.ts";

let platform: RunningPlatform;
let maria: Client;
let admin: Client;
let mine: KnowledgeClient;
test.beforeAll(async ({ platform: shared }) => {
  platform = shared;
  maria = clientOf(platform.url, platform.token("maria", allScopes));
  admin = clientOf(platform.url, platform.adminToken);
  mine = knowledgeOf(maria);
}, 300_000);

const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

describe("access", () => {
  test("no credential is 401, a missing scope 403, and reading needs knowledge:read alone", async () => {
    const form = { text_content: "x" };
    expect((await clientOf(platform.url).post("/knowledge/content", { form })).status).toBe(401);
    const reader = clientOf(platform.url, platform.token("maria", ["knowledge:read"]));
    expect((await reader.post("/knowledge/content", { form })).status).toBe(403);
    expect((await reader.get("/knowledge/content")).status).toBe(200);
    expect((await reader.get("/knowledge/config")).status).toBe(200);
    expect((await reader.call("DELETE", "/knowledge/content/x")).status).toBe(403);
  });
});

describe("an upload", () => {
  test("of a file is answered with what was said of it, and with nothing that is only known later", async () => {
    const form = fileForm("pump.md", "# Pump\nPrime it.", "text/markdown", {
      description: "Rev C",
      metadata: '{"line":"pumps"}',
    });
    const { status, json } = await mine.upload(form);
    expect(status).toBe(202);
    expect(json).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: "pump.md",
      description: "Rev C",
      type: null,
      size: null,
      linked_to: null,
      metadata: { line: "pumps" },
      access_count: null,
      status: "processing",
      status_message: null,
      created_at: null,
      updated_at: null,
    });
    // The record is there before the answer is.
    expect((await mine.show(json.id)).status).toBe(200);
    expect(await mine.ended(json.id)).toEqual({ id: json.id, status: "completed", status_message: "" });
    expect((await mine.show(json.id)).json).toMatchObject({
      type: "text/markdown",
      size: "16",
      metadata: { line: "pumps" },
      status: "completed",
      status_message: "",
      created_at: expect.stringMatching(RFC3339),
      updated_at: expect.stringMatching(RFC3339),
    });
  });

  test("of a text may be urlencoded, and has type manual", async () => {
    const { id, status } = await mine.added({ text_content: "A text about whales and nothing else." });
    expect(status).toBe("completed");
    expect((await mine.show(id)).json).toMatchObject({ type: "manual", name: "A text abo", size: "37" });
  });

  test.each([
    ["nothing", {}],
    ["an empty text", { text_content: "" }],
    ["a text and an address", { text_content: "x", url: "https://example.com/x.txt" }],
    ["a list of addresses that is none", { url: "[1]" }],
    ["a depth without an address", { text_content: "x", depth: "1" }],
    ["a site by its map and by its links", { url: "https://example.com/", sitemap: "true", depth: "1" }],
    ["most pages of no site", { url: "https://example.com/", max_pages: "5" }],
    ["a site whose address is none", { url: "example", sitemap: "true" }],
  ])("of %s is 400", async (_what, form) => {
    expect((await mine.upload(form)).status).toBe(400);
  });

  test("of a file and a text at once is 400", async () => {
    expect((await mine.upload(fileForm("a.txt", "a", "text/plain", { text_content: "b" }))).status).toBe(400);
  });

  test("with a chunk_size that is no number is 422, and says where", async () => {
    const { status, json } = await mine.upload({ text_content: "x", chunk_size: "abc" });
    expect(status).toBe(422);
    expect(json.detail[0].loc).toEqual(["body", "chunk_size"]);
  });

  test("keeps metadata that is a JSON object, makes a value of other text, and refuses other JSON", async () => {
    const said = await mine.upload({ text_content: "meta one", metadata: '{"a":1,"_agno":{"x":1}}' });
    expect(said.json.metadata).toEqual({ a: 1 });
    expect((await mine.upload({ text_content: "meta two", metadata: "red" })).json.metadata).toEqual({
      value: "red",
    });
    expect((await mine.upload({ text_content: "meta three", metadata: "[1]" })).status).toBe(422);
    expect((await mine.upload({ text_content: "meta four", metadata: "x".repeat(50_001) })).status).toBe(422);
  });

  test("twice is one content with one set of chunks", async () => {
    const form = () => fileForm("twice.txt", "The same words about zeppelins twice.", "text/plain");
    const one = await mine.added(form());
    const two = await mine.added(form());
    expect(two.id).toBe(one.id);
    const found = await mine.found({ query: "zeppelins", max_results: 50 });
    expect(found.filter(({ content_id }) => content_id === one.id)).toHaveLength(1);
    const { json } = await mine.list("limit=100");
    expect(json.data.filter(({ id }: { id: string }) => id === one.id)).toHaveLength(1);
  });

  test("of changed bytes replaces the chunks of the same content", async () => {
    const first = await mine.added(fileForm("changing.txt", "Otters eat fish.", "text/plain"));
    const second = await mine.added(fileForm("changing.txt", "Badgers eat worms.", "text/plain"));
    expect(second).toMatchObject({ id: first.id, status: "completed" });
    const found = await mine.found({ query: "badgers otters eat", max_results: 100 });
    const texts = found.filter(({ content_id }) => content_id === first.id).map(({ content }) => content);
    expect(texts).toEqual(["Badgers eat worms."]);
    expect((await mine.show(first.id)).json.size).toBe("18");
  });

  test("of an empty file ends failed, and says why", async () => {
    const { status, status_message } = await mine.added(fileForm("empty.txt", "", "text/plain"));
    expect({ status, status_message }).toEqual({ status: "failed", status_message: "The file is empty." });
  });

  test("with an unknown reader is read all the same; an unknown chunker or an overlap that is too large ends failed", async () => {
    expect((await mine.added({ text_content: "unknown reader", reader_id: "zebra" })).status).toBe(
      "completed",
    );
    const chunker = await mine.added({
      text_content: "unknown chunker",
      reader_id: "text",
      chunker: "Zebra",
    });
    expect(chunker).toMatchObject({ status: "failed", status_message: expect.stringContaining("Zebra") });
    expect((await mine.show(chunker.id)).json.status).toBe("failed");
    const sizes = { reader_id: "text", chunker: "FixedSizeChunker", chunk_size: "5", chunk_overlap: "5" };
    expect((await mine.added({ text_content: "an overlap", ...sizes })).status).toBe("failed");
  });

  test.each([
    ["a malformed address", "not an address"],
    ["another protocol", "ftp://example.com/file"],
    ["a loopback address", "http://127.0.0.1:1/secret.txt"],
    ["a loopback name", "http://localhost:1/secret.txt"],
    ["the address where clouds keep credentials", "http://169.254.169.254/latest/meta-data/"],
    ["an address in numbers", "http://2130706433/"],
    ["an IPv6 loopback", "http://[::1]/"],
    ["an IPv4 address inside an IPv6 one", "http://[::ffff:10.0.0.1]/"],
  ])("of %s is refused, and nothing is stored", async (_what, url) => {
    const before = (await mine.list()).json.meta.total_count;
    expect(await mine.upload({ url })).toMatchObject({ status: 400, json: { error_code: "BAD_REQUEST" } });
    expect((await mine.list()).json.meta.total_count).toBe(before);
  });

  test("of metadata that no vector store takes ends failed with a reason", async () => {
    const metadata = JSON.stringify({ long: "x".repeat(3_000) });
    const { status, status_message } = await mine.added({ text_content: "too much metadata", metadata });
    expect({ status, status_message }).toEqual({
      status: "failed",
      status_message: "The metadata is larger than 2048 bytes.",
    });
  });

  test("larger than a request may be is 413", async () => {
    const form = fileForm("big.txt", "x".repeat(5_000_000), "text/plain");
    const { status, json } = await mine.upload(form);
    expect({ status, json }).toEqual({
      status: 413,
      json: {
        detail:
          "a request body may hold at most 4700000 bytes; POST /knowledge/content/upload-url gives an address for larger files",
        error_code: "PAYLOAD_TOO_LARGE",
      },
    });
  });
});

test("a content whose worker loses its connection half-way is processed again, and ends", async () => {
  let lost = 0;
  platform.faults.set(({ caller, operation }) => {
    const isWriting =
      caller.environment.POWERTOOLS_SERVICE_NAME === "knowledge-worker" && operation === "BatchWriteItem";
    if (!isWriting || lost === 4) return undefined;
    lost += 1;
    return "drop";
  });
  try {
    const { id, status } = await mine.added({ text_content: "Wombats dig on, whatever breaks." });
    expect({ status, lost }).toEqual({ status: "completed", lost: 4 });
    const found = await mine.found({ query: "wombats dig", max_results: 50 });
    expect(found.filter(({ content_id }) => content_id === id)).toHaveLength(1);
  } finally {
    platform.faults.clear();
  }
});

describe("chunks", () => {
  test("of a table are its rows, with their numbers", async () => {
    const { id } = await mine.added(
      fileForm("colours.csv", "name,hex\nteal,008080\nochre,cc7722\n", "text/csv"),
    );
    const found = await mine.found({ query: "teal ochre name hex", max_results: 50 });
    const rows = found.filter(({ content_id }) => content_id === id);
    expect(rows.map(({ content, meta_data }) => [meta_data?.row_number, content]).toSorted()).toEqual([
      [1, "name, hex"],
      [2, "teal, 008080"],
      [3, "ochre, cc7722"],
    ]);
  });

  test("of a fixed size are cut at blanks", async () => {
    const sizes = {
      reader_id: "Text Reader",
      chunker: "FixedSizeChunker",
      chunk_size: "10",
      chunk_overlap: "2",
    };
    const { id } = await mine.added({
      text_content: "quokka walks  and\nquokka sits",
      name: "quokkas",
      ...sizes,
    });
    const found = await mine.found({ query: "quokka walks sits and", max_results: 50 });
    const chunks = found.filter(({ content_id }) => content_id === id).map(({ content }) => content);
    expect(chunks.length).toBeGreaterThan(2);
    for (const chunk of chunks) expect(chunk.length).toBeLessThanOrEqual(10);
    expect(chunks).toContain("quokka");
  });
});

describe("one content", () => {
  test("that is unknown is 404, also for who polls it", async () => {
    const { id } = { id: "0b8f2c1e-6f57-5b0e-9a55-4c7ad0d5a111" };
    expect((await mine.show(id)).status).toBe(404);
    const { status, json } = await maria.get(mine.path(`/${id}/status`));
    expect([status, json.error_code]).toEqual([404, "NOT_FOUND"]);
    expect((await mine.patch(id, { name: "x" })).status).toBe(404);
    expect((await mine.remove(id)).status).toBe(404);
  });

  test("is fetched again from its address; one that was sent has none, and an unknown one is 404", async () => {
    const { id, status } = await mine.added({ url: `https://${UNKNOWN_HOST}/again.txt` });
    expect(status).toBe("failed");
    const again = await maria.post(mine.path(`/${id}/refresh`));
    expect(again).toMatchObject({ status: 202, json: { id, status: "processing", type: "url" } });
    expect((await mine.ended(id)).status).toBe("failed");
    const sent = await mine.added({ text_content: "a text about okapis" });
    expect(await maria.post(mine.path(`/${sent.id}/refresh`))).toMatchObject({
      status: 400,
      json: { error_code: "BAD_REQUEST" },
    });
    expect((await maria.post(mine.path("/0b8f2c1e-6f57-5b0e-9a55-4c7ad0d5a111/refresh"))).status).toBe(404);
  });

  test("takes a new name, a description and metadata, which is merged; blank fields change nothing", async () => {
    const metadata = '{"a":1,"b":1}';
    const { id } = await mine.added({ text_content: "patched text about lemurs", name: "old", metadata });
    const before = (await mine.show(id)).json;
    const { status, json } = await mine.patch(id, {
      name: "new",
      description: "",
      metadata: '{"b":2,"c":"x"}',
    });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      name: "new",
      description: "",
      type: "manual",
      metadata: { a: 1, b: 2, c: "x" },
    });
    expect(json.updated_at >= before.updated_at).toBe(true);
    expect((await mine.show(id)).json).toEqual(json);
    const found = await mine.found({ query: "lemurs", filters: { c: "x", b: 2 } });
    expect(found.map(({ content_id, meta_data }) => [content_id, meta_data?.b])).toEqual([[id, 2]]);
    expect(await mine.found({ query: "lemurs", filters: { b: 1 } })).toEqual([]);
  });

  test.each([
    ["metadata that is no JSON", { metadata: "{" }, 400],
    ["metadata that is no object", { metadata: "[]" }, 400],
    ["metadata that cannot be searched by", { metadata: JSON.stringify({ x: "y".repeat(2_100) }) }, 400],
    ["a reader that the base does not have", { reader_id: "text" }, 400],
    ["a name of 256 characters", { name: "n".repeat(256) }, 422],
    ["a description of 1001 characters", { description: "d".repeat(1_001) }, 422],
  ])("refuses %s", async (_what, form, status) => {
    const { id } = await mine.added({ text_content: "a text that never changes", name: "unchanged" });
    expect((await mine.patch(id, form as Record<string, string>)).status).toBe(status);
    expect((await mine.show(id)).json).toMatchObject({ name: "unchanged", metadata: null });
  });

  test("is gone for everybody once it is deleted, and may come back", async () => {
    const form = { text_content: "a text about narwhals", name: "narwhals" };
    const { id } = await mine.added(form);
    expect(await mine.found({ query: "narwhals", max_results: 1 })).toMatchObject([{ content_id: id }]);
    expect(await mine.remove(id)).toMatchObject({ status: 200, json: { id } });
    expect((await mine.remove(id)).status).toBe(404);
    expect((await mine.show(id)).status).toBe(404);
    const left = await mine.found({ query: "narwhals", max_results: 100 });
    expect(left.filter(({ content_id }) => content_id === id)).toEqual([]);
    expect(await mine.added(form)).toMatchObject({ id, status: "completed" });
    expect(await mine.found({ query: "narwhals", max_results: 1 })).toMatchObject([{ content_id: id }]);
  });
});

describe("the list", () => {
  test("shows the newest first, sorts by name when asked, and knows its total", async () => {
    const tina = knowledgeOf(clientOf(platform.url, platform.token("tina", allScopes)));
    const shared = (await tina.list()).json.meta.total_count;
    for (const name of ["b", "a", "c"]) await tina.added({ text_content: `tina's ${name}`, name });
    const names = async (more: string) => {
      const { status, json } = await tina.list(more);
      expect(status).toBe(200);
      expect(json.meta.total_count).toBe(shared + 3);
      return json.data.map(({ name }: { name: string }) => name).filter((name: string) => name.length === 1);
    };
    expect((await names("limit=100&sort_by=name&sort_order=asc")).join("")).toBe("abc");
    expect((await names("limit=100")).toSorted().join("")).toBe("abc");
    expect(await names("limit=100&sort_by=zebra")).toEqual(await names("limit=100"));
    expect(await names("page=9&limit=50")).toEqual([]);
    expect((await tina.list("limit=0")).status).toBe(422);
    expect((await tina.list("page=0")).json.meta.page).toBe(0);
    const created = (await tina.list("limit=100")).json.data.map(
      (one: { created_at: string }) => one.created_at,
    );
    expect(created).toEqual(created.toSorted().toReversed());
  });
});

describe("a search", () => {
  beforeAll(async () => {
    for (let i = 0; i < 12; i += 1) {
      const metadata = JSON.stringify({ line: i % 2 ? "odd" : "even", n: i, all: true });
      await mine.added({ text_content: `Marmots whistle, number ${i}.`, name: `marmot ${i}`, metadata });
    }
  });
  const query = "marmots whistle";

  test("finds ten at most, or as many as are asked for, and counts what it found", async () => {
    const { json } = await mine.search({ query });
    expect(json.data).toHaveLength(10);
    expect(json.meta).toMatchObject({ page: 1, limit: 20, total_count: 10, total_pages: 1 });
    expect(json.meta.search_time_ms).toBeGreaterThan(0);
    expect((await mine.search({ query, max_results: 3 })).json.meta.total_count).toBe(3);
    expect(json.data[0]).toEqual({
      id: expect.any(String),
      content: expect.stringContaining("Marmots"),
      name: expect.stringContaining("marmot"),
      meta_data: expect.objectContaining({
        all: true,
        chunk: 1,
        chunk_size: expect.any(Number),
        linked_to: "handbook",
      }),
      usage: null,
      reranking_score: null,
      content_id: expect.any(String),
      content_origin: null,
      size: expect.any(Number),
    });
  });

  test("shows a page of what it found", async () => {
    const all = await mine.found({ query });
    const { json } = await mine.search({ query, meta: { limit: 1, page: 2 } });
    expect(json.data).toEqual([all[1]]);
    expect((await mine.search({ query, meta: { limit: 20, page: 2 } })).json.data).toEqual([]);
  });

  test("is narrowed by filters, all of which must hold", async () => {
    const odd = await mine.found({ query, max_results: 50, filters: { line: "odd", all: true } });
    expect(odd.map(({ meta_data }) => Number(meta_data?.n)).toSorted((a, b) => a - b)).toEqual([
      1, 3, 5, 7, 9, 11,
    ]);
    expect(await mine.found({ query, filters: { line: "odd", n: 2 } })).toEqual([]);
    expect(await mine.found({ query, filters: { unknown: "has this" } })).toEqual([]);
  });

  test.each([
    ["no query", {}],
    ["max_results 0", { query, max_results: 0 }],
    ["max_results 1001", { query, max_results: 1001 }],
    ["page 0", { query, meta: { page: 0 } }],
    ["a list of filters", { query, filters: [] }],
    ["a filter that compares with an object", { query, filters: { a: {} } }],
    ["another search type", { query, search_type: "magic" }],
  ])("refuses %s with 422", async (_what, body) => {
    expect((await mine.search(body)).status).toBe(422);
  });

  test("may name the vector database, and no other", async () => {
    const { json } = await maria.get("/knowledge/config");
    const vector_db_ids = [json.vector_dbs[0].id];
    expect((await mine.search({ query, vector_db_ids })).status).toBe(200);
    expect((await mine.search({ query, vector_db_ids: ["another"] })).status).toBe(400);
    for (const search_type of json.vector_dbs[0].search_types) {
      expect((await mine.search({ query, search_type })).status).toBe(200);
    }
  });

  test("says that it cannot search by meaning where no embedder is configured", async () => {
    for (const search_type of ["vector", "hybrid"]) {
      const { status, json } = await mine.search({ query, search_type });
      expect([status, json.detail]).toEqual([400, expect.stringContaining("only be searched by keyword")]);
    }
  });

  test("takes weights, and refuses those that are none", async () => {
    expect((await mine.search({ query, weights: { keyword: 2 } })).status).toBe(200);
    expect((await mine.search({ query, weights: { keyword: -1 } })).status).toBe(422);
  });

  test("may ask nothing", async () => {
    expect((await mine.search({ query: "" })).status).toBe(200);
  });
});

describe("the configuration", () => {
  test("names readers, chunkers and types that fit together, and the embedder", async () => {
    const { json } = await maria.get("/knowledge/config");
    for (const { chunkers } of Object.values<{ chunkers: string[] }>(json.readers)) {
      for (const key of chunkers) expect(json.chunkers).toHaveProperty(key);
    }
    for (const ids of Object.values<string[]>(json.readersForType)) {
      for (const id of ids) expect(json.readers).toHaveProperty(id);
    }
    expect(Object.keys(json.readers)).toEqual(
      expect.arrayContaining(["text", "markdown", "csv", "json", "pdf", "docx", "website"]),
    );
    expect(json.embedder).toMatchObject({
      id: "none",
      description: expect.stringContaining("searches find words"),
    });
    expect(json.vector_dbs).toMatchObject([{ id: "dynamodb", search_types: ["keyword"] }]);
    expect(json.chunkers).not.toHaveProperty("SemanticChunker");
    expect(json.remote_content_sources).toBeNull();
  });

  test("lists the metadata of what is there", async () => {
    const uma = knowledgeOf(clientOf(platform.url, platform.token("uma", allScopes)));
    const filters = async () => (await uma.client.get("/knowledge/config")).json.filters;
    const { id } = await uma.added({ text_content: "uma", metadata: '{"umas_key":1,"_agno":1}' });
    expect(await filters()).toContain("umas_key");
    expect(await filters()).not.toContain("_agno");
    await uma.patch(id, { metadata: '{"umas_other":1}' });
    expect(await filters()).toContain("umas_other");
    await uma.remove(id);
    expect(await filters()).not.toContain("umas_key");
  });

  test("of the platform shows the base, under an id that follows from its name", async () => {
    const { json } = await admin.get("/config");
    expect(json.knowledge).toEqual({
      dbs: [{ db_id: "main", domain_config: { display_name: "main" }, tables: ["knowledge_contents"] }],
      knowledge_instances: [
        {
          // SHA-256 of main:knowledge_contents:handbook
          id: "85c9c664-e3cd-8dd4-4e98-04c3a45da2e5",
          name: "handbook",
          description: expect.any(String),
          db_id: "main",
          table: "knowledge_contents",
        },
      ],
    });
  });
});

describe("users", () => {
  let otto: KnowledgeClient;
  let all: KnowledgeClient;
  beforeAll(() => {
    otto = knowledgeOf(clientOf(platform.url, platform.token("otto", allScopes)));
    all = knowledgeOf(admin);
  });

  test("see their own contents and the shared ones, and change only their own", async () => {
    const own = await mine.added({
      text_content: "Maria's secret is the walrus.",
      name: "secret",
      metadata: '{"marias":1}',
    });
    const shared = await all.added({ text_content: "Everybody knows the walrus.", name: "shared walrus" });
    expect((await otto.show(own.id)).status).toBe(404);
    expect((await otto.client.get(otto.path(`/${own.id}/status`))).status).toBe(404);
    expect((await otto.patch(own.id, { name: "x" })).status).toBe(404);
    expect((await otto.remove(own.id)).status).toBe(404);
    expect((await otto.show(shared.id)).status).toBe(200);
    expect((await otto.patch(shared.id, { name: "x" })).status).toBe(403);
    expect((await otto.remove(shared.id)).status).toBe(403);
    const seen = (await otto.list("limit=1000")).json.data.map(({ id }: { id: string }) => id);
    expect(seen).toContain(shared.id);
    expect(seen).not.toContain(own.id);
    const found = (await otto.found({ query: "walrus", max_results: 1000 })).map(
      ({ content_id }) => content_id,
    );
    expect(found).toContain(shared.id);
    expect(found).not.toContain(own.id);
    expect((await otto.client.get("/knowledge/config")).json.filters).not.toContain("marias");
    const marias = (await mine.found({ query: "walrus", max_results: 2 })).map(
      ({ content_id }) => content_id,
    );
    expect(marias.toSorted()).toEqual([own.id, shared.id].toSorted());
    // An admin sees everything.
    expect((await all.show(own.id)).status).toBe(200);
    expect((await all.list("limit=1000")).json.data.map(({ id }: { id: string }) => id)).toContain(own.id);
  });

  test("have contents of their own of the same text", async () => {
    const form = { text_content: "the very same text", name: "same" };
    const [one, two] = [await mine.added(form), await otto.added(form)];
    expect(one.id).not.toBe(two.id);
  });

  test("delete all that is theirs, and nothing else", async () => {
    const vera = knowledgeOf(clientOf(platform.url, platform.token("vera", allScopes)));
    const own = [];
    for (const n of [1, 2, 3]) own.push((await vera.added({ text_content: `vera ${n}`, name: `v${n}` })).id);
    const shared = await all.added({ text_content: "shared and kept" });
    const marias = await mine.added({ text_content: "maria's and kept" });
    const { status, text } = await vera.removeAll();
    expect({ status, text }).toEqual({ status: 200, text: '"success"' });
    for (const id of own) expect((await vera.show(id)).status).toBe(404);
    expect((await vera.show(shared.id)).status).toBe(200);
    expect((await mine.show(marias.id)).status).toBe(200);
  });
});
