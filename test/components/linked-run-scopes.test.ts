import { beforeEach, describe, expect } from "vitest";
import { type Answer, type Client, clientOf } from "../support/client.ts";
import type { RunningPlatform } from "../support/platform.ts";
import { test } from "../support/shared-platform.ts";

/**
 * Who stores a version, or makes one live, may run everything that it links: through every kind of link, every level of
 * stored components and every route that writes.
 */
let platform: RunningPlatform;
let admin: Client;
test.beforeAll(({ platform: shared }) => {
  platform = shared;
  admin = clientOf(platform.url, platform.adminToken);
});

type Fields = Readonly<Record<string, unknown>>;
const writing = [
  ...["read", "write", "delete"].map((verb) => `components:${verb}`),
  ...["agents", "teams", "workflows"].flatMap((kind) => [`${kind}:write`, `${kind}:delete`, `${kind}:read`]),
];
let made = 0;
/** Ids of one test; its writer may run them, and nothing else unless it is named. */
let own: (name: string) => string;
let scopesOfOwn: readonly string[];
beforeEach(() => {
  made += 1;
  own = (name) => `linked-${name}-${made}`;
  scopesOfOwn = ["agents", "teams", "workflows"].flatMap((kind) =>
    ["flow", "crew", "bot", "inner", "outer"].map((name) => `${kind}:${own(name)}:run`),
  );
});
const writer = (...scopes: readonly string[]): Client =>
  clientOf(platform.url, platform.token("otto", [...writing, ...scopesOfOwn, ...scopes]));

const body = (component_type: string, name: string, config: Fields, fields: Fields = {}) => ({
  ...{ name, component_type, component_id: own(name), config, ...fields },
});
const published = { stage: "published" };
const steps = (...list: readonly Fields[]) => ({ steps: list });
const refund = { name: "pay", agent_id: "refund-desk" };
const outline = { name: "outline", executor_ref: "outline" };
const missing = (scope: string) => ({
  status: 403,
  detail: `Insufficient permissions. Required scope(s): ${scope}`,
});
const refusalOf = ({ status, json }: Answer) => ({ status, detail: json?.detail });

const isStored = async (name: string) => (await admin.get(`/components/${own(name)}`)).status === 200;

test("a workflow around the refund desk takes the scope to run the refund desk", async () => {
  const otto = writer();
  const direct = await otto.post("/agents/refund-desk/runs", { form: { message: "hi", stream: "false" } });
  expect(direct.status).toBe(403);
  const json = body("workflow", "flow", steps(refund), published);
  expect(refusalOf(await otto.post("/components", { json }))).toEqual(missing("agents:refund-desk:run"));
  expect(await isStored("flow")).toBe(false);
  expect((await writer("agents:refund-desk:run").post("/components", { json })).status).toBe(201);
  // Who only runs it needs the scope for it alone.
  const run = await otto.post(`/workflows/${own("flow")}/runs`, {
    form: { message: '[[tool:issue_refund {"order_id":"o-1","amount":5}]]', stream: "false" },
  });
  expect([run.status, run.json.status]).toEqual([200, "PAUSED"]);
});

const nestings: Readonly<Record<string, Fields>> = {
  "a step": refund,
  "steps in steps": { type: "Steps", name: "s", steps: [{ type: "Steps", name: "t", steps: [refund] }] },
  "parallel steps": { type: "Parallel", name: "p", steps: [outline, refund] },
  "a loop": { type: "Loop", name: "l", steps: [refund] },
  "a condition": { type: "Condition", name: "c", evaluator: true, steps: [refund] },
  "a condition's other branch": { type: "Condition", name: "c", evaluator: true, else_steps: [refund] },
  "a router's choice": { type: "Router", name: "r", choices: [outline, refund] },
  "a step that names two": { ...refund, workflow_id: "publish-report" },
};
test.each(Object.entries(nestings))("%s leads there too", async (_name, step) => {
  const json = body("workflow", "flow", steps(step));
  const answer = await writer("workflows:publish-report:run").post("/components", { json });
  expect(refusalOf(answer)).toEqual(missing("agents:refund-desk:run"));
});

test.each([
  ["agents:refund-desk:run", "team", { members: [{ type: "agent", agent_id: "refund-desk" }] }],
  ["teams:support-team:run", "team", { members: [{ type: "team", team_id: "support-team" }] }],
  // The id of a team is executed, whatever the type says.
  [
    "teams:support-team:run",
    "team",
    { members: [{ type: "agent", agent_id: "assistant", team_id: "support-team" }] },
  ],
  ["agents:refund-desk:run", "team", { members: [{ agent_id: "refund-desk" }] }],
  ["teams:support-team:run", "workflow", steps({ name: "s", team_id: "support-team" })],
  ["workflows:publish-report:run", "workflow", steps({ name: "s", workflow_id: "publish-report" })],
  [
    "workflows:publish-report:run",
    "workflow",
    steps({ name: "s", agent_id: "assistant", workflow_id: "publish-report" }),
  ],
  ["agents:unknown-yet:run", "workflow", steps({ name: "s", agent_id: "unknown-yet" })],
] as const)("%s is asked for by a %s that links it (%#)", async (scope, type, config) => {
  const otto = writer("agents:assistant:run");
  for (const path of ["/components", `/${type}s`]) {
    const json = body(type, "crew", config);
    expect(refusalOf(await otto.post(path, { json }))).toEqual(missing(scope));
  }
  expect(await isStored("crew")).toBe(false);
  const json = body(type, "crew", config);
  expect((await writer("agents:assistant:run", scope).post(`/${type}s`, { json })).status).toBe(201);
});

test("a link that is given takes the scope, also where the config names nothing", async () => {
  const link = {
    link_kind: "step_agent",
    link_key: "m",
    child_component_id: "refund-desk",
    child_version: 1,
  };
  for (const [kind, type] of [
    ["step_agent", "agents"],
    ["member", "agents"],
  ] as const) {
    const json = body("workflow", "flow", {}, { links: [{ ...link, link_kind: kind }] });
    expect(refusalOf(await writer().post("/components", { json }))).toEqual(
      missing(`${type}:refund-desk:run`),
    );
  }
});

test("a declared team is the operator's grant: its members take no scope", async () => {
  const json = body("team", "crew", { members: [{ type: "team", team_id: "support-team" }] }, published);
  expect((await writer("teams:support-team:run").post("/components", { json })).status).toBe(201);
});

test("what a stored component of another user links is looked into, at every level", async () => {
  await admin.post("/components", { json: body("workflow", "inner", steps(refund), published) });
  const around = steps({ name: "s", workflow_id: own("inner") });
  await admin.post("/components", { json: body("workflow", "outer", around, published) });
  const config = steps({ type: "Loop", name: "l", steps: [{ name: "s", workflow_id: own("outer") }] });
  const json = body("workflow", "flow", config);
  expect(refusalOf(await writer().post("/components", { json }))).toEqual(missing("agents:refund-desk:run"));
  expect(await isStored("flow")).toBe(false);
  // Without links too, where what it names runs at its live version.
  const unlinked = { ...json, links: [] };
  expect(refusalOf(await writer().post("/components", { json: unlinked }))).toEqual(
    missing("agents:refund-desk:run"),
  );
});

describe("every way to write a version or to make one live", () => {
  const id = () => own("flow");
  /** A component of otto's whose second version, made by an admin, pays refunds; the first one is live. */
  const prepared = async (stage: string) => {
    await writer().post("/components", { json: body("workflow", "flow", steps(outline), published) });
    await admin.post(`/components/${id()}/configs`, { json: { config: steps(refund), stage } });
    await admin.post(`/components/${id()}/configs/1/set-current`);
  };
  const patch = (client: Client, path: string, json: Fields) => client.call("PATCH", path, { json });

  const ways: Readonly<Record<string, { stage: string; ask: (client: Client) => Promise<Answer> }>> = {
    "a new version": {
      stage: "draft",
      ask: (client) =>
        client.post(`/components/${id()}/configs`, { json: { config: steps(refund), stage: "draft" } }),
    },
    "a new published version": {
      stage: "draft",
      ask: (client) =>
        client.post(`/components/${id()}/configs`, { json: { config: steps(refund), ...published } }),
    },
    "an edit of a draft's notes": {
      stage: "draft",
      ask: (client) => patch(client, `/components/${id()}/configs/2`, { notes: "x" }),
    },
    "publishing a draft": {
      stage: "draft",
      ask: (client) => patch(client, `/components/${id()}/configs/2`, published),
    },
    "making a published version current": {
      stage: "published",
      ask: (client) => client.post(`/components/${id()}/configs/2/set-current`),
    },
    "naming the current version in a change": {
      stage: "published",
      ask: (client) => patch(client, `/components/${id()}`, { current_version: 2 }),
    },
    "naming it by the route of the kind": {
      stage: "published",
      ask: (client) => patch(client, `/workflows/${id()}`, { current_version: 2 }),
    },
    "restoring it from the archive": {
      stage: "published",
      ask: async (client) => {
        await client.call("DELETE", `/components/${id()}`);
        return client.post(`/components/${id()}/restore`);
      },
    },
  };
  test.each(Object.entries(ways))("%s takes the scopes", async (_name, { stage, ask }) => {
    await prepared(stage);
    const before = (await admin.get(`/components/${id()}/configs`)).json;
    expect(refusalOf(await ask(writer()))).toEqual(missing("agents:refund-desk:run"));
    expect((await admin.get(`/components/${id()}?include_deleted=true`)).json?.current_version ?? 1).toBe(1);
    await admin.post(`/components/${id()}/restore`);
    expect((await admin.get(`/components/${id()}/configs`)).json).toEqual(before);
    expect((await ask(writer("agents:refund-desk:run"))).status).toBeLessThan(300);
  });

  test("a name and a description may be changed without them", async () => {
    await prepared("published");
    expect((await patch(writer(), `/components/${id()}`, { name: "Other" })).status).toBe(200);
  });
});

test("who changes what others link without a version is asked for what it then links", async () => {
  const otto = writer();
  await otto.post("/components", { json: body("workflow", "inner", steps(outline), published) });
  const config = steps({ name: "s", workflow_id: own("inner") });
  const made = await otto.post("/components", {
    json: body("workflow", "flow", config, { links: [], ...published }),
  });
  expect(made.status).toBe(201);
  const version = { config: steps(refund), ...published };
  expect((await otto.post(`/components/${own("inner")}/configs`, { json: version })).status).toBe(403);
});

test("a draft is run by who may run what it links, at the moment of the run", async () => {
  const otto = writer();
  const json = body("workflow", "flow", steps(outline));
  await otto.post("/components", { json });
  const path = `/workflows/${own("flow")}/runs`;
  const form = { message: "hi", stream: "false", version: "1" };
  expect((await otto.post(path, { form })).status).toBe(200);
  // An admin adds to the draft what its owner may not run.
  const inner = body("workflow", "inner", steps(refund), published);
  await admin.post("/components", { json: inner });
  const change = { json: { config: steps({ name: "s", workflow_id: own("inner") }) } };
  await admin.call("PATCH", `/components/${own("flow")}/configs/1`, change);
  for (const background of ["true", "false"]) {
    expect(refusalOf(await otto.post(path, { form: { ...form, background } }))).toEqual(
      missing("agents:refund-desk:run"),
    );
  }
  expect((await writer("agents:refund-desk:run").post(path, { form })).status).toBe(200);
});

test("a paused run of a draft goes on for who may run what the draft links by then", async () => {
  const otto = writer();
  const asking = { ...outline, human_review: { requires_confirmation: true } };
  await otto.post("/components", { json: body("workflow", "flow", steps(asking)) });
  const path = `/workflows/${own("flow")}/runs`;
  const { json: run } = await otto.post(path, { form: { message: "hi", stream: "false", version: "1" } });
  expect(run.status).toBe("PAUSED");
  const change = { json: { config: steps(asking, refund) } };
  await admin.call("PATCH", `/components/${own("flow")}/configs/1`, change);
  const step_requirements = JSON.stringify(
    run.step_requirements.map((one: Fields) => ({ ...one, confirmed: true })),
  );
  const form = { session_id: run.session_id, stream: "false", step_requirements };
  expect(refusalOf(await otto.post(`${path}/${run.run_id}/continue`, { form }))).toEqual(
    missing("agents:refund-desk:run"),
  );
});

test("no user links a draft that they may not see", async () => {
  await admin.post("/components", { json: body("agent", "inner", {}, published) });
  await admin.post(`/components/${own("inner")}/configs`, { json: { config: {} } });
  const link = { link_kind: "step_agent", link_key: "s", child_component_id: own("inner"), child_version: 2 };
  const config = steps({ name: "s", agent_id: own("inner") });
  const asked = body("workflow", "flow", config, { links: [link] });
  expect((await writer().post("/components", { json: asked })).status).toBe(404);
});

test("an admin, and who may run all of a kind, write what they like", async () => {
  const json = (name: string) =>
    body("workflow", name, steps(refund, { name: "s", agent_id: "unknown-yet" }));
  expect((await admin.post("/components", { json: json("flow") })).status).toBe(201);
  expect((await writer("agents:run").post("/components", { json: json("crew") })).status).toBe(201);
});

test("a target whose id no key can hold is nowhere, and breaks nothing", async () => {
  const agent_id = "x".repeat(3000);
  const client = writer("agents:run", "teams:run");
  const flow = body("workflow", "flow", steps({ name: "s", agent_id }), published);
  expect((await client.post("/components?force=true", { json: flow })).status).toBe(201);
  const run = await client.post(`/workflows/${own("flow")}/runs`, {
    form: { message: "hi", stream: "false" },
  });
  expect(run.status).toBe(422);
  const crew = body("team", "crew", { members: [{ agent_id }] });
  expect((await client.post("/components", { json: crew })).status).toBe(400);
  const link = { link_kind: "member", link_key: "m", child_component_id: agent_id, child_version: 1 };
  const linked = body("team", "crew", {}, { links: [link] });
  expect((await client.post("/components", { json: linked })).status).toBe(400);
});
