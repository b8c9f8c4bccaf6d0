import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clientOf } from "../../support/client.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";
import { type StoreView, viewStores } from "../../support/stored.ts";

const LIMIT = 60;
let platform: TestPlatform;
let stores: StoreView;
beforeAll(async () => {
  platform = await startPlatform({ env: { REQUESTS_PER_MINUTE: String(LIMIT) } });
  stores = viewStores(platform);
});
afterAll(async () => {
  stores?.close();
  await platform?.stop();
});

/** The shared counter, as far as functions have written it. */
async function counted(sub: string): Promise<number> {
  const Key = { pk: `requests#${sub}`, sk: "window" };
  const { Item } = await stores.db.client.send(
    new GetCommand({ TableName: stores.db.tables.service_accounts, Key, ConsistentRead: true }),
  );
  return Number(Item?.count ?? 0);
}

test("a principal that spreads its requests over the entry points is stopped at all of them, streams included", async () => {
  const token = platform.token("flooder", ["agents:read", "agents:run"]);
  const client = clientOf(platform.url, token);
  const a2a = { message: { role: "ROLE_USER", messageId: "m", parts: [{ text: "hi" }] } };
  const entryPoints = [
    () => clientOf(platform.apiUrl, token).get("/agents"),
    () => client.post("/agents/assistant/runs", { form: { message: "hi", stream: "true" } }),
    () =>
      client.post("/a2a/agents/assistant/v1/tasks:get", {
        headers: { "a2a-version": "1.0" },
        json: { ...a2a, id: "none" },
      }),
  ];
  let passed = 0;
  for (let i = 0; i < LIMIT * 2; i += 1) {
    const answer = await entryPoints[i % entryPoints.length]?.();
    if (answer?.status !== 429) passed += 1;
  }
  expect(passed).toBeGreaterThanOrEqual(LIMIT);
  expect(passed).toBeLessThanOrEqual(LIMIT + 3 * Math.ceil(LIMIT / 20) + LIMIT * 0.1 * (1 + Math.log(3)));
  for (const ask of entryPoints) {
    const answer = await ask();
    expect(answer).toMatchObject({ status: 429, json: { error_code: "TOO_MANY_REQUESTS" } });
    const wait = Number(answer.headers.get("retry-after"));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
  }
  expect(await counted("flooder")).toBeGreaterThanOrEqual(LIMIT);
  expect((await clientOf(platform.url, platform.token("other", ["agents:read"])).get("/agents")).status).toBe(
    200,
  );
});

test("a principal that asks little is written nowhere", async () => {
  const client = clientOf(platform.url, platform.token("quiet", ["agents:read"]));
  for (let i = 0; i < 2; i += 1) expect((await client.get("/agents")).status).toBe(200);
  expect(await counted("quiet")).toBe(0);
});
