import { describe, expect } from "vitest";
import { type Answer, type Client, clientOf } from "../support/client.ts";
import type { RunningPlatform } from "../support/platform.ts";
import { test } from "../support/shared-platform.ts";

/** Everything that memories-and-learnings section 5 says of memories, on the wire. */
const ordinary = ["memories:read", "memories:write", "memories:delete"];

let platform: RunningPlatform;
let admin: Client;
test.beforeAll(async ({ platform: shared }) => {
  platform = shared;
  admin = clientOf(platform.url, platform.adminToken);
});

const as = (sub: string, scopes = ordinary): Client => clientOf(platform.url, platform.token(sub, scopes));

let users = 0;
/** A user whom no other test knows. */
const newUser = (): { name: string; client: Client } => {
  users += 1;
  const name = `keeper-${users}`;
  return { name, client: as(name) };
};
const remember = (client: Client, memory: string, more: object = {}) =>
  client.post("/memories", { json: { memory, ...more } });
const patch = (client: Client, id: string, json: object) => client.call("PATCH", `/memories/${id}`, { json });
const remove = (client: Client, id: string, query = "") => client.call("DELETE", `/memories/${id}${query}`);
const removeAll = (client: Client, json?: object) =>
  client.call("DELETE", "/memories", json ? { json } : { headers: { "content-type": "application/json" } });
const optimize = (client: Client, json: object) => client.post("/optimize-memories", { json });
const textsOf = ({ json }: Answer): string[] => json.data.map((one: { memory: string }) => one.memory);
const firstFault = ({ status, json }: Answer) => ({ status, loc: json.detail?.[0]?.loc });

describe("creating", () => {
  test("takes a credential with memories:write", async () => {
    const body = { json: { memory: "x" } };
    expect((await clientOf(platform.url).post("/memories", body)).status).toBe(401);
    expect((await as("maria", ["memories:read"]).post("/memories", body)).status).toBe(403);
  });

  test("answers with all seven members", async () => {
    const { status, json } = await remember(admin, "Prefers metric units", {
      topics: ["units"],
      user_id: "mira",
    });
    expect(status).toBe(200);
    expect(json).toEqual({
      memory_id: expect.stringMatching(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
      memory: "Prefers metric units",
      topics: ["units"],
      agent_id: null,
      team_id: null,
      user_id: "mira",
      updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    });
  });

  test("needs to know whose memory it is", async () => {
    expect((await remember(admin, "of no user")).status).toBe(400);
    expect((await remember(admin, "of no user", { user_id: "" })).status).toBe(400);
  });

  test.each([
    ["", 422],
    ["x".repeat(5001), 422],
    ["x".repeat(5000), 200],
  ] as const)("holds the text to 1 to 5000 characters (case %#)", async (memory, expected) => {
    const answer = await remember(newUser().client, memory);
    expect(answer.status).toBe(expected);
    if (expected === 422) expect(firstFault(answer).loc).toEqual(["body", "memory"]);
  });

  test("without topics stores none", async () => {
    expect((await remember(newUser().client, "plain")).json.topics).toEqual([]);
    expect((await remember(newUser().client, "plain", { topics: null })).json.topics).toEqual([]);
  });

  test("by a user who is no admin stores under the caller, whatever user_id says", async () => {
    const { name, client } = newUser();
    const { json } = await remember(client, "mine", { user_id: "another user" });
    expect(json.user_id).toBe(name);
    expect((await admin.get(`/memories/${json.memory_id}?user_id=${name}`)).status).toBe(200);
  });
});

describe("a list", () => {
  test("has the five members of a page, 20 on the first page unless asked otherwise", async () => {
    const { client } = newUser();
    await remember(client, "one");
    expect((await client.get("/memories")).json.meta).toEqual({
      page: 1,
      limit: 20,
      total_pages: 1,
      total_count: 1,
      search_time_ms: 0,
    });
    expect((await newUser().client.get("/memories")).json.meta).toMatchObject({
      total_pages: 0,
      total_count: 0,
    });
  });

  test.each([
    ["limit=0", 422],
    ["sort_order=up", 422],
    ["page=-1", 422],
    ["sort_by=nonsense", 200],
    ["page=0", 200],
    ["limit=100000", 200],
  ])("answers %s with %i", async (query, status) => {
    expect((await newUser().client.get(`/memories?${query}`)).status).toBe(status);
  });

  test("finds what has all the topics, whole, given at once or one by one", async () => {
    const { client } = newUser();
    await remember(client, "both", { topics: ["sailing", "home"] });
    await remember(client, "one", { topics: ["sailing"] });
    expect(textsOf(await client.get("/memories?topics=sailing,home"))).toEqual(["both"]);
    expect(textsOf(await client.get("/memories?topics=sailing&topics=home"))).toEqual(["both"]);
    expect(textsOf(await client.get("/memories?topics=sail"))).toEqual([]);
    expect((await client.get("/memories?topics=sailing")).json.meta.total_count).toBe(2);
  });

  test("finds a part of the text in any case, taken literally, within one user's", async () => {
    const { name, client } = newUser();
    await remember(client, "Lives in Oslo");
    await remember(client, "Saves 100% of it");
    await remember(newUser().client, "Lives in OSLO too");
    expect(textsOf(await client.get("/memories?search_content=oslo"))).toEqual(["Lives in Oslo"]);
    expect(textsOf(await client.get("/memories?search_content=%25"))).toEqual(["Saves 100% of it"]);
    expect(textsOf(await admin.get(`/memories?user_id=${name}&search_content=OSLO`))).toEqual([
      "Lives in Oslo",
    ]);
    for (const field of ["agent_id", "team_id"]) {
      expect(textsOf(await client.get(`/memories?search_content=oslo&${field}=unknown`))).toEqual([]);
    }
  });

  test("is empty beyond its end, and still knows how many there are", async () => {
    const { client } = newUser();
    await remember(client, "one");
    const { status, json } = await client.get("/memories?page=7");
    expect({ status, data: json.data, total: json.meta.total_count }).toEqual({
      status: 200,
      data: [],
      total: 1,
    });
  });

  test("puts what was just changed first, and sorts by any column", async () => {
    const { client } = newUser();
    const { json } = await remember(client, "b");
    await remember(client, "c");
    await remember(client, "a");
    await patch(client, json.memory_id, { memory: "b, changed" });
    expect(textsOf(await client.get("/memories"))).toEqual(["b, changed", "a", "c"]);
    expect(textsOf(await client.get("/memories?sort_order=asc"))).toEqual(["c", "a", "b, changed"]);
    expect(textsOf(await client.get("/memories?sort_by=memory&sort_order=asc"))).toEqual([
      "a",
      "b, changed",
      "c",
    ]);
    expect(textsOf(await client.get("/memories?sort_by=memory&limit=1&page=2"))).toEqual(["b, changed"]);
  });
});

describe("one memory", () => {
  test("is shown to its owner, and to an admin who does not name another user", async () => {
    const { name, client } = newUser();
    const { json } = await remember(client, "mine");
    expect((await client.get(`/memories/${json.memory_id}`)).json).toEqual(json);
    expect((await admin.get(`/memories/${json.memory_id}`)).json).toEqual(json);
    expect((await admin.get(`/memories/${json.memory_id}?user_id=${name}`)).status).toBe(200);
    expect((await admin.get(`/memories/${json.memory_id}?user_id=other`)).status).toBe(404);
    expect((await newUser().client.get(`/memories/${json.memory_id}`)).status).toBe(404);
    expect((await client.get("/memories/unknown")).status).toBe(404);
    expect((await client.get(`/memories/${"x".repeat(3000)}`)).status).toBe(404);
  });

  test("is replaced whole, but for its owner", async () => {
    const { name, client } = newUser();
    const { json } = await remember(client, "old", { topics: ["a"] });
    const { status, json: changed } = await patch(admin, json.memory_id, { memory: "new", user_id: "other" });
    expect(status).toBe(200);
    expect(changed).toMatchObject({ memory: "new", topics: [], user_id: name });
    expect((await client.get(`/memories/${json.memory_id}`)).json).toEqual(changed);
  });

  test("is changed by no other user, and never made by a change", async () => {
    const { client } = newUser();
    const { json } = await remember(client, "mine");
    expect((await patch(admin, json.memory_id, { memory: "x" })).status).toBe(400);
    expect((await patch(newUser().client, json.memory_id, { memory: "x" })).status).toBe(404);
    expect((await patch(admin, "unknown", { memory: "x", user_id: "anybody" })).status).toBe(404);
    expect((await client.get(`/memories/${json.memory_id}`)).json).toEqual(json);
    expect((await admin.get("/memories/unknown")).status).toBe(404);
  });

  test("is forgotten with 204, as is one that never was", async () => {
    const { client } = newUser();
    const { json } = await remember(client, "mine");
    const unknown = await remove(client, "unknown");
    expect({ status: unknown.status, text: unknown.text }).toEqual({ status: 204, text: "" });
    expect((await remove(admin, json.memory_id, "?user_id=other")).status).toBe(204);
    expect((await client.get(`/memories/${json.memory_id}`)).status).toBe(200);
    expect((await remove(client, json.memory_id)).status).toBe(204);
    expect((await client.get(`/memories/${json.memory_id}`)).status).toBe(404);
    expect((await client.get("/memories")).json.meta.total_count).toBe(0);
  });
});

describe("forgetting several", () => {
  test("needs a list of ids", async () => {
    const { client } = newUser();
    expect(firstFault(await removeAll(client, { memory_ids: [] }))).toEqual({
      status: 422,
      loc: ["body", "memory_ids"],
    });
    expect(firstFault(await removeAll(client))).toEqual({ status: 422, loc: ["body"] });
  });

  test("skips what is not there", async () => {
    const { client } = newUser();
    const ids = await Promise.all(
      ["a", "b", "c"].map(async (text) => (await remember(client, text)).json.memory_id),
    );
    expect((await removeAll(client, { memory_ids: [ids[0], "unknown", ids[2], ids[2]] })).status).toBe(204);
    expect(textsOf(await client.get("/memories"))).toEqual(["b"]);
    expect((await client.get("/memories")).json.meta.total_count).toBe(1);
  });

  test("of several users is an admin's alone, who may narrow it to one", async () => {
    const [maria, otto] = [newUser(), newUser()];
    const ids = [
      (await remember(maria.client, "m")).json.memory_id,
      (await remember(otto.client, "o")).json.memory_id,
    ];
    expect((await removeAll(maria.client, { memory_ids: ids.slice(1), user_id: otto.name })).status).toBe(
      204,
    );
    expect((await remove(maria.client, ids[1], `?user_id=${otto.name}`)).status).toBe(204);
    expect(textsOf(await otto.client.get("/memories"))).toEqual(["o"]);
    await removeAll(admin, { memory_ids: ids, user_id: maria.name });
    expect(textsOf(await otto.client.get("/memories"))).toEqual(["o"]);
    await remember(maria.client, "again");
    await removeAll(admin, { memory_ids: ids });
    expect(textsOf(await otto.client.get("/memories"))).toEqual([]);
    expect(textsOf(await maria.client.get("/memories"))).toEqual(["again"]);
  });
});

describe("topics and statistics", () => {
  test("topics come once each, in order", async () => {
    const { name, client } = newUser();
    await remember(client, "1", { topics: ["b", "a"] });
    await remember(client, "2", { topics: ["b", "c"] });
    expect((await client.get("/memory_topics")).json).toEqual(["a", "b", "c"]);
    expect((await admin.get(`/memory_topics?user_id=${name}`)).json).toEqual(["a", "b", "c"]);
    expect((await admin.get("/memory_topics")).json).toEqual(expect.arrayContaining(["a", "b", "c"]));
  });

  test("every owner has one row, the last active first", async () => {
    const [early, late] = [newUser(), newUser()];
    const { json } = await remember(early.client, "1");
    await remember(late.client, "2");
    await remember(late.client, "3");
    const { json: all } = await admin.get("/user_memory_stats?limit=2");
    expect(all.data).toEqual([
      { user_id: late.name, total_memories: 2, last_memory_updated_at: expect.stringMatching(/Z$/) },
      { user_id: early.name, total_memories: 1, last_memory_updated_at: json.updated_at },
    ]);
    expect(all.meta.total_count).toBeGreaterThanOrEqual(2);
    expect((await admin.get("/user_memory_stats?limit=1&page=2")).json.data).toEqual([all.data[1]]);
    await patch(early.client, json.memory_id, { memory: "1, changed" });
    expect((await admin.get("/user_memory_stats?limit=1")).json.data[0].user_id).toBe(early.name);
    await remove(early.client, json.memory_id);
    expect((await admin.get(`/user_memory_stats?user_id=${early.name}`)).json).toMatchObject({
      data: [],
      meta: { total_count: 0 },
    });
    expect((await admin.get("/user_memory_stats")).json.meta.total_count).toBe(all.meta.total_count - 1);
  });

  test("who is no admin sees itself alone, whomever it asks for", async () => {
    const [maria, otto] = [newUser(), newUser()];
    await remember(maria.client, "m", { topics: ["hers"] });
    await remember(otto.client, "o", { topics: ["his"] });
    for (const query of ["", `?user_id=${otto.name}`]) {
      expect(textsOf(await maria.client.get(`/memories${query}`))).toEqual(["m"]);
      expect((await maria.client.get(`/memory_topics${query}`)).json).toEqual(["hers"]);
      const { json } = await maria.client.get(`/user_memory_stats${query}`);
      expect(json.data.map(({ user_id }: { user_id: string }) => user_id)).toEqual([maria.name]);
    }
  });
});

describe("merging", () => {
  /** The scripted model answers with this, and not with what it read. */
  const answer = (text: string) => `[[answer:${text}]] and some more words that make it a long memory`;
  const withThree = async (first = answer("Sails.")) => {
    const user = newUser();
    await remember(user.client, first, { topics: ["hobby"] });
    await remember(user.client, "Prefers metric units wherever there is a choice of units", {
      topics: ["units"],
    });
    await remember(user.client, "Lives in Oslo with two dogs and a cat", { topics: ["place", "hobby"] });
    return user;
  };

  test("shows what would come of it and changes nothing, when it is not to be applied", async () => {
    const { name, client } = await withThree();
    const before = (await client.get("/memories")).json;
    const { status, json } = await optimize(client, { user_id: name, apply: false });
    expect(status).toBe(200);
    expect(json).toMatchObject({ memories_before: 3, memories_after: 1, memories: [{ memory: "Sails." }] });
    expect((await client.get("/memories")).json).toEqual(before);
  });

  test("leaves one memory with all topics", async () => {
    const { name, client } = await withThree();
    const { status, json } = await optimize(client, { user_id: "whoever" });
    expect(status).toBe(200);
    expect(json.memories).toEqual((await client.get("/memories")).json.data);
    expect(json.memories).toEqual([
      {
        memory_id: expect.any(String),
        memory: "Sails.",
        topics: ["hobby", "place", "units"],
        agent_id: null,
        team_id: null,
        user_id: name,
        updated_at: expect.any(String),
      },
    ]);
    expect(json.tokens_saved).toBe(json.tokens_before - json.tokens_after);
    expect(json.reduction_percentage).toBeCloseTo((json.tokens_saved / json.tokens_before) * 100);
    expect((await client.get("/user_memory_stats")).json.data[0].total_memories).toBe(1);
  });

  test("leaves everything as it is when the result is not shorter", async () => {
    const { name, client } = await withThree("Sails, which the model says again, and more");
    const before = (await client.get("/memories?sort_order=asc")).json.data;
    const { status, json } = await optimize(client, { user_id: name });
    expect(status).toBe(200);
    expect(json).toMatchObject({ tokens_saved: 0, reduction_percentage: 0, memories_after: 3 });
    expect(json.memories).toEqual(before);
    expect((await client.get("/memories?sort_order=asc")).json.data).toEqual(before);
  });

  test("replaces more memories than one transaction holds", async () => {
    const { name, client } = await withThree();
    for (let i = 0; i < 12; i += 1) {
      await Promise.all(Array.from({ length: 4 }, (_, n) => remember(client, `Fact number ${i}, ${n}`)));
    }
    expect((await optimize(client, { user_id: name })).json).toMatchObject({
      memories_before: 51,
      memories_after: 1,
    });
    expect((await client.get("/memories")).json.meta.total_count).toBe(1);
  });

  test("takes the place of nothing when the model fails", async () => {
    const { name, client } = newUser();
    await remember(client, "[[fail:overloaded]]");
    const { status, json } = await optimize(client, { user_id: name });
    expect(status).toBe(500);
    expect(json.detail).not.toContain("overloaded");
    expect((await client.get("/memories")).json.meta.total_count).toBe(1);
  });

  test.each([
    ["an unknown user's memories", { user_id: "no user at all" }, 404],
    ["a model without a colon", { user_id: "mira", model: "gpt-5" }, 400],
    ["half a model", { user_id: "mira", model: "openai:" }, 400],
    ["an unknown provider", { user_id: "mira", model: "zebra:gpt-5" }, 400],
    ["a model that is not registered", { user_id: "mira", model: "openai:gpt-5-pro" }, 400],
    ["no user", {}, 422],
  ])("of %s is refused", async (_what, json, status) => {
    await remember(admin, "something", { user_id: "mira" });
    expect((await optimize(admin, json)).status).toBe(status);
  });

  test("takes a model that is named in another case", async () => {
    const { name, client } = await withThree();
    const asked = { user_id: name, model: " Scripted : scripted-1", apply: false };
    expect((await optimize(client, asked)).status).toBe(200);
  });
});

describe("the one database", () => {
  const routes = ["/memories", "/memories/unknown", "/memory_topics", "/user_memory_stats"];

  test.each(routes)("%s knows no other one", async (path) => {
    expect((await admin.get(`${path}?table=memories`)).status).toBe(400);
    expect((await admin.get(`${path}?db_id=other`)).status).toBe(404);
    expect((await admin.get(`${path}?db_id=main&table=other`)).status).toBe(404);
    const expected = path.endsWith("unknown") ? 404 : 200;
    expect((await admin.get(`${path}?db_id=main&table=memories`)).status).toBe(expected);
  });
});

test("platform:admin alone opens every route and sees every owner", async () => {
  const [maria, otto] = [newUser(), newUser()];
  const { json } = await remember(maria.client, "m");
  await remember(otto.client, "o");
  expect(textsOf(await admin.get("/memories?limit=2"))).toEqual(["o", "m"]);
  expect((await patch(admin, json.memory_id, { memory: "n", user_id: maria.name })).status).toBe(200);
  expect((await remove(admin, json.memory_id)).status).toBe(204);
  expect((await admin.get("/memories?limit=1")).json.meta.total_count).toBeGreaterThan(0);
});
