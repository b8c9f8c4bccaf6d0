import { describe, expect } from "vitest";
import { auditIfForced } from "../../functions/components/inspect/audit-if-forced.ts";
import { type Answer, type Client, clientOf } from "../support/client.ts";
import { createComponent } from "../support/create-component.ts";
import type { RunningPlatform } from "../support/platform.ts";
import { test } from "../support/shared-platform.ts";

let platform: RunningPlatform;
let admin: Client;
let maria: Client;
test.beforeAll(({ platform: shared }) => {
  platform = shared;
  admin = clientOf(platform.url, platform.adminToken);
  maria = clientOf(platform.url, platform.token("checks-maria", scopes));
});

type Fields = Readonly<Record<string, unknown>>;
const scopes = [
  ...["read", "write", "delete"].map((verb) => `components:${verb}`),
  ...["agents:concierge:run", "agents:read", "agents:write"],
];
let made = 0;
const create = (config: Fields, fields: Fields = {}, client = admin, options = {}) => {
  made += 1;
  return createComponent(client, { component_id: `checked-${made}`, config, ...fields }, options);
};
const version = (id: string, rest = "") => `/components/${id}/configs/1${rest}`;
const check = (id: string, client = admin): Promise<Answer> => client.post(version(id, "/check"));
const patch = (id: string, json: Fields, query = "", client = admin): Promise<Answer> =>
  client.call("PATCH", version(id, query), { json });
const published = { stage: "published" };
const workflow = { component_type: "workflow" };

const fault = (path: string, message: unknown, error_code = "NOT_FOUND") => ({ path, message, error_code });
const broken = { tools: ["add_numbers", "format_disk"], model: "acme:m", output_schema: { type: "nothing" } };
const brokenFaults = [
  fault("tools[1]", "tool format_disk is not registered"),
  fault("model", "model acme:m is not registered"),
  fault("output_schema", expect.stringContaining("output_schema cannot be used"), "UNPROCESSABLE"),
];

describe("a check", () => {
  test("finds nothing wrong with a version that can run", async () => {
    const id = await create({ tools: ["add_numbers"], model: "scripted:scripted-1" });
    expect((await check(id)).json).toEqual({ ok: true, faults: [], warnings: [] });
  });

  test("says everything that is wrong, with its place, and changes nothing", async () => {
    const id = await create({ ...broken, markdwon: true });
    const warnings = [
      { path: "markdwon", message: "markdwon is unknown and ignored; the nearest key is markdown" },
    ];
    expect((await check(id)).json).toEqual({ ok: false, faults: brokenFaults, warnings });
    expect((await admin.get(version(id))).json.stage).toBe("draft");
  });

  test("looks into nested steps, and names children that were never published", async () => {
    const draft = await create({});
    const steps = [
      { type: "Loop", name: "l", steps: [{ name: "s", executor_ref: "rm_rf" }] },
      { type: "Condition", name: "c", evaluator: true, steps: [], else_steps: [{ agent_id: draft }] },
    ];
    const id = await create({ steps }, workflow);
    expect((await check(id)).json.faults).toEqual([
      fault("steps[0].steps[0].executor_ref", "step l: step s: function rm_rf is not registered"),
      fault("steps[1].else_steps[0].agent_id", `step c: step ${draft}: agent ${draft} is not there`),
    ]);
  });

  test("names children that are archived by now, and those that the caller may not run", async () => {
    const holder = clientOf(
      platform.url,
      platform.token("checks-maria", [...scopes, "agents:refund-desk:run"]),
    );
    const members = [{ agent_id: "refund-desk" }];
    const team = await create({ members }, { component_type: "team" }, holder);
    expect((await check(team, holder)).json.ok).toBe(true);
    const missing = "Insufficient permissions. Required scope(s): agents:refund-desk:run";
    expect((await check(team, maria)).json.faults).toEqual([
      fault("members[0].agent_id", missing, "UNAUTHORIZED"),
    ]);
    const gone = await create({}, published);
    const flow = await create({ steps: [{ agent_id: gone }] }, workflow);
    await patch(flow, { config: { steps: [] } });
    expect((await admin.call("DELETE", `/components/${gone}`)).status).toBe(204);
    const archived = fault(
      "steps[0].agent_id",
      `component ${gone} is archived; restore it first`,
      "CONFLICT",
    );
    const config = { steps: [{ agent_id: gone }] };
    expect((await patch(flow, { config })).json.faults).toEqual([archived]);
  });

  test("takes the right to read the version", async () => {
    const id = await create({}, {}, maria);
    const otto = clientOf(platform.url, platform.token("checks-otto", scopes));
    expect((await check(id, otto)).status).toBe(404);
    const writer = clientOf(platform.url, platform.token("checks-maria", ["components:write"]));
    expect((await check(id, writer)).status).toBe(403);
    expect((await check(id, maria)).json.ok).toBe(true);
    expect((await admin.post(`/components/${id}/configs/9/check`)).status).toBe(404);
  });
});

describe("a version that cannot run", () => {
  test("is not published, whichever way is taken, and the answer has all faults", async () => {
    const refused = { status: 422, faults: brokenFaults };
    const statusAndFaults = ({ status, json }: Answer) => ({ status, faults: json.faults });
    const json = { name: "x", component_type: "agent", config: broken, ...published };
    expect(statusAndFaults(await admin.post("/components", { json }))).toEqual(refused);
    expect(statusAndFaults(await admin.post("/agents", { json }))).toEqual(refused);
    const id = await create(broken);
    expect(statusAndFaults(await patch(id, published))).toEqual(refused);
    expect(statusAndFaults(await admin.post(`/components/${id}/configs`, { json }))).toEqual(refused);
    expect((await admin.get(`/components/${id}`)).json.current_version).toBeUndefined();
  });

  test("is not made current, but by force, which the audit log has", async () => {
    const id = await create(broken, published, admin, { force: true });
    await admin.post(`/components/${id}/configs`, { json: { config: {}, ...published } });
    const setCurrent = (query = "") => admin.post(version(id, `/set-current${query}`));
    expect((await setCurrent()).json).toMatchObject({ error_code: "UNPROCESSABLE", faults: brokenFaults });
    const named = (query = "") =>
      admin.call("PATCH", `/components/${id}${query}`, { json: { current_version: 1 } });
    expect((await named()).json.faults).toEqual(brokenFaults);
    expect((await setCurrent("?force=true")).json.current_version).toBe(1);
    expect((await named("?force=true")).json.current_version).toBe(1);
  });

  test("shows why when it is read", async () => {
    const id = await create(broken, published, admin, { force: true });
    for (const path of [`/components/${id}`, version(id), `/components/${id}/configs/current`])
      expect((await admin.get(path)).json.faults).toEqual(brokenFaults);
    const sound = await create({}, published);
    expect((await admin.get(`/components/${sound}`)).json).not.toHaveProperty("faults");
  });

  test("a refusal that the wire knows keeps its status, and has the other faults beside it", async () => {
    const child = await create({});
    const link = { link_kind: "member", link_key: "m", child_component_id: child, child_version: 1 };
    const id = await create({ ...broken, members: [{ agent_id: child }] }, { component_type: "team" });
    const answer = await patch(id, { ...published, links: [link] }, "?force=true");
    expect([answer.status, answer.json.faults[0].error_code]).toEqual([409, "CONFLICT"]);
    expect(answer.json.faults).toEqual(expect.arrayContaining(brokenFaults));
  });
});

test("what force has made live is in the audit log, and nothing else is", () => {
  const lines: unknown[] = [];
  const deps = { log: { info: (...line: unknown[]) => lines.push(line) } };
  const principal = { kind: "user", user_id: "maria", scopes: [], admin: false } as const;
  const live = { component_id: "bot", version: 2, stage: "published" } as const;
  const faults = [{ path: "tools[0]", message: "m", error_code: "NOT_FOUND" }] as const;
  auditIfForced(deps, principal, live, { faults: [] });
  auditIfForced(deps, principal, { ...live, stage: "draft" }, { faults });
  expect(lines).toEqual([]);
  auditIfForced(deps, principal, live, { faults });
  expect(lines).toEqual([
    [
      "audit",
      {
        operation: "forceConfigVersion",
        principal: "maria",
        faults: ["tools[0]"],
        target: { component_id: "bot", version: 2 },
        decision: "allow",
      },
    ],
  ]);
});

describe("keys of a config", () => {
  const warned = [
    { path: "reasoning", message: "reasoning is ignored: a model that reasons does so by itself" },
    { path: "instuctions", message: "instuctions is unknown and ignored; the nearest key is instructions" },
  ];
  const config = { reasoning: true, instuctions: "Be brief.", parse_response: true, stream: false };

  test("that have no effect are warned of when they are created, changed and published", async () => {
    const json = { name: "x", component_type: "agent", component_id: "keys-warned", config };
    expect((await admin.post("/components", { json })).json.warnings).toEqual(warned);
    expect((await patch("keys-warned", { notes: "n" })).json.warnings).toEqual(warned);
    expect((await patch("keys-warned", published)).json.warnings).toEqual(warned);
    const added = await admin.post("/components/keys-warned/configs", { json: { config } });
    expect(added.json.warnings).toEqual(warned);
    expect((await admin.post(version("keys-warned", "/set-current"))).json.warnings).toEqual(warned);
    const plain = await admin.post("/components/keys-warned/configs", { json: { config: {} } });
    expect(plain.json).not.toHaveProperty("warnings");
  });

  test("that are refused are not even stored as a draft, and not by force", async () => {
    const steps = [{ type: "Condition", name: "c", evaluator: "1 < 2", evaluator_type: "cel", steps: [] }];
    const json = { name: "x", component_id: "keys-refused", config: { steps }, ...workflow };
    for (const query of ["", "?force=true"]) {
      const answer = await admin.post(`/components${query}`, { json });
      expect([answer.status, answer.json.faults]).toEqual([
        422,
        [fault("steps[0].evaluator_type", expect.stringContaining("cel"), "UNPROCESSABLE")],
      ]);
    }
    expect((await admin.get("/components/keys-refused")).status).toBe(404);
  });
});

describe("the model of a config", () => {
  test.each([
    "scripted",
    "scripted:scripted-1",
    "Scripted:scripted-1",
    { id: "scripted-1", provider: "scripted" },
    { id: "scripted-1", provider: "Scripted", name: "Scripted" },
  ])("is found as %j", async (model) => {
    const id = await create({ model }, published);
    const answer = await admin.post(`/agents/${id}/runs`, { form: { message: "hi", stream: "false" } });
    expect(answer.json).toMatchObject({ status: "COMPLETED", model: "scripted-1" });
  });
});
