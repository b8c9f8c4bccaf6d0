import { describe, expect } from "vitest";
import { type Client, clientOf } from "../support/client.ts";
import type { RunningPlatform } from "../support/platform.ts";
import { test } from "../support/shared-platform.ts";

let platform: RunningPlatform;
let admin: Client;
let reader: Client;
test.beforeAll(async ({ platform: shared }) => {
  platform = shared;
  admin = clientOf(platform.url, platform.adminToken);
  reader = clientOf(platform.url, platform.token("reader", ["agents:read"]));
});

describe("JSON in place of a form", () => {
  test.each(["/agents/assistant/runs", "/teams/support-team/runs", "/workflows/publish-report/runs"])(
    "%s says that a form is expected, and shows one",
    async (path) => {
      const { status, json } = await admin.post(path, { json: { message: "Hello" } });
      expect(status).toBe(422);
      expect(json.detail).toEqual([
        expect.objectContaining({ loc: ["body"], msg: expect.stringContaining("-F message='…'") }),
      ]);
      expect(json.detail[0].msg).toContain("takes a form, not JSON");
    },
  );

  test("an empty body is a form without fields", async () => {
    const headers = { "content-type": "application/json" };
    const { status, json } = await admin.post("/agents/assistant/runs", { headers });
    expect([status, json.detail[0].loc]).toEqual([422, ["body", "message"]]);
  });
});

test("a refusal has the code of the interface, at the gateway and in a function", async () => {
  for (const answer of [await reader.get("/queue/jobs"), await reader.run("hello")]) {
    expect([answer.status, answer.json.error_code]).toEqual([403, "UNAUTHORIZED"]);
  }
  const unknown = await clientOf(platform.url).get("/agents");
  expect([unknown.status, unknown.json.error_code]).toEqual([401, "UNAUTHENTICATED"]);
});

describe("what code declares", () => {
  test.each([
    ["PATCH", "/agents/assistant", "agent assistant"],
    ["DELETE", "/agents/assistant", "agent assistant"],
    ["PATCH", "/teams/support-team", "team support-team"],
    ["DELETE", "/workflows/publish-report", "workflow publish-report"],
    ["PATCH", "/components/assistant", "agent assistant"],
    ["DELETE", "/components/assistant", "agent assistant"],
  ])("%s %s says so", async (method, path, what) => {
    const { status, json } = await admin.call(method, path, {
      json: method === "PATCH" ? { name: "x" } : {},
    });
    expect([status, json.error_code]).toEqual([409, "CONFLICT"]);
    expect(json.detail).toContain(`${what} is declared in code`);
  });

  test("an unknown id is not found, and so is one of another kind", async () => {
    expect((await admin.call("PATCH", "/agents/unknown", { json: { name: "x" } })).status).toBe(404);
    expect((await admin.call("DELETE", "/teams/assistant", { json: {} })).status).toBe(404);
  });
});

describe("lengths count characters", () => {
  const face = "\u{1F600}";
  test("a text of as many characters as are allowed is stored, whatever they are", async () => {
    const memory = face.repeat(5_000);
    const created = await admin.post("/memories", { json: { memory, user_id: "faces" } });
    expect([created.status, created.json.memory]).toEqual([200, memory]);
    const name = face.repeat(200);
    expect((await admin.post("/components", { json: { name, component_type: "agent" } })).status).toBe(201);
  });

  test("one more is refused", async () => {
    const { status, json } = await admin.post("/memories", {
      json: { memory: face.repeat(5_001), user_id: "faces" },
    });
    expect([status, json.detail[0].type, json.detail[0].ctx]).toEqual([
      422,
      "string_too_long",
      { max_length: 5_000 },
    ]);
  });

  test("what becomes part of a key must also fit into it", async () => {
    const { status, json } = await admin.post("/memories", {
      json: { memory: "x", user_id: face.repeat(200) },
    });
    expect([status, json.detail[0].loc]).toEqual([422, ["body", "user_id"]]);
  });
});
