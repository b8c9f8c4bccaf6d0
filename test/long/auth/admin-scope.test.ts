import { afterAll, beforeAll, expect, test } from "vitest";
import { clientOf } from "../../support/client.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startPlatform({
    env: { ADMIN_SCOPE: "platform:prod:admin,agent_os:admin", OPEN_ACCESS: "true" },
  });
});
afterAll(() => platform?.stop());

const mint = (token: string) =>
  clientOf(platform.url, token).post("/service-accounts", {
    json: {
      name: "helper",
      scopes: [{ scope: "platform:prod:admin" }],
      allow_privileged_scopes: true,
    },
  });

test("with an admin scope of one's own, no other scope is one or grants it", async () => {
  for (const held of ["platform:admin", "platform:*:admin", "platform:prod:*"]) {
    const token = platform.token("maria", [held, "service_accounts:write"]);
    expect((await clientOf(platform.url, token).get("/queue/stats")).status).toBe(403);
    expect(await mint(token)).toMatchObject({
      status: 403,
      json: { detail: "Scopes that you do not hold: platform:prod:admin" },
    });
  }
});

test("the platform on one machine makes its own admins with it: the printed token, and guests", async () => {
  for (const token of [platform.adminToken, undefined]) {
    expect((await clientOf(platform.url, token).get("/queue/stats")).status).toBe(200);
  }
  const minted = await mint(platform.adminToken);
  expect(minted.status).toBe(201);
  expect((await clientOf(platform.url, minted.json.token).get("/queue/stats")).status).toBe(200);
});

test("the admins of another system are admins where their scope is configured too", async () => {
  const peer = clientOf(platform.url, platform.token("maria", ["agent_os:admin"]));
  expect((await peer.get("/queue/stats")).status).toBe(200);
});

test("a refusal names it", async () => {
  const { json } = await clientOf(platform.url, platform.token("maria", [])).get("/queue/stats");
  expect(json.detail).toContain("platform:prod:admin");
});
