import { expect } from "vitest";
import { clientOf } from "../support/client.ts";
import type { RunningPlatform } from "../support/platform.ts";
import { test } from "../support/shared-platform.ts";

let platform: RunningPlatform;
test.beforeAll(({ platform: shared }) => {
  platform = shared;
});
const me = (token?: string) => clientOf(platform.url, token).call("GET", "/me");

test("an admin learns that it is one, and by which scope", async () => {
  expect(await me(platform.adminToken)).toMatchObject({
    status: 200,
    json: {
      id: "admin",
      kind: "user",
      scopes: [platform.adminScope],
      is_admin: true,
      admin_scope: platform.adminScope,
    },
  });
});

test("a user learns who it is and what it may do, whatever its scopes are", async () => {
  const scopes = ["agents:run", "agents:assistant:read"];
  const got = await me(platform.token("me-maria", scopes));
  expect([got.status, got.json]).toEqual([
    200,
    { id: "me-maria", kind: "user", scopes, is_admin: false, admin_scope: platform.adminScope },
  ]);
  expect((await me(platform.token("me-unprivileged", []))).json).toMatchObject({
    id: "me-unprivileged",
    scopes: [],
  });
});

test("a service account learns its name as well", async () => {
  const minted = await clientOf(platform.url, platform.adminToken).call("POST", "/service-accounts", {
    json: { name: "me-ci", scopes: [{ scope: "agents:run" }] },
  });
  expect((await me(minted.json.token)).json).toEqual({
    id: "sa:me-ci",
    kind: "service_account",
    name: "me-ci",
    scopes: ["agents:run"],
    is_admin: false,
    admin_scope: platform.adminScope,
  });
});

test("no caller learns anything without a credential", async () => {
  expect((await me()).status).toBe(401);
  expect((await me("none")).status).toBe(401);
});
