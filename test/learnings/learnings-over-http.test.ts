import { createHash } from "node:crypto";
import { describe, expect } from "vitest";
import { type Answer, type Client, clientOf } from "../support/client.ts";
import type { RunningPlatform } from "../support/platform.ts";
import { test } from "../support/shared-platform.ts";

/** Everything that memories-and-learnings section 5 says of learnings, on the wire. */
const ordinary = ["learnings:read", "learnings:write", "learnings:delete"];

let platform: RunningPlatform;
let admin: Client;
test.beforeAll(async ({ platform: shared }) => {
  platform = shared;
  admin = clientOf(platform.url, platform.adminToken);
});

let users = 0;
/** A user whom no other test knows. */
const newUser = (): { name: string; client: Client } => {
  users += 1;
  const name = `learner-${users}`;
  return { name, client: clientOf(platform.url, platform.token(name, ordinary)) };
};
const learn = (client: Client, learning_type: string, more: object = {}) =>
  client.post("/learnings", { json: { learning_type, content: {}, ...more } });
const patch = (client: Client, id: string, json: object) =>
  client.call("PATCH", `/learnings/${id}`, { json });
const remove = (client: Client, path: string) => client.call("DELETE", `/learnings/${path}`);
const idsOf = ({ json }: Answer): string[] =>
  json.data.map(({ learning_id }: { learning_id: string }) => learning_id);
const usersOf = ({ json }: Answer): string[] => json.data.map(({ user_id }: { user_id: string }) => user_id);
const locsOf = ({ status, json }: Answer): unknown =>
  status === 422 ? json.detail.map(({ loc }: { loc: string[] }) => loc.join(".")) : status;

describe("creating", () => {
  test("keeps every number that an item can hold, and refuses what none can", async () => {
    const content = { far: 1e125, near: -1e-129, whole: 2 ** 60, none: 0 };
    const { json } = await learn(admin, "note", { content });
    expect((await admin.get(`/learnings/${json.learning_id}`)).json.content).toEqual(content);
    const deep = Array.from({ length: 40 }).reduce((within) => ({ within }), {});
    for (const held of [{ far: [1e126] }, { near: 1e-131 }, { deep }]) {
      expect(locsOf(await learn(admin, "note", { content: held }))).toEqual(["body.content"]);
    }
  });

  test("needs learnings:write, and answers with all members and integer times", async () => {
    const { name, client } = newUser();
    const readOnly = clientOf(platform.url, platform.token(name, ["learnings:read"]));
    expect((await learn(readOnly, "note")).status).toBe(403);
    expect((await learn(clientOf(platform.url), "note")).status).toBe(401);
    const { status, json } = await learn(client, "user_profile", {
      user_id: name,
      content: { name: "Mira" },
    });
    expect(status).toBe(201);
    expect(json).toEqual({
      learning_id: `user_profile_${name}`,
      learning_type: "user_profile",
      namespace: null,
      user_id: name,
      agent_id: null,
      team_id: null,
      session_id: null,
      entity_id: null,
      entity_type: null,
      content: { name: "Mira" },
      metadata: null,
      created_at: expect.any(Number),
      updated_at: expect.any(Number),
    });
    for (const at of [json.created_at, json.updated_at]) expect(Number.isInteger(at)).toBe(true);
  });

  test("twice what there can be one of is a conflict, and the first one stays", async () => {
    const { name, client } = newUser();
    await learn(client, "user_profile", { user_id: name, content: { a: 1 } });
    expect((await learn(client, "user_profile", { user_id: name, content: { b: 2 } })).status).toBe(409);
    expect((await client.get(`/learnings/user_profile_${name}`)).json.content).toEqual({ a: 1 });
    const session = await learn(client, "session_context", { session_id: `s-${name}` });
    expect(session.json.learning_id).toBe(`session_context_s-${name}`);
    const memory = await learn(client, "user_memory", { user_id: name });
    expect(memory.json.learning_id).toBe(`memories_${name}`);
  });

  test("of one of many requests at once succeeds", async () => {
    const { name, client } = newUser();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => learn(client, "user_profile", { user_id: name })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
  });

  test.each([
    ["user_profile", {}, ["body.user_id"]],
    ["user_profile", { user_id: "" }, ["body.user_id"]],
    ["user_memory", {}, ["body.user_id"]],
    ["session_context", {}, ["body.session_id"]],
    ["entity_memory", { entity_id: "e" }, ["body.entity_type"]],
    ["entity_memory", { entity_type: "t" }, ["body.entity_id"]],
    ["entity_memory", { entity_id: "e", entity_type: "t", namespace: "user" }, ["body.user_id"]],
    [
      "entity_memory",
      { entity_id: "e", entity_type: "t", namespace: "user_0123456789abcdef" },
      ["body.namespace"],
    ],
    [
      "entity_memory",
      { entity_id: "e", entity_type: "t", namespace: "user_0123456789abcdef_x" },
      ["body.namespace"],
    ],
    ["note", { content: [] }, ["body.content"]],
    ["note", { content: undefined }, ["body.content"]],
    ["note", { content: null }, ["body.content"]],
  ])("a %s with %j is refused", async (type, more, locs) => {
    expect(locsOf(await learn(admin, type, more))).toEqual(locs);
  });

  test("of other types gives each its own id", async () => {
    const { client } = newUser();
    const made = [
      await learn(client, "decision_log"),
      await learn(client, "decision_log"),
      await learn(client, "zebra"),
    ];
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(made.map(({ json }) => json.learning_id)).size).toBe(3);
  });

  test("of an entity without a namespace is global, and of two users' own namespaces makes two", async () => {
    const [maria, otto] = [newUser(), newUser()];
    const entity = { entity_type: "company", entity_id: maria.name };
    const shared = await learn(maria.client, "entity_memory", { ...entity, namespace: "" });
    expect(shared.json).toMatchObject({
      learning_id: `entity_global_company_${maria.name}`,
      namespace: "global",
    });
    for (const { name, client } of [maria, otto]) {
      const { json } = await learn(client, "entity_memory", { ...entity, namespace: "user", user_id: name });
      const digest = createHash("sha256").update(name).digest("hex").slice(0, 16);
      expect(json.learning_id).toBe(`entity_user_${digest}_company_${maria.name}`);
    }
    const custom = await learn(maria.client, "entity_memory", { ...entity, namespace: "user_guide" });
    expect(custom.json.learning_id).toBe(`entity_user_guide_company_${maria.name}`);
  });

  test("of more than an item holds is refused as too large", async () => {
    const { client } = newUser();
    expect((await learn(client, "note", { content: { text: "x".repeat(400_000) } })).status).toBe(413);
    const { json } = await learn(client, "note", { content: { text: "x".repeat(300_000) } });
    expect((await patch(client, json.learning_id, { metadata: { text: "x".repeat(100_000) } })).status).toBe(
      403,
    );
    expect((await patch(admin, json.learning_id, { metadata: { text: "x".repeat(100_000) } })).status).toBe(
      413,
    );
  });
});

describe("a list", () => {
  test("has a hundred on a page unless asked otherwise, and its bounds", async () => {
    const { name, client } = newUser();
    await learn(client, "note", { user_id: name });
    const { json } = await client.get(`/learnings?user_id=${name}`);
    expect(json.meta).toEqual({ page: 1, limit: 100, total_pages: 1, total_count: 1, search_time_ms: 0 });
    for (const query of ["limit=1001", "limit=0", "page=0", "sort_order=up"]) {
      expect((await client.get(`/learnings?${query}`)).status, query).toBe(422);
    }
    expect((await client.get("/learnings?sort_by=nonsense")).status).toBe(200);
    const far = await client.get(`/learnings?user_id=${name}&page=9`);
    expect(far.json).toMatchObject({ data: [], meta: { total_count: 1 } });
  });

  test("is narrowed by each of its filters", async () => {
    const { name, client } = newUser();
    const whole = {
      user_id: name,
      agent_id: "scout",
      team_id: "crew",
      session_id: "s-1",
      namespace: "user",
      entity_id: "nordlys",
      entity_type: "company",
    };
    const { json } = await learn(client, "note", whole);
    await learn(client, "other", { user_id: name });
    for (const [field, value] of Object.entries({ ...whole, learning_type: "note" })) {
      const query = `user_id=${name}&${field}=`;
      const expected = field === "user_id" ? 2 : 1;
      expect((await client.get(`/learnings?${query}${value}`)).json.data, field).toHaveLength(expected);
      if (field !== "user_id") expect(idsOf(await client.get(`/learnings?${query}zebra`)), field).toEqual([]);
    }
    expect(idsOf(await client.get("/learnings?entity_id=nordlys&learning_type=note"))).toEqual([
      json.learning_id,
    ]);
  });

  test("puts the last changed first, and sorts by other columns", async () => {
    const { name, client } = newUser();
    const [a, b] = [await learn(client, "a", { user_id: name }), await learn(client, "b", { user_id: name })];
    const ids = [a.json.learning_id, b.json.learning_id];
    await patch(client, ids[0], { content: { new: true } });
    expect(idsOf(await client.get(`/learnings?user_id=${name}`))).toEqual(ids);
    expect(idsOf(await client.get(`/learnings?user_id=${name}&sort_order=asc`))).toEqual(ids.toReversed());
    expect(idsOf(await client.get(`/learnings?user_id=${name}&sort_by=learning_type`))).toEqual(
      ids.toReversed(),
    );
  });
});

describe("changing", () => {
  test("replaces what is given, clears metadata, and leaves identity alone", async () => {
    const { name, client } = newUser();
    const { json } = await learn(client, "note", { user_id: name, content: { a: 1 }, metadata: { m: 1 } });
    const id = json.learning_id;
    expect(
      (await patch(client, id, { content: { b: 2 }, learning_type: "x", user_id: "y" })).json,
    ).toMatchObject({
      learning_type: "note",
      user_id: name,
      content: { b: 2 },
      metadata: { m: 1 },
    });
    expect((await patch(client, id, { metadata: null })).json).toMatchObject({
      content: { b: 2 },
      metadata: null,
    });
    expect(locsOf(await patch(client, id, { content: null }))).toEqual(["body.content"]);
    const before = (await client.get(`/learnings/${id}`)).json;
    for (const nothing of [{}, { user_id: "y" }]) {
      const { status, json: same } = await patch(client, id, nothing);
      expect({ status, same }).toEqual({ status: 200, same: before });
    }
  });

  test("and deleting need a learning that is there", async () => {
    const { name, client } = newUser();
    expect((await patch(client, "unknown", { content: {} })).status).toBe(404);
    expect((await remove(client, "unknown")).status).toBe(404);
    const { json } = await learn(client, "note", { user_id: name });
    expect((await remove(client, json.learning_id)).status).toBe(204);
    expect((await remove(client, json.learning_id)).status).toBe(404);
    expect((await patch(client, json.learning_id, { content: {} })).status).toBe(404);
    expect((await client.get(`/learnings/${json.learning_id}`)).status).toBe(404);
  });

  test("all at once is no operation", async () => {
    expect((await admin.call("DELETE", "/learnings")).status).toBe(405);
  });
});

describe("the users", () => {
  test("are listed by their last learning, without a count and without unowned ones", async () => {
    const [early, late] = [newUser(), newUser()];
    const { json } = await learn(early.client, "note", { user_id: early.name });
    await learn(late.client, "note", { user_id: late.name });
    await learn(late.client, "note");
    const { status, json: page } = await admin.get("/learnings/users?limit=2");
    expect(status).toBe(200);
    expect(page.data).toEqual([
      { user_id: late.name, last_learning_updated_at: expect.any(Number) },
      { user_id: early.name, last_learning_updated_at: json.updated_at },
    ]);
    expect(page.meta.limit).toBe(2);
    const all = usersOf(await admin.get("/learnings/users?limit=1000&sort_by=user_id&sort_order=asc"));
    expect(all).toEqual(all.toSorted());
    expect(all).toEqual(expect.arrayContaining([early.name, late.name]));
    expect(usersOf(await admin.get(`/learnings/users?user_id=${early.name}`))).toEqual([early.name]);
  });

  test("are narrowed by type", async () => {
    const [maria, otto] = [newUser(), newUser()];
    await learn(maria.client, `type-of-${maria.name}`, { user_id: maria.name });
    await learn(otto.client, "note", { user_id: otto.name });
    const { json } = await admin.get(`/learnings/users?learning_type=type-of-${maria.name}`);
    expect(json.data).toEqual([{ user_id: maria.name, last_learning_updated_at: expect.any(Number) }]);
    expect(json.meta.total_count).toBe(1);
  });

  test("lose what was learned of them, all or of one type, and nothing else goes", async () => {
    const [maria, otto] = [newUser(), newUser()];
    for (const type of ["note", "note", "other"]) await learn(maria.client, type, { user_id: maria.name });
    await learn(otto.client, "note", { user_id: otto.name });
    const shared = await learn(maria.client, "note");
    const left = async (name: string) =>
      (await admin.get(`/learnings?user_id=${name}`)).json.meta.total_count;
    expect((await remove(maria.client, `users/${maria.name}?learning_type=note`)).status).toBe(204);
    expect(await left(maria.name)).toBe(1);
    expect((await remove(maria.client, `users/${maria.name}`)).status).toBe(204);
    expect((await remove(maria.client, `users/${maria.name}`)).status).toBe(204);
    expect([await left(maria.name), await left(otto.name)]).toEqual([0, 1]);
    expect(usersOf(await admin.get(`/learnings/users?user_id=${maria.name}`))).toEqual([]);
    expect((await admin.get(`/learnings/${shared.json.learning_id}`)).status).toBe(200);
  });
});

describe("who is no admin", () => {
  test("lists its own and unowned ones, and names no other user", async () => {
    const [maria, otto] = [newUser(), newUser()];
    const own = (await learn(maria.client, "note", { user_id: maria.name })).json.learning_id;
    const shared = (await learn(maria.client, "note")).json;
    const foreign = (await learn(otto.client, "note", { user_id: otto.name })).json.learning_id;
    expect(shared.user_id).toBeNull();
    const seen = idsOf(await maria.client.get("/learnings?limit=1000"));
    expect(seen).toEqual(expect.arrayContaining([own, shared.learning_id]));
    expect(seen).not.toContain(foreign);
    expect(seen.slice(0, 2)).toEqual([shared.learning_id, own]);
    expect(idsOf(await maria.client.get(`/learnings?user_id=${maria.name}`))).toEqual([own]);
    expect((await maria.client.get(`/learnings?user_id=${otto.name}`)).status).toBe(403);
    expect((await learn(maria.client, "note", { user_id: otto.name })).status).toBe(403);
    expect((await maria.client.get(`/learnings/users?user_id=${otto.name}`)).status).toBe(403);
    expect((await remove(maria.client, `users/${otto.name}`)).status).toBe(403);
    expect(usersOf(await maria.client.get("/learnings/users"))).toEqual([maria.name]);
    expect((await admin.get(`/learnings/${foreign}`)).status).toBe(200);
  });

  test("reads unowned ones and cannot change them; of others' it learns nothing", async () => {
    const [maria, otto] = [newUser(), newUser()];
    const shared = (await learn(maria.client, "note")).json.learning_id;
    const foreign = (await learn(otto.client, "note", { user_id: otto.name })).json.learning_id;
    const statuses = async (client: Client, id: string) => [
      (await client.get(`/learnings/${id}`)).status,
      (await patch(client, id, { content: { by: "maria" } })).status,
      (await remove(client, id)).status,
    ];
    expect(await statuses(maria.client, shared)).toEqual([200, 403, 403]);
    expect(await statuses(maria.client, foreign)).toEqual([404, 404, 404]);
    expect((await otto.client.get(`/learnings/${foreign}`)).json.content).toEqual({});
    expect(await statuses(admin, shared)).toEqual([200, 200, 204]);
    expect(await statuses(admin, foreign)).toEqual([200, 200, 204]);
  });
});

test("there is one database", async () => {
  for (const path of ["/learnings", "/learnings/users"]) {
    expect((await admin.get(`${path}?table=learnings`)).status).toBe(400);
    expect((await admin.get(`${path}?db_id=other`)).status).toBe(404);
    expect((await admin.get(`${path}?db_id=main&table=other`)).status).toBe(404);
    expect((await admin.get(`${path}?db_id=main&table=learnings`)).status).toBe(200);
  }
});
