import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunOutput } from "../../shared/schemas/run.ts";
import { type Client, clientOf } from "../support/client.ts";
import { startPlatform, type TestPlatform } from "../support/platform.ts";
import { allScopes, type KnowledgeClient, knowledgeOf } from "./knowledge-client.ts";

/**
 * A platform with two bases whose vectors are in S3 Vectors, a bucket and a repository as sources, and a web server on
 * this machine that may be fetched from.
 */
let platform: TestPlatform;
let dataDir: string;
let web: Server;
let maria: Client;
let admin: Client;
let handbook: KnowledgeClient;
let manuals: KnowledgeClient;
let manualsId: string;

const pages: Record<string, { status?: number; headers?: Record<string, string>; body: string }> = {
  "/tapirs": {
    headers: { "content-type": "text/html" },
    body: "<title>Tapirs</title><p>Tapirs <b>swim</b>.<script>no()</script>",
  },
  "/notes.md": { body: "# Okapis\nOkapis hide in forests." },
  "/moved": { status: 302, headers: { location: "/notes.md" }, body: "" },
  "/to-metadata": { status: 302, headers: { location: "http://169.254.169.254/latest/" }, body: "" },
  "/round": { status: 302, headers: { location: "/round" }, body: "" },
  "/gone": { status: 404, body: "gone" },
  "/blank": { headers: { "content-type": "text/html" }, body: "<script>1</script>" },
  "/repos/acme/docs/git/trees/HEAD": {
    body: JSON.stringify({
      tree: [
        { path: "guides/yak.md", type: "blob" },
        { path: "guides", type: "tree" },
      ],
    }),
  },
  "/repos/acme/docs/contents/guides/yak.md": { body: "Yaks carry loads." },
};
const asked: string[] = [];

const objects = {
  "manuals/pump.txt": "Ibexes climb pumps.",
  "manuals/2026/valve.md": "# Valve\nIbexes close valves.",
  "manuals/2026/seal.md": "# Seal\nIbexes grease seals.",
  "other.txt": "Nobody asked for this.",
};

beforeAll(async () => {
  web = createServer((incoming, response) => {
    const path = new URL(incoming.url ?? "/", "http://web").pathname;
    asked.push(path);
    const { status = 200, headers = {}, body } = pages[path] ?? { status: 404, body: "" };
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(web.address() as AddressInfo).port}`; // a TCP server's
  dataDir = mkdtempSync(join(tmpdir(), "platform-"));
  for (const [key, text] of Object.entries(objects)) {
    // As the local bucket keeps objects: a file each, in folders by the key, dots encoded.
    const file = join(
      dataDir,
      "s3",
      "team-files",
      ...key.split("/").map((part) => part.replaceAll(".", "%2E")),
    );
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const bases = [
    { name: "handbook" },
    {
      name: "manuals",
      description: "Device manuals",
      sources: [
        { type: "s3", id: "team-bucket", name: "Team files", bucket: "team-files", prefix: "manuals/" },
        { type: "s3", id: "no-bucket", bucket: "there-is-none" },
        { type: "github", id: "docs", api_url: `http://${host}` },
      ],
    },
  ];
  platform = await startPlatform({
    dataDir,
    env: {
      KNOWLEDGE_BASES: JSON.stringify(bases),
      VECTOR_STORE: "s3-vectors",
      FETCH_ALLOWED_HOSTS: host,
    },
  });
  maria = clientOf(platform.url, platform.token("maria", [...allScopes, "agents:run", "agents:read"]));
  admin = clientOf(platform.url, platform.adminToken);
  const { json } = await admin.get("/config");
  const idOf = (name: string) =>
    json.knowledge.knowledge_instances.find((one: { name: string }) => one.name === name)?.id;
  manualsId = idOf("manuals");
  handbook = knowledgeOf(maria, `knowledge_id=${idOf("handbook")}`);
  manuals = knowledgeOf(maria, `knowledge_id=${manualsId}`);
}, 300_000);
afterAll(async () => {
  await platform?.stop();
  web?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const here = (path: string) => `http://127.0.0.1:${(web.address() as AddressInfo).port}${path}`;

describe("a base", () => {
  test("must be named where there are several, by an id that is known", async () => {
    const form = { text_content: "x" };
    const none = await maria.get("/knowledge/content");
    expect(none.status).toBe(400);
    expect(none.json.detail).toContain(manualsId);
    expect((await maria.get("/knowledge/content?db_id=main")).status).toBe(400);
    expect((await maria.get("/knowledge/content?db_id=other")).status).toBe(404);
    expect((await maria.get("/knowledge/content?knowledge_id=other")).status).toBe(404);
    expect((await maria.post("/knowledge/content?knowledge_id=other", { form })).status).toBe(404);
    expect((await maria.post("/knowledge/search", { json: { query: "x" } })).status).toBe(400);
    expect((await manuals.list()).status).toBe(200);
  });

  test("keeps its contents to itself", async () => {
    const { id } = await handbook.added({ text_content: "The handbook speaks of axolotls." });
    expect((await manuals.show(id)).status).toBe(404);
    expect((await manuals.remove(id)).status).toBe(404);
    expect((await manuals.list("limit=100")).json.data.map((one: { id: string }) => one.id)).not.toContain(
      id,
    );
    expect(await manuals.found({ query: "axolotls" })).toEqual([]);
    expect(await handbook.found({ query: "axolotls", max_results: 1 })).toMatchObject([{ content_id: id }]);
    await manuals.removeAll();
    expect((await handbook.show(id)).status).toBe(200);
  });
});

describe("an address", () => {
  test("of a page gives its text", async () => {
    const { id, status } = await handbook.added({ url: here("/tapirs") });
    expect(status).toBe("completed");
    const [hit] = await handbook.found({ query: "tapirs swim", max_results: 1 });
    expect(hit).toMatchObject({ content_id: id, content: "Tapirs swim.", meta_data: { title: "Tapirs" } });
  });

  test("may lead on, also as one of several, each of which is a content", async () => {
    const url = JSON.stringify([here("/moved"), here("/notes.md")]);
    const { json } = await handbook.upload({ url });
    expect((await handbook.ended(json.id)).status).toBe("completed");
    const named = async (path: string) =>
      (await handbook.list("limit=100")).json.data.filter(
        ({ name }: { name: string }) => name === here(path),
      );
    const [second] = await named("/notes.md");
    expect((await handbook.ended(second.id)).status).toBe("completed");
    expect(await handbook.found({ query: "okapis hide", max_results: 2 })).toHaveLength(2);
  });

  test("is read again when it is added again: what has changed replaces what was there", async () => {
    pages["/changing.txt"] = { body: "First there were dodos." };
    const first = await handbook.added({ url: here("/changing.txt") });
    pages["/changing.txt"] = { body: "Then there were kiwis." };
    const second = await handbook.added({ url: here("/changing.txt") });
    expect(second.id).toBe(first.id);
    const found = await handbook.found({ query: "dodos kiwis there were", max_results: 50 });
    expect(found.filter(({ content_id }) => content_id === first.id).map(({ content }) => content)).toEqual([
      "Then there were kiwis.",
    ]);
  });

  test.each([
    ["leads to where clouds keep credentials", "/to-metadata", "not public"],
    ["leads round in circles", "/round", "redirects"],
    ["is not there", "/gone", "404"],
    ["has no text", "/blank", "no text"],
  ])("that %s ends failed, and says why", async (_what, path, reason) => {
    const { status, status_message } = await handbook.added({ url: here(path) });
    expect({ status, status_message }).toEqual({
      status: "failed",
      status_message: expect.stringContaining(reason),
    });
  });

  test("on this machine is not fetched through another port than the one that is allowed", async () => {
    const before = asked.length;
    const { status } = await handbook.added({ url: "http://127.0.0.1:9/notes.md" });
    expect(status).toBe("failed");
    expect(asked).toHaveLength(before);
  });
});

describe("a large file", () => {
  const large = `${"Nothing to see here. ".repeat(280_000)}Somewhere at the end there are capybaras.`;

  test("is sent to the bucket itself, and processed like any other", { timeout: 120_000 }, async () => {
    const bytes = Buffer.from(large);
    expect(bytes.length).toBeGreaterThan(4_700_000);
    const query = handbook.path().split("?")[1];
    const json = { filename: "large.txt", mime_type: "text/plain", size: bytes.length };
    const address = await maria.post(`/knowledge/content/upload-url?${query}`, { json });
    expect(address).toMatchObject({
      status: 201,
      json: { method: "PUT", headers: { "content-type": "text/plain" } },
    });
    const { upload_id, url, headers } = address.json;
    const form = { upload_id, name: "large" };
    expect((await handbook.upload(form)).status).toBe(400);
    const short = await fetch(url, { method: "PUT", headers, body: "short" });
    expect(short.status).toBe(403);
    const other = await fetch(url.replace(upload_id, "other"), { method: "PUT", headers, body: bytes });
    expect(other.status).toBe(403);
    expect((await fetch(url, { method: "PUT", headers, body: bytes })).status).toBe(200);
    const otto = knowledgeOf(clientOf(platform.url, platform.token("otto", allScopes)), query);
    expect((await otto.upload(form)).status).toBe(404);
    const { json: accepted } = await handbook.upload(form);
    expect(await handbook.ended(accepted.id, 90_000)).toMatchObject({ status: "completed" });
    expect((await handbook.show(accepted.id)).json).toMatchObject({
      size: String(bytes.length),
      type: "text/plain",
    });
    const [hit] = await handbook.found({ query: "capybaras somewhere at the end", max_results: 1 });
    expect(hit?.content).toContain("capybaras");
    // More chunks than one request to the vector store takes: all of them go.
    await handbook.remove(accepted.id);
    expect(await handbook.found({ query: "capybaras", filters: {}, max_results: 5 })).not.toContainEqual(
      expect.objectContaining({ content_id: accepted.id }),
    );
  });

  test("of more than can be processed gets no address", async () => {
    const query = handbook.path().split("?")[1];
    const json = { filename: "x", size: 60_000_000 };
    expect((await maria.post(`/knowledge/content/upload-url?${query}`, { json })).status).toBe(413);
  });
});

describe("sources", () => {
  const sources = (id: string, rest = "") => maria.get(`/knowledge/${id}/sources${rest}`);

  test("are listed, by base", async () => {
    const { json } = await sources(manualsId);
    expect(json).toEqual([
      {
        id: "team-bucket",
        name: "Team files",
        type: "s3",
        metadata: { bucket: "team-files" },
        prefix: "manuals/",
      },
      expect.objectContaining({ id: "no-bucket" }),
      { id: "docs", name: "docs", type: "github", metadata: null, prefix: null },
    ]);
    expect(
      (await maria.get(`/knowledge/config?knowledge_id=${manualsId}`)).json.remote_content_sources,
    ).toHaveLength(3);
    expect((await sources(handbook.path().split("=")[1] ?? "")).json).toEqual([]);
    expect((await sources("unknown")).status).toBe(404);
  });

  test("that are buckets show their files and folders, page by page", async () => {
    const { json } = await sources(manualsId, "/team-bucket/files");
    expect(json).toMatchObject({
      source_id: "team-bucket",
      source_name: "Team files",
      prefix: "manuals/",
      folders: [{ prefix: "manuals/2026/", name: "2026", is_empty: false }],
      files: [
        {
          key: "manuals/pump.txt",
          name: "pump.txt",
          size: 19,
          last_modified: expect.stringMatching(/Z$/),
          content_type: "text/plain",
        },
      ],
      meta: { page: 1, limit: 100 },
    });
    const first = (await sources(manualsId, "/team-bucket/files?limit=1")).json;
    const second = (await sources(manualsId, "/team-bucket/files?limit=1&page=2")).json;
    expect(first).toMatchObject({ folders: [{ name: "2026" }], files: [], meta: { total_pages: 2 } });
    expect(second).toMatchObject({ folders: [], files: [{ name: "pump.txt" }] });
    const below = (await sources(manualsId, "/team-bucket/files?prefix=manuals/2026/")).json;
    expect(below.files.map(({ name }: { name: string }) => name)).toEqual(["seal.md", "valve.md"]);
  });

  test.each([
    ["an unknown source", "/unknown/files", 404],
    ["a source that is no bucket", "/docs/files", 400],
    ["a bucket that is not there", "/no-bucket/files", 404],
    ["a limit that is too high", "/team-bucket/files?limit=1001", 422],
    ["page 0", "/team-bucket/files?page=0", 422],
  ])("answer %s", async (_what, path, status) => {
    expect((await sources(manualsId, path)).status).toBe(status);
  });
});

describe("remote content", () => {
  const add = (form: Record<string, string>) =>
    maria.post(`/knowledge/remote-content?knowledge_id=${manualsId}`, { form });
  const addedRemote = async (form: Record<string, string>) => {
    const { status, json } = await add(form);
    expect(status).toBe(202);
    return { id: String(json.id), ...(await manuals.ended(json.id)) };
  };

  test.each([
    ["no path", { config_id: "team-bucket" }, 422],
    ["no source", { path: "x" }, 422],
    ["an unknown source", { config_id: "unknown", path: "x" }, 400],
    ["parameters that are no JSON", { config_id: "docs", path: "x", source_params: "{" }, 400],
    ["parameters that are no object", { config_id: "docs", path: "x", source_params: "[]" }, 400],
    ["other parameters", { config_id: "docs", path: "x", source_params: '{"branch":"x"}' }, 400],
    ["parameters of a bucket", { config_id: "team-bucket", path: "x", source_params: '{"repo":"a/b"}' }, 400],
    ["no repository", { config_id: "docs", path: "x" }, 400],
  ])("refuses %s", async (_what, form, status) => {
    expect((await add(form as Record<string, string>)).status).toBe(status);
  });

  test("is one object of a bucket", async () => {
    const { id, status } = await addedRemote({ config_id: "team-bucket", path: "manuals/pump.txt" });
    expect(status).toBe("completed");
    expect((await manuals.show(id)).json).toMatchObject({ name: "manuals/pump.txt", type: "s3", size: "19" });
    expect((await manuals.found({ query: "ibexes climb", max_results: 1 }))[0]?.content_id).toBe(id);
  });

  test("is every object of a folder, each a content, and done when they are", {
    timeout: 60_000,
  }, async () => {
    const form = { config_id: "team-bucket", path: "manuals/2026/", name: "year", metadata: '{"year":2026}' };
    const { id, status } = await addedRemote(form);
    expect({ id, status }).toEqual({ id, status: "completed" });
    const found = await manuals.found({ query: "ibexes valves seals", filters: { year: 2026 } });
    expect(found.map(({ name }) => name).toSorted()).toEqual(["year/seal.md", "year/valve.md"]);
  });

  test("is a file or a folder of a repository", { timeout: 60_000 }, async () => {
    const source_params = '{"repo":"acme/docs"}';
    const file = await addedRemote({ config_id: "docs", path: "guides/yak.md", source_params });
    expect(file.status).toBe("completed");
    const folder = await addedRemote({ config_id: "docs", path: "guides/", source_params, name: "all" });
    expect(folder.status).toBe("completed");
    const names = (await manuals.found({ query: "yaks carry loads", max_results: 2 })).map(
      ({ name }) => name,
    );
    expect(names.toSorted()).toEqual(["all/yak.md", "guides/yak.md"]);
  });

  test("that is not there ends failed", async () => {
    expect((await addedRemote({ config_id: "team-bucket", path: "nothing.txt" })).status).toBe("failed");
    expect((await addedRemote({ config_id: "team-bucket", path: "nothing/" })).status).toBe("failed");
  });
});

describe("an agent with knowledge", () => {
  const ask = async (args: object, form: Record<string, string> = {}, client = maria): Promise<RunOutput> => {
    const message = `[[tool:search_knowledge_base ${JSON.stringify(args)}]]`;
    return (await client.post("/agents/librarian/runs", { form: { message, stream: "false", ...form } }))
      .json;
  };
  const namesIn = ({ references = [] }: RunOutput) =>
    references.flatMap((one) => one.references.map(({ name }) => name));

  beforeAll(async () => {
    const say = (text_content: string, name: string, metadata: object, as = handbook) =>
      as.added({ text_content, name, metadata: JSON.stringify(metadata) });
    await say("Breakfast is at seven.", "breakfast", { topic: "meals", year: 2026 });
    await say("Breakfast was at eight.", "old breakfast", { topic: "meals", year: 2025 });
    const ottos = knowledgeOf(
      clientOf(platform.url, platform.token("otto", allScopes)),
      handbook.path().split("?")[1],
    );
    await say("Otto takes breakfast in bed.", "otto's breakfast", { topic: "meals", year: 2026 }, ottos);
  });

  test("says so, and what it may do", async () => {
    const { json } = await maria.get("/agents/librarian");
    expect(json.knowledge).toEqual({
      name: "handbook",
      db_id: "main",
      knowledge_table: "knowledge_contents",
      enable_agentic_knowledge_filters: true,
      references_format: "json",
    });
    expect(json.tools.tools.map(({ name }: { name: string }) => name)).toContain("search_knowledge_base");
  });

  test("looks up what its user may see, and the run shows what it was shown", async () => {
    const run = await ask({ query: "when is breakfast" });
    expect(run.status).toBe("COMPLETED");
    expect(namesIn(run)).toEqual(expect.arrayContaining(["breakfast", "old breakfast"]));
    expect(namesIn(run)).not.toContain("otto's breakfast");
    expect(run.references).toMatchObject([
      {
        query: "when is breakfast",
        references: expect.arrayContaining([
          {
            content: "Breakfast is at seven.",
            name: "breakfast",
            meta_data: expect.objectContaining({ year: 2026 }),
          },
        ]),
        time: expect.any(Number),
      },
    ]);
    const stored = await maria.get(`/agents/librarian/runs/${run.run_id}?session_id=${run.session_id}`);
    expect(stored.json.references).toEqual(run.references);
  });

  test("keeps to the filters of the request, whatever form they have, and lets the model narrow them", async () => {
    const names = async (filters: object, args: object = {}) =>
      namesIn(await ask({ query: "breakfast", ...args }, { knowledge_filters: JSON.stringify(filters) }));
    expect(await names({ year: 2025 })).toEqual(["old breakfast"]);
    expect(await names({ op: "GT", key: "year", value: 2025 })).toEqual(["breakfast"]);
    expect(await names({ op: "NOT", condition: { op: "EQ", key: "topic", value: "meals" } })).not.toContain(
      "breakfast",
    );
    expect(
      await names([
        { op: "STARTSWITH", key: "topic", value: "me" },
        { op: "IN", key: "year", values: [2026] },
      ]),
    ).toEqual(["breakfast"]);
    expect(await names({ topic: "meals" }, { filters: { year: 2025 } })).toEqual(["old breakfast"]);
    expect(await names({ year: 2025 }, { filters: { zebra: 1 } })).toEqual(["old breakfast"]);
    expect(await names({ year: 2025 }, { filters: { year: 2026 } })).toEqual([]);
  });

  test("tells in its stream what it was shown", async () => {
    const form = { message: '[[tool:search_knowledge_base {"query":"breakfast"}]]' };
    const { text } = await maria.post("/agents/librarian/runs", { form });
    const completed = text.split("\n\n").find((frame) => frame.startsWith("event: RunCompleted"));
    expect(completed).toContain('"references":[{"query":"breakfast"');
  });

  test("works in the background too", async () => {
    const message = '[[tool:search_knowledge_base {"query":"breakfast"}]]';
    const form = { message, stream: "false", background: "true" };
    const { json } = await maria.post("/agents/librarian/runs", { form });
    const path = `/agents/librarian/runs/${json.run_id}?session_id=${json.session_id}`;
    await expect.poll(async () => (await maria.get(path)).json.status, { timeout: 15_000 }).toBe("COMPLETED");
    expect(namesIn((await maria.get(path)).json)).toContain("breakfast");
  });
});
