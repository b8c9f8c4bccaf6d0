import { afterAll, describe, expect, test } from "vitest";
import { isAllowed } from "../../../local/iam/policy.ts";
import { agentsThatLookUp } from "../../knowledge/agents-that-look-up.ts";
import { cloudsOverHttp } from "../../knowledge/clouds-over-http.ts";
import { largeFiles } from "../../knowledge/large-files.ts";
import { startSourcesWorld } from "../../knowledge/sources-world.ts";

// One platform for all that needs sources: its start takes as long as the tests of one room.
const world = await startSourcesWorld();
const { maria, handbook, manuals, manualsId, pages, asked, here } = world;
afterAll(() => world.stop());

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

describe("the prefix of a source is a fence", () => {
  const outside = [
    "other.txt",
    "",
    "/",
    "manual",
    "/manuals/pump.txt",
    "Manuals/pump.txt",
    "manuals/../other.txt",
    "manuals/./../other.txt",
    "manuals/%2e%2e/other.txt",
    "manuals/%2E./other.txt",
    "manuals/%252e%252e/other.txt",
    "manuals/%25252e%25252e%2fother.txt",
    "manuals/..%2fother.txt",
    "manuals/..\\other.txt",
    "manuals/..%5cother.txt",
    "manuals/%c0%ae%2e/other.txt",
    "%6danuals/pump.txt",
    "manuals/\u0000/../other.txt",
  ];

  test.each(outside)("for content: %j is refused, and so is the folder", async (path) => {
    for (const named of [path, `${path}/`]) {
      const json = { config_id: "team-bucket", path: named };
      const answer = await maria.post(`/knowledge/remote-content?knowledge_id=${manualsId}`, { json });
      expect([400, 422]).toContain(answer.status);
    }
  });

  test.each(outside.filter(Boolean))("for lists: %j is refused", async (path) => {
    const query = `prefix=${encodeURIComponent(path)}`;
    const { status, text } = await maria.get(`/knowledge/${manualsId}/sources/team-bucket/files?${query}`);
    expect(status).toBe(400);
    expect(text).not.toContain('other.txt","name');
  });

  test("and the role of the functions ends there too", () => {
    const readers = world.platform.model.functions.filter(({ label }) => label.startsWith("Knowledge"));
    expect(readers).toHaveLength(2);
    for (const { statements } of readers) {
      const may = (action: string, resource: string, context = {}) =>
        isAllowed(statements, { action, resource: `arn:aws:s3:::${resource}`, context });
      expect(may("s3:GetObject", "team-files/manuals/pump.txt")).toBe(true);
      expect(may("s3:GetObject", "team-files/other.txt")).toBe(false);
      expect(may("s3:ListBucket", "team-files", { "s3:prefix": "manuals/2026/" })).toBe(true);
      expect(may("s3:ListBucket", "team-files", { "s3:prefix": "" })).toBe(false);
      expect(may("s3:ListBucket", "team-files")).toBe(false);
    }
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

  test("of a site map gives a content for each page, which go with it", async () => {
    pages["/zoo/sitemap.xml"] = {
      body: `<urlset><url><loc>${here("/zoo/aardvarks")}</loc></url><url><loc>${here("/tapirs")}</loc></url></urlset>`,
    };
    pages["/zoo/aardvarks"] = { headers: { "content-type": "text/html" }, body: "<p>Aardvarks dig." };
    const { id, ...ended } = await handbook.added({ url: here("/zoo/sitemap.xml"), sitemap: "true" });
    expect(ended).toMatchObject({ status: "completed", status_message: "" });
    const [hit] = await handbook.found({ query: "aardvarks dig", max_results: 1 });
    expect(hit).toMatchObject({ name: here("/zoo/aardvarks"), content: "Aardvarks dig." });
    expect((await handbook.upload({ url: here("/zoo/"), depth: "6" })).status).toBe(422);
    expect((await handbook.remove(id)).status).toBe(200);
    await expect.poll(async () => (await handbook.show(hit?.content_id ?? "")).status).toBe(404);
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
    const { status } = await handbook.upload({ url: "http://127.0.0.1:9/notes.md" });
    expect(status).toBe(400);
    expect(asked).toHaveLength(before);
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
      prefix: "",
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
    expect(below).toMatchObject({
      prefix: "manuals/2026/",
      files: [{ name: "seal.md" }, { name: "valve.md" }],
    });
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

  test("is every object of a folder, each a content, and done when they are", async () => {
    const form = { config_id: "team-bucket", path: "manuals/2026/", name: "year", metadata: '{"year":2026}' };
    const { id, status } = await addedRemote(form);
    expect({ id, status }).toEqual({ id, status: "completed" });
    const found = await manuals.found({ query: "ibexes valves seals", filters: { year: 2026 } });
    expect(found.map(({ name }) => name).toSorted()).toEqual(["year/seal.md", "year/valve.md"]);
  });

  test("is a file or a folder of a repository", { timeout: 180_000 }, async () => {
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
    expect((await addedRemote({ config_id: "team-bucket", path: "manuals/nothing.txt" })).status).toBe(
      "failed",
    );
    expect((await addedRemote({ config_id: "team-bucket", path: "manuals/nothing/" })).status).toBe("failed");
  });
});

largeFiles(world);
cloudsOverHttp(world);
agentsThatLookUp(world);
