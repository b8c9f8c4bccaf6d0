import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, type Client, clientOf } from "../../support/client.ts";
import { createComponent } from "../../support/create-component.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";

let platform: TestPlatform;
let maria: Client;
let otto: Client;
let admin: Client;
const scopes = [
  ...["components:read", "components:write", "components:delete"],
  ...["agents:run", "teams:run", "workflows:run"],
];
beforeAll(async () => {
  platform = await startPlatform();
  maria = clientOf(platform.url, platform.token("maria", scopes));
  otto = clientOf(platform.url, platform.token("otto", scopes));
  admin = clientOf(platform.url, platform.adminToken);
});
afterAll(() => platform?.stop());

type Fields = Readonly<Record<string, unknown>>;
const create = (fields: Fields = {}, client = maria) => createComponent(client, fields);
const published = (fields: Fields = {}, client = maria) => create({ stage: "published", ...fields }, client);
const at = (id: string, rest = "") => `/components/${id}${rest}`;
const get = (id: string, rest = "") => maria.get(at(id, rest));
const post = (id: string, rest: string, json?: Fields, client = maria): Promise<Answer> =>
  client.post(at(id, rest), json && { json });
const patch = (id: string, rest: string, json: Fields, client = maria): Promise<Answer> =>
  client.call("PATCH", at(id, rest), { json });
const remove = (id: string, rest = "", json?: Fields, client = maria): Promise<Answer> =>
  client.call("DELETE", at(id, rest), json && { json });
const numbers = async (id: string) =>
  (await get(id, "/configs")).json.map(({ version }: { version: number }) => version);

describe("creating", () => {
  test("the least that can be said makes a draft, and what has no value is left out", async () => {
    const json = { name: "Least", component_type: "agent", component_id: "least" };
    const { status, json: component } = await maria.post("/components", { json });
    expect(status).toBe(201);
    expect(component).toEqual({
      component_id: "least",
      component_type: "agent",
      name: "Least",
      user_id: "maria",
      created_at: expect.any(Number),
    });
    expect((await get("least", "/configs/1")).json).toEqual({
      component_id: "least",
      version: 1,
      stage: "draft",
      config: {},
      created_at: component.created_at,
    });
  });

  test("a published first version leaves what the request says of the component itself", async () => {
    const config = { name: "Config", description: "of the config", metadata: { from: "config" } };
    const own = { name: "Request", description: "of the request", metadata: { from: "request" } };
    const id = await published({ ...own, config });
    expect((await get(id)).json).toMatchObject({ ...own, current_version: 1 });
    await patch(id, "", { name: "Patched" });
    expect((await get(id, "/configs/1")).json.config).toMatchObject(config);
  });

  test("a published first version is the current one", async () => {
    const id = await published();
    expect((await get(id)).json.current_version).toBe(1);
  });

  test("an id is made from the name, for each user another one", async () => {
    const json = { name: "My  Agent!! (v2)", component_type: "agent" };
    expect((await admin.post("/components", { json })).json.component_id).toBe("my-agent-v2");
    const mine = (await maria.post("/components", { json })).json.component_id;
    expect(mine).toMatch(/^my-agent-v2-[0-9a-f]{8}$/);
    expect((await otto.post("/components", { json })).json.component_id).not.toBe(mine);
    expect((await maria.post("/components", { json })).status).toBe(400);
    const nameless = await admin.post("/components", { json: { name: "¡!", component_type: "agent" } });
    expect(nameless.json.component_id).toBe("component");
  });

  test.each(["", ".", "..", "a b", "a\tb", "a/b", "a\\b", "a?b", "a#b", "a%b", "a:b", "*", "x".repeat(129)])(
    "the id %j is refused",
    async (component_id) => {
      const json = { name: "Bot", component_type: "agent", component_id };
      expect((await maria.post("/components", { json })).status).toBe(400);
    },
  );

  test("an id is taken for good, also by an archived component", async () => {
    const id = await create();
    const again = () =>
      maria.post("/components", { json: { name: "x", component_type: "team", component_id: id } });
    expect((await again()).status).toBe(400);
    await remove(id);
    expect((await again()).status).toBe(400);
  });

  test.each([
    [{ name: "x" }, 422],
    [{ component_type: "agent" }, 422],
    [{ name: "x", component_type: "robot" }, 422],
    [{ name: "x", component_type: "agent", config: [] }, 422],
    [{ name: "x", component_type: "agent", stage: "live" }, 400],
    [{ name: "x", component_type: "agent", config: { blob: "x".repeat(300_001) } }, 413],
    [{ name: "x", component_type: "agent", metadata: { blob: "x".repeat(20_001) } }, 413],
  ])("a request that is not right is refused (%#)", async (json, status) => {
    expect((await maria.post("/components", { json })).status).toBe(status);
  });

  test("JSON of any depth is kept as it is, as long as it can be taken apart", async () => {
    const nested = (depth: number): Fields => (depth === 0 ? {} : { in: nested(depth - 1) });
    const id = await create({ config: { deep: nested(50) }, metadata: nested(50) });
    expect((await get(id, "/configs/1")).json.config).toEqual({ deep: nested(50) });
    expect((await get(id)).json.metadata).toEqual(nested(50));
    for (const part of ["config", "metadata"]) {
      const json = { name: "x", component_type: "agent", [part]: nested(100) };
      expect((await maria.post("/components", { json })).status).toBe(400);
    }
  });

  test("of a database only its id is kept", async () => {
    const db = { id: "main", db_url: "postgres://u:secret@host" };
    const id = await create({ config: { db, nested: [{ db }], other: { db: null } } });
    const { config } = (await get(id, "/configs/1")).json;
    expect(config).toEqual({ db: { id: "main" }, nested: [{ db: { id: "main" } }], other: {} });
  });
});

describe("versions", () => {
  test("get the next number, whatever the request says of it; a published one is current", async () => {
    const id = await create();
    const second = await post(id, "/configs", { config: { a: 1 }, version: 9, set_current: false });
    expect(second).toMatchObject({ status: 201, json: { version: 2, stage: "draft", config: { a: 1 } } });
    const third = await post(id, "/configs", { config: {}, stage: "published", set_current: false });
    expect(third.json.version).toBe(3);
    expect((await get(id)).json.current_version).toBe(3);
    expect(await numbers(id)).toEqual([3, 2, 1]);
  });

  test("are listed without their configs when asked so", async () => {
    const id = await create({ config: { a: 1 } });
    const { json } = await get(id, "/configs?include_config=false");
    expect(json).toHaveLength(1);
    expect(json[0]).not.toHaveProperty("config");
  });

  test("have labels of their own; the label of a deleted draft is free again", async () => {
    const id = await create({ label: "first" });
    expect((await post(id, "/configs", { config: {}, label: "first" })).status).toBe(400);
    await post(id, "/configs", { config: {}, label: "second" });
    expect((await patch(id, "/configs/2", { label: "first" })).status).toBe(400);
    await remove(id, "/configs/2");
    expect((await post(id, "/configs", { config: {}, label: "second" })).json).toMatchObject({
      version: 3,
      label: "second",
    });
    expect((await patch(id, "/configs/3", { label: "third" })).json.label).toBe("third");
    expect((await post(id, "/configs", { config: {}, label: "second" })).status).toBe(201);
  });

  test("of which a draft is changed member by member, its config as a whole; null changes nothing", async () => {
    const id = await create({ config: { a: 1 }, label: "l", notes: "n" });
    const changed = await patch(id, "/configs/1", { config: { b: 2 }, label: null, notes: null });
    expect(changed).toMatchObject({ status: 200, json: { config: { b: 2 }, label: "l", notes: "n" } });
    expect(changed.json.updated_at).toEqual(expect.any(Number));
  });

  test("stay as they are once published", async () => {
    const id = await published({ config: { a: 1 } });
    for (const json of [{ config: {} }, { label: "x" }, { stage: "published" }, { stage: "draft" }, {}]) {
      expect((await patch(id, "/configs/1", json)).status).toBe(400);
    }
    expect((await get(id, "/configs/1")).json.config).toEqual({ a: 1 });
  });

  test("cannot be found where there are none", async () => {
    const id = await create();
    expect((await patch(id, "/configs/7", { notes: "x" })).status).toBe(400);
    expect((await get(id, "/configs/7")).status).toBe(404);
    expect((await get(id, "/configs/0")).status).toBe(404);
    expect((await remove(id, "/configs/7")).status).toBe(404);
    expect((await post(id, "/configs/7/set-current")).status).toBe(404);
    expect((await get(id, "/configs/abc")).status).toBe(422);
    expect((await get("unknown", "/configs")).status).toBe(404);
    expect((await get("unknown", "/configs/current")).status).toBe(404);
    expect((await post("unknown", "/configs", { config: {} })).status).toBe(404);
    expect((await post("unknown", "/configs/1/set-current")).status).toBe(404);
    expect((await post(id, "/configs", {})).status).toBe(422);
  });

  test("are published by a change of their stage, which makes them current", async () => {
    const id = await published();
    await post(id, "/configs", { config: { a: 2 } });
    expect((await get(id, "/configs/current")).json.version).toBe(1);
    expect((await patch(id, "/configs/2", { stage: "published" })).json.stage).toBe("published");
    expect((await get(id, "/configs/current")).json.version).toBe(2);
  });

  test("of a component that was never published are current when they are the newest", async () => {
    const id = await create();
    await post(id, "/configs", { config: {} });
    expect((await get(id, "/configs/current")).json.version).toBe(2);
  });

  test("become current again, back and forth; drafts do not", async () => {
    const id = await published();
    await post(id, "/configs", { config: {}, stage: "published" });
    await post(id, "/configs", { config: {} });
    expect((await post(id, "/configs/3/set-current")).status).toBe(400);
    for (const version of [1, 1, 2]) {
      const { status, json } = await post(id, `/configs/${version}/set-current`);
      expect([status, json.current_version]).toEqual([200, version]);
      expect((await get(id, "/configs/current")).json.version).toBe(version);
    }
  });

  test("are deleted while they are drafts, and their numbers stay used", async () => {
    const id = await published();
    await post(id, "/configs", { config: {}, stage: "published" });
    await post(id, "/configs", { config: {} });
    expect((await remove(id, "/configs/1")).status).toBe(400);
    expect((await remove(id, "/configs/2")).status).toBe(400);
    expect((await remove(id, "/configs/3")).status).toBe(204);
    expect((await get(id, "/configs/3")).status).toBe(404);
    expect((await post(id, "/configs", { config: {} })).json.version).toBe(4);
    expect(await numbers(id)).toEqual([4, 2, 1]);
  });

  test("of which the last is not deleted", async () => {
    const id = await create();
    expect((await remove(id, "/configs/1")).status).toBe(409);
  });

  test("take name, description and metadata of the component with them when they go live", async () => {
    const id = await published({ config: { name: "One", description: "first", metadata: { v: 1 } } });
    expect((await get(id)).json).toMatchObject({ description: "first", metadata: { v: 1 } });
    await post(id, "/configs", {
      config: { name: "Two", description: null, metadata: { v: 2 } },
      stage: "published",
    });
    const second = (await get(id)).json;
    expect(second).toMatchObject({ name: "Two", metadata: { v: 2 } });
    expect(second).not.toHaveProperty("description");
    await post(id, "/configs/1/set-current");
    expect((await get(id)).json).toMatchObject({ name: "One", description: "first", metadata: { v: 1 } });
  });
});

describe("components", () => {
  test("are changed member by member; nothing asked, nothing changed", async () => {
    const id = await create({ description: "d" });
    expect(await patch(id, "", { name: "Other", description: null })).toMatchObject({
      status: 200,
      json: { name: "Other", description: "d" },
    });
    const before = (await get(id)).json;
    expect(await patch(id, "", {})).toMatchObject({ status: 200, json: before });
  });

  test("stay of their type", async () => {
    const id = await create();
    expect((await patch(id, "", { component_type: "team" })).status).toBe(400);
    expect((await patch(id, "", { component_type: "nonsense" })).status).toBe(400);
    expect((await patch(id, "", { component_type: "agent" })).status).toBe(200);
  });

  test("point to another version only when it is published", async () => {
    const id = await published();
    await post(id, "/configs", { config: {} });
    expect((await patch(id, "", { current_version: 2 })).status).toBe(400);
    expect((await patch(id, "", { current_version: 9 })).status).toBe(404);
    await patch(id, "/configs/2", { stage: "published" });
    expect((await patch(id, "", { current_version: 1 })).json.current_version).toBe(1);
  });

  test("that are archived are shown when asked for, to whom they belong", async () => {
    const id = await published();
    await remove(id);
    expect((await get(id)).status).toBe(404);
    expect((await get(id, "?include_deleted=true")).json).toMatchObject({ component_id: id });
    expect((await admin.get(at(id, "?include_deleted=true"))).status).toBe(200);
    expect((await otto.get(at(id, "?include_deleted=true"))).status).toBe(404);
    expect((await get(id, "/configs?include_deleted=true")).status).toBe(404);
  });

  test("are archived and brought back whole", async () => {
    const id = await published({ label: "kept" });
    await post(id, "/configs", { config: { a: 1 } });
    expect((await post(id, "/restore")).status).toBe(409);
    expect(await remove(id)).toMatchObject({ status: 204, text: "" });
    for (const rest of ["", "/configs", "/configs/1", "/configs/current"]) {
      expect((await get(id, rest)).status).toBe(404);
    }
    expect((await remove(id)).status).toBe(404);
    expect((await patch(id, "", { name: "x" })).status).toBe(404);
    expect((await post(id, "/configs", { config: {} })).status).toBe(404);
    expect((await post(id, "/restore", undefined, otto)).status).toBe(404);
    expect(await post(id, "/restore")).toMatchObject({ status: 200, json: { current_version: 1 } });
    expect(await numbers(id)).toEqual([2, 1]);
    expect((await get(id)).json).not.toHaveProperty("deleted_at");
    expect((await post("unknown", "/restore")).status).toBe(404);
  });
});

describe("the list", () => {
  /** A user with nothing yet; what is published by others is listed too, so it looks at one type. */
  const ids = (answer: Answer) => answer.json.data.map((one: { component_id: string }) => one.component_id);

  test("shows the newest first, of one type, page by page, with exact totals", async () => {
    const anna = clientOf(platform.url, platform.token("anna", scopes));
    for (const component_id of ["anna-b", "anna-a", "anna-c"]) {
      await create({ component_id, component_type: "workflow" }, anna);
    }
    await create({ component_id: "anna-team", component_type: "team" }, anna);
    const { json } = await anna.get("/components?component_type=workflow&limit=2&page=2");
    expect(json.meta).toMatchObject({ page: 2, limit: 2, total_count: 3, total_pages: 2 });
    expect(json.meta.search_time_ms).toEqual(expect.any(Number));
    const all = (await anna.get("/components?component_type=workflow")).json.data;
    expect(ids({ json: { data: all } } as Answer).sort()).toEqual(["anna-a", "anna-b", "anna-c"]);
    const order = all.map((one: { created_at: number; component_id: string }) => [
      -one.created_at,
      one.component_id,
    ]);
    expect(order).toEqual([...order].sort((a, b) => a[0] - b[0] || (a[1] < b[1] ? -1 : 1)));
    expect(json.data).toEqual(all.slice(2));
    expect((await anna.get("/components?component_type=workflow&page=9")).json.data).toEqual([]);
  });

  test.each(["limit=0", "limit=101", "page=0", "component_type=robot", "include_deleted=perhaps"])(
    "refuses %s",
    async (query) => {
      expect((await maria.get(`/components?${query}`)).status).toBe(422);
    },
  );

  test("shows what is archived only when asked, and only to whom it belongs", async () => {
    const berta = clientOf(platform.url, platform.token("berta", scopes));
    const id = await published({ component_type: "workflow" }, berta);
    const seenBy = async (client: Client, query = "") =>
      ids(await client.get(`/components?component_type=workflow&limit=100${query}`)).includes(id);
    expect([await seenBy(berta), await seenBy(maria)]).toEqual([true, true]);
    await remove(id, "", undefined, berta);
    expect([await seenBy(berta), await seenBy(maria)]).toEqual([false, false]);
    expect([
      await seenBy(berta, "&include_deleted=true"),
      await seenBy(maria, "&include_deleted=true"),
    ]).toEqual([true, false]);
    expect(await seenBy(admin, "&include_deleted=true")).toBe(true);
  });

  test("counts what each user sees", async () => {
    const clara = clientOf(platform.url, platform.token("clara", scopes));
    const total = async (client: Client) =>
      (await client.get("/components?component_type=team")).json.meta.total_count;
    const [hers, mine, all] = [await total(clara), await total(maria), await total(admin)];
    const id = await create({ component_type: "team" }, clara);
    expect([await total(clara), await total(maria), await total(admin)]).toEqual([hers + 1, mine, all + 1]);
    await patch(id, "/configs/1", { stage: "published" }, clara);
    expect([await total(clara), await total(maria), await total(admin)]).toEqual([
      hers + 1,
      mine + 1,
      all + 1,
    ]);
    await remove(id, "", undefined, clara);
    expect([await total(clara), await total(maria), await total(admin)]).toEqual([hers, mine, all]);
  });
});

describe("links", () => {
  const link = (child_component_id: string, child_version: unknown = 1, more: Fields = {}) => ({
    link_kind: "member",
    link_key: "m",
    child_component_id,
    child_version,
    ...more,
  });
  const team = (members: readonly string[], fields: Fields = {}) => ({
    component_type: "team",
    config: { members: members.map((agent_id) => ({ type: "agent", agent_id })) },
    ...fields,
  });

  test.each([undefined, 2.6, true, 0, "1", null])("child_version %j is refused", async (child_version) => {
    const json = { config: {}, links: [{ ...link("x"), child_version }] };
    expect((await post(await create(), "/configs", json)).status).toBe(400);
  });

  test("are never shown", async () => {
    const id = await create({ links: [link("some-code-agent", 3, { position: 0, meta: { a: 1 } })] });
    expect((await get(id, "/configs/1")).text).not.toContain("some-code-agent");
  });

  test("to itself, or in a circle, are refused", async () => {
    const one = await published();
    expect((await post(one, "/configs", { config: {}, links: [link(one)] })).status).toBe(409);
    const two = await published({ links: [link(one)] });
    const three = await create({ links: [link(two)] });
    expect((await post(one, "/configs", { config: {}, links: [link(two)] })).status).toBe(409);
    expect((await post(one, "/configs", { config: {}, links: [link(three)] })).status).toBe(409);
    expect((await post(two, "/configs", { config: {}, links: [link(one)] })).status).toBe(201);
  });

  test("keep a child from being archived, whichever living version has them", async () => {
    const child = await published();
    const parent = await published({ links: [link(child)] });
    expect((await remove(child)).status).toBe(409);
    await post(parent, "/configs", { config: {}, stage: "published", links: [] });
    expect((await remove(child)).status).toBe(409);
    await remove(parent);
    expect((await remove(child)).status).toBe(204);
    expect((await post(parent, "/restore")).status).toBe(409);
    await post(child, "/restore");
    expect((await post(parent, "/restore")).status).toBe(200);
    expect((await remove(child)).status).toBe(409);
  });

  test("of a draft keep a draft of the child, until they are replaced", async () => {
    const child = await create();
    await post(child, "/configs", { config: {} });
    const parent = await create({ links: [link(child, 2)] });
    expect((await remove(child, "/configs/2")).status).toBe(409);
    await patch(parent, "/configs/1", { links: [] });
    expect((await remove(child, "/configs/2")).status).toBe(204);
  });

  test("of a deleted draft are released", async () => {
    const child = await create();
    const parent = await create();
    await post(parent, "/configs", { config: {}, links: [link(child)] });
    expect((await remove(child)).status).toBe(409);
    await remove(parent, "/configs/2");
    expect((await remove(child)).status).toBe(204);
  });

  test("are published only when what they hold is published", async () => {
    const draft = await create();
    const parent = await create({ links: [link(draft)] });
    expect((await patch(parent, "/configs/1", { stage: "published" })).status).toBe(409);
    const missing = { config: {}, stage: "published", links: [link("nowhere")] };
    expect((await post(parent, "/configs", missing)).status).toBe(409);
    const inCode = { config: {}, stage: "published", links: [link("refund-desk")] };
    expect((await post(parent, "/configs", inCode)).status).toBe(201);
    await patch(draft, "/configs/1", { stage: "published" });
    expect((await patch(parent, "/configs/1", { stage: "published" })).status).toBe(200);
  });

  test("to an archived child are refused", async () => {
    const child = await published();
    await remove(child);
    expect((await post(await create(), "/configs", { config: {}, links: [link(child)] })).status).toBe(409);
    const json = { name: "t", component_id: "with-archived", ...team([child]) };
    expect((await maria.post("/components", { json })).status).toBe(409);
  });

  test("are derived from a team's members and a workflow's steps, at the versions that are live", async () => {
    const member = await published();
    await create(team([member, "concierge"]));
    expect((await remove(member)).status).toBe(409);
    const step = await published();
    const steps = [
      { type: "Condition", steps: [{ type: "Parallel", steps: [{ type: "Step", agent_id: step }] }] },
    ];
    const workflow = await create({ component_type: "workflow", config: { steps } });
    expect((await remove(step)).status).toBe(409);
    await patch(workflow, "/configs/1", { config: { steps: [] } });
    expect((await remove(step)).status).toBe(204);
  });

  test("that were given stay when the config is replaced", async () => {
    const child = await published();
    const parent = await create({ component_type: "team", links: [link(child)] });
    await patch(parent, "/configs/1", { config: { members: [] } });
    expect((await remove(child)).status).toBe(409);
  });

  test("cannot be derived from a member that is nowhere", async () => {
    const json = { name: "t", ...team(["unknown-agent"]) };
    const answer = await maria.post("/components", { json });
    expect([answer.status, answer.json.detail]).toEqual([400, expect.stringContaining("unknown-agent")]);
  });

  test("may be many, but not more than one transaction can look after", async () => {
    const many = (count: number, from = 0) =>
      Array.from({ length: count }, (_, i) => link(`child-${from + i}`));
    const id = await create({ links: many(30) });
    expect((await post(id, "/configs", { config: {}, links: many(31) })).status).toBe(400);
    expect((await patch(id, "/configs/1", { links: many(15, 30) })).status).toBe(200);
    expect((await post(id, "/configs", { config: {}, links: many(1, 99) })).status).toBe(400);
    expect((await remove(id)).status).toBe(204);
    expect((await post(id, "/restore")).status).toBe(200);
  });
});

describe("guards", () => {
  test("refuse a change that expects something else", async () => {
    const id = await published();
    await post(id, "/configs", { config: {}, stage: "published" });
    const wrong = { current_version: 1 };
    expect((await patch(id, "", { name: "x", guard: wrong })).status).toBe(409);
    expect((await post(id, "/configs/1/set-current", { guard: wrong })).status).toBe(409);
    expect((await remove(id, "", { guard: wrong })).status).toBe(409);
    expect((await remove(id, "?expected_current_version=1")).status).toBe(409);
    expect((await remove(id, "?expected_current_version=2", { guard: wrong })).status).toBe(400);
    const stale = { latest_version: 1 };
    expect((await post(id, "/configs", { config: {}, guard: stale })).status).toBe(409);
    await post(id, "/configs", { config: {}, guard: { latest_version: 2 } });
    expect((await patch(id, "/configs/3", { notes: "x", guard: stale })).status).toBe(409);
    expect((await patch(id, "/configs/3", { notes: "x", guard: { latest_version: 3 } })).status).toBe(200);
    expect((await remove(id, "?expected_current_version=2", { guard: { current_version: 2 } })).status).toBe(
      204,
    );
  });

  test("of which the other half is refused", async () => {
    const id = await published();
    const latest = { latest_version: 1 };
    const current = { current_version: 1 };
    expect((await patch(id, "", { name: "x", guard: latest })).status).toBe(400);
    expect((await post(id, "/configs/1/set-current", { guard: latest })).status).toBe(400);
    expect((await remove(id, "", { guard: latest })).status).toBe(400);
    expect((await post(id, "/configs", { config: {}, guard: current })).status).toBe(400);
  });

  test("whose members are null check nothing, and 0 stands for none yet", async () => {
    const id = await published();
    const nothing = { current_version: null, latest_version: null };
    expect((await patch(id, "", { name: "x", guard: nothing })).status).toBe(200);
    expect((await post(id, "/configs", { config: {}, guard: nothing })).status).toBe(201);
    expect((await patch(id, "", { name: "x", guard: { current_version: 0 } })).status).toBe(409);
    expect((await remove(id, "?expected_current_version=1", { guard: nothing })).status).toBe(204);
    const draft = await create();
    expect((await patch(draft, "", { name: "x", guard: { current_version: 0 } })).status).toBe(200);
    expect((await patch(draft, "", { name: "x", guard: { current_version: 1 } })).status).toBe(409);
    expect((await remove(draft, "?expected_current_version=0")).status).toBe(204);
  });

  test("let one of two win who expect the same", async () => {
    const id = await create();
    const json = { config: {}, guard: { latest_version: 1 } };
    const answers = await Promise.all([1, 2].map(() => post(id, "/configs", json)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(await numbers(id)).toEqual([2, 1]);
  });
});

describe("of another user's component", () => {
  test("nothing is seen or changed while it is a draft", async () => {
    const id = await create();
    for (const rest of ["", "/configs", "/configs/1", "/configs/current"]) {
      expect((await otto.get(at(id, rest))).status).toBe(404);
    }
    expect((await patch(id, "", { name: "x" }, otto)).status).toBe(404);
    expect((await remove(id, "", undefined, otto)).status).toBe(404);
    expect((await post(id, "/configs", { config: {} }, otto)).status).toBe(404);
  });

  test("what is published is read and not written; its drafts stay hidden", async () => {
    const id = await published({ config: { a: 1 } });
    await post(id, "/configs", { config: { secret: 1 } });
    expect((await otto.get(at(id, "/configs/1"))).json.config).toEqual({ a: 1 });
    expect((await otto.get(at(id, "/configs"))).json).toHaveLength(1);
    expect((await otto.get(at(id, "/configs/current"))).json.version).toBe(1);
    for (const version of [2, 7]) {
      expect((await otto.get(at(id, `/configs/${version}`))).status).toBe(404);
      expect((await patch(id, `/configs/${version}`, { notes: "x" }, otto)).status).toBe(404);
      expect((await remove(id, `/configs/${version}`, undefined, otto)).status).toBe(404);
    }
    expect((await patch(id, "/configs/1", { notes: "x" }, otto)).status).toBe(403);
    expect((await post(id, "/configs/1/set-current", undefined, otto)).status).toBe(403);
    expect((await post(id, "/configs", { config: {} }, otto)).status).toBe(403);
    expect((await patch(id, "", { name: "x" }, otto)).status).toBe(403);
    expect((await remove(id, "", undefined, otto)).status).toBe(403);
    expect((await post(id, "/restore", undefined, otto)).status).toBe(403);
  });

  test("a draft cannot be a member of one's team", async () => {
    const id = await create();
    const members = [{ type: "agent", agent_id: id }];
    const json = { name: "t", component_type: "team", config: { members } };
    expect((await otto.post("/components", { json })).status).toBe(404);
    const links = [{ link_kind: "member", link_key: "m", child_component_id: id, child_version: 1 }];
    expect(
      (await otto.post("/components", { json: { name: "u", component_type: "team", links } })).status,
    ).toBe(404);
  });
});

describe("scopes", () => {
  test("to write do not delete, and scopes for one id open nothing", async () => {
    const id = await create();
    const writer = clientOf(platform.url, platform.token("maria", ["components:read", "components:write"]));
    expect((await remove(id, "", undefined, writer)).status).toBe(403);
    expect((await remove(id, "/configs/1", undefined, writer)).status).toBe(403);
    expect((await post(id, "/restore", undefined, writer)).status).toBe(403);
    const narrow = clientOf(platform.url, platform.token("maria", [`components:${id}:read`]));
    expect((await narrow.get(at(id))).status).toBe(403);
  });
});

describe.each([
  ["agent", "team"],
  ["team", "workflow"],
  ["workflow", "agent"],
])("the routes of /%ss", (kind, other) => {
  const path = `/${kind}s`;
  test("make, change and archive a component of that kind, and find no other", async () => {
    const client = clientOf(platform.url, platform.token("maria", [`${kind}s:write`, `${kind}s:delete`]));
    const made = await client.post(path, { json: { name: "K", component_id: `kind-${kind}` } });
    expect(made).toMatchObject({ status: 201, json: { component_type: kind, component_id: `kind-${kind}` } });
    const changed = await client.call("PATCH", `${path}/kind-${kind}`, { json: { name: "L" } });
    expect(changed).toMatchObject({ status: 200, json: { name: "L" } });
    const foreign = await create({ component_type: other });
    expect((await client.call("PATCH", `${path}/${foreign}`, { json: { name: "L" } })).status).toBe(404);
    expect((await client.call("DELETE", `${path}/${foreign}`)).status).toBe(404);
    expect((await client.call("DELETE", `${path}/kind-${kind}`)).status).toBe(204);
    expect((await client.call("DELETE", `${path}/kind-${kind}`)).status).toBe(404);
  });
});
