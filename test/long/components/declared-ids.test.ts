import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addComponent } from "../../../functions/components/add-component.ts";
import { declaredIn } from "../../../shared/engine/define/registry.ts";
import type { ComponentType } from "../../../shared/schemas/components/component.ts";
import { type Client, clientOf } from "../../support/client.ts";
import { componentsDeps } from "../../support/components-deps.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";
import { registry } from "../../support/registry/index.ts";
import { type StoreView, viewStores } from "../../support/stored.ts";

/** The ids that code declares are reserved, under any kind; what was stored under one before is hidden. */
let platform: TestPlatform;
let stores: StoreView;
let admin: Client;
let maria: Client;
const kinds = ["agent", "team", "workflow"] as const;
const scopes = [
  ...["read", "write", "delete"].flatMap((verb) => [`components:${verb}`, `schedules:${verb}`]),
  ...kinds.flatMap((kind) => [`${kind}s:read`, `${kind}s:run`, `${kind}s:write`]),
];
const hidden = [
  ["assistant", "agent"],
  ["concierge", "agent"],
  // An id of one kind, declared as another one.
  ["publish-report", "agent"],
  ["support-team", "workflow"],
] as const;

beforeAll(async () => {
  platform = await startPlatform();
  stores = viewStores(platform);
  admin = clientOf(platform.url, platform.adminToken);
  maria = clientOf(platform.url, platform.token("maria", scopes));
  for (const [id, type] of hidden) await storeEarlier(id, type);
});
afterAll(async () => {
  stores?.close();
  await platform?.stop();
});

/** As a deployment that did not declare the id yet has stored it. */
async function storeEarlier(component_id: string, type: ComponentType): Promise<void> {
  const deps = componentsDeps(stores.db);
  const principal = { kind: "user", user_id: "maria", scopes, admin: false } as const;
  const config = type === "workflow" ? { steps: [{ name: "s", executor_ref: "outline" }] } : {};
  const body = { name: "Impostor", component_id, stage: "published", config };
  await addComponent(deps, principal, type, body as Parameters<typeof addComponent>[3]);
}

const run = (path: string) => maria.post(`/${path}/runs`, { form: { message: "hi", stream: "false" } });
const idsIn = async (path: string): Promise<string[]> =>
  (await admin.get(path)).json.map(({ id }: { id: string }) => id);

describe("an id that code declares", () => {
  test.each(declaredIn(registry).map(({ id }) => id))("%s is refused for each kind", async (id) => {
    for (const kind of kinds) {
      const json = { name: "x", component_type: kind, component_id: id };
      expect((await maria.post("/components", { json })).status).toBe(409);
      const answer = await admin.post(`/${kind}s`, { json });
      expect([answer.status, answer.json.detail]).toEqual([409, expect.stringContaining(id)]);
    }
  });

  test("is not made of a name either", async () => {
    const json = { name: "Publish report", component_type: "agent" };
    expect((await admin.post("/components", { json })).status).toBe(409);
  });
});

describe("what was stored under such an id before", () => {
  test("is logged when a function starts", async () => {
    await admin.get("/agents");
    await admin.get("/components");
    for (const [id] of hidden) {
      await expect
        .poll(() => platform.lines.some((line) => line.includes("is hidden") && line.includes(id)))
        .toBe(true);
    }
  });

  test("is in no list, and found by its id, so that it can be archived", async () => {
    const listed = await admin.get("/components?limit=100");
    expect(listed.json).toMatchObject({ data: [], meta: { total_count: 0 } });
    for (const kind of kinds) {
      const ids = await idsIn(`/${kind}s`);
      expect(ids).toEqual(registry[`${kind}s`].map(({ id }) => id));
    }
    for (const [id] of hidden) expect((await admin.get(`/components/${id}`)).status).toBe(200);
  });

  test("does not run, nor is it shown, under either kind", async () => {
    expect((await run("agents/assistant")).json).toMatchObject({ agent_name: "Assistant" });
    expect((await run("agents/publish-report")).status).toBe(404);
    expect((await run("workflows/support-team")).status).toBe(404);
    expect((await run("workflows/publish-report")).json.status).toBe("PAUSED");
    expect((await maria.get("/agents/publish-report")).status).toBe(404);
    expect((await maria.get("/agents/publish-report?version=1")).status).toBe(404);
    expect((await maria.get("/workflows/support-team")).status).toBe(404);
    expect((await maria.get("/agents/assistant")).json).toMatchObject({ is_component: false });
  });

  test("gets no messages of other agents", async () => {
    const message = { messageId: "m-1", role: "user", parts: [{ kind: "text", text: "hi" }] };
    const params = { message: { ...message, agentId: "publish-report" } };
    const sent = { json: { jsonrpc: "2.0", id: "1", method: "message/send", params } };
    const runs = (path: string) => admin.get(path);
    expect((await maria.post("/a2a/message/send", sent)).status).toBe(200);
    const tasks = await runs("/a2a/workflows/publish-report/v1/tasks");
    expect(tasks.json.tasks).toHaveLength(1);
    const card = (kind: string) => maria.get(`/a2a/${kind}/publish-report/.well-known/agent-card.json`);
    expect([(await card("agents")).status, (await card("workflows")).status]).toEqual([404, 200]);
    const direct = { json: { ...sent.json, params: { message } } };
    expect((await maria.post("/a2a/agents/publish-report/v1/message:send", direct)).status).toBe(404);
  });

  test("is no member and no step of what is stored", async () => {
    const config = {
      steps: [
        { name: "a", agent_id: "assistant" },
        { name: "b", agent_id: "publish-report" },
      ],
    };
    const json = { name: "F", component_type: "workflow", component_id: "flow", stage: "published", config };
    expect((await maria.post("/components?force=true", { json })).status).toBe(201);
    const answer = await run("workflows/flow");
    expect([answer.status, answer.json.detail]).toEqual([
      422,
      expect.stringContaining("agent publish-report"),
    ]);
    await maria.call("DELETE", "/components/flow");
  });

  test("is archived without its schedules, which run what is declared, and is not restored", async () => {
    const asked = { name: "daily", cron_expr: "0 9 * * *", endpoint: "/agents/concierge/runs" };
    const { json } = await maria.post("/schedules", { json: { ...asked, payload: { message: "hi" } } });
    expect((await maria.call("DELETE", "/components/concierge")).status).toBe(204);
    expect((await maria.get(`/schedules/${json.id}`)).json.enabled).toBe(true);
    expect((await maria.post("/components/concierge/restore")).status).toBe(409);
  });
});
