import { expect } from "vitest";
import { type Client, clientOf } from "../support/client.ts";
import type { RunningPlatform } from "../support/platform.ts";
import { test } from "../support/shared-platform.ts";

let platform: RunningPlatform;
let maria: Client;
let otto: Client;
test.beforeAll(async ({ platform: shared }) => {
  platform = shared;
  const scopes = [
    ...["read", "write", "delete"].flatMap((verb) => [`components:${verb}`, `schedules:${verb}`]),
    "agents:run",
  ];
  maria = clientOf(platform.url, platform.token("maria", scopes));
  otto = clientOf(platform.url, platform.token("otto", scopes));
});

const create = async (component_id: string, stage = "published") => {
  const json = { name: "Bot", component_type: "agent", component_id, stage };
  expect((await maria.post("/components", { json })).status).toBe(201);
};
let made = 0;
const schedule = (client: Client, id: string) => {
  made += 1;
  const json = { name: `s-${made}`, cron_expr: "0 9 * * *", endpoint: `/agents/${id}/runs` };
  return client.post("/schedules", { json: { ...json, payload: { message: "hello" } } });
};

test("whoever's schedules run a component are disabled when it is archived, and stay so when it comes back", async () => {
  await create("nightly");
  const ids = [
    [maria, (await schedule(maria, "nightly")).json.id],
    [otto, (await schedule(otto, "nightly")).json.id],
  ] as const;
  const other = (await schedule(maria, "assistant")).json.id;
  const shown = () =>
    Promise.all(ids.map(async ([client, id]) => (await client.get(`/schedules/${id}`)).json));
  expect((await shown()).map(({ enabled }) => enabled)).toEqual([true, true]);
  expect((await maria.call("DELETE", "/components/nightly")).status).toBe(204);
  for (const one of await shown()) {
    expect(one).toMatchObject({ enabled: false, disabled_reason: "target_archived:agent:nightly" });
  }
  expect((await maria.get(`/schedules/${other}`)).json.enabled).toBe(true);
  await maria.post("/components/nightly/restore");
  expect((await shown()).map(({ enabled }) => enabled)).toEqual([false, false]);
});

test("many schedules of a component that holds many others are disabled with it", async () => {
  const links = Array.from({ length: 30 }, (_, i) => ({
    link_kind: "member",
    link_key: `m${i}`,
    child_component_id: `elsewhere-${i}`,
    child_version: 1,
  }));
  const json = { name: "Bot", component_type: "agent", component_id: "busy", stage: "published" };
  await maria.post("/components", { json });
  await maria.post("/components/busy/configs", { json: { config: {}, links } });
  const all = await Promise.all(Array.from({ length: 40 }, () => schedule(maria, "busy")));
  expect((await maria.call("DELETE", "/components/busy")).status).toBe(204);
  const shown = await Promise.all(all.map((one) => maria.get(`/schedules/${one.json.id}`)));
  expect(shown.map((one) => one.json.enabled)).toEqual(all.map(() => false));
});

test("no schedule is made of what is archived or was never published", async () => {
  await create("draft-only", "draft");
  await create("gone");
  await maria.call("DELETE", "/components/gone");
  expect((await schedule(maria, "draft-only")).status).toBe(409);
  expect((await schedule(maria, "gone")).status).toBe(409);
});
