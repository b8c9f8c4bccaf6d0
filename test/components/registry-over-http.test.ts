import { describe, expect } from "vitest";
import { configSections } from "../../functions/config/config-sections.ts";
import { type Client, clientOf } from "../support/client.ts";
import type { RunningPlatform } from "../support/platform.ts";
import { test } from "../support/shared-platform.ts";

let platform: RunningPlatform;
let reader: Client;
test.beforeAll(async ({ platform: shared }) => {
  platform = shared;
  reader = clientOf(platform.url, platform.token("maria", ["registry:read"]));
});

type Entry = { readonly name: string; readonly type: string; readonly metadata: Record<string, unknown> };
const entries = async (query = ""): Promise<Entry[]> =>
  (await reader.get(`/registry?limit=100${query}`)).json.data;

describe("GET /registry", () => {
  test("lists what code registered by type, then name", async () => {
    const all = await entries();
    const order = all.map(({ type, name }) => `${type} ${name}`);
    expect(order).toEqual([...order].sort());
    expect(order).toEqual(
      expect.arrayContaining(["agent Assistant", "function outline", "model scripted-1", "schema contact"]),
    );
    expect(all.find(({ name }) => name === "add_numbers")?.metadata).toMatchObject({
      parameters: { type: "object", required: ["a", "b"] },
    });
  });

  test("filters by type and by a part of the name, in any case", async () => {
    expect((await entries("&resource_type=tool&name=NUMB")).map(({ name }) => name)).toEqual(["add_numbers"]);
    expect(await entries("&resource_type=memory_manager")).toEqual([]);
    expect(await entries("&resource_type=skill")).toEqual([]);
  });

  test("has the knowledge bases, under the ids by which they are asked, and what keeps their vectors", async () => {
    const [base, ...others] = await entries("&resource_type=knowledge");
    expect(others).toEqual([]);
    expect(base).toMatchObject({
      name: "handbook",
      id: "85c9c664-e3cd-8dd4-4e98-04c3a45da2e5",
      metadata: { vector_db_class: "DynamoDB", contents_db_class: "main", max_results: 10 },
    });
    expect(Number(base?.metadata.num_readers)).toBeGreaterThanOrEqual(7);
    expect(await entries("&resource_type=vector_db")).toMatchObject([
      { name: "DynamoDB", metadata: { vector_db_id: "dynamodb" } },
    ]);
  });

  test("comes in pages", async () => {
    const all = await entries();
    const { json } = await reader.get("/registry?limit=2&page=2");
    expect(json.data).toEqual(all.slice(2, 4));
    expect(json.meta).toMatchObject({ page: 2, limit: 2, total_count: all.length });
  });

  test.each(["limit=0", "limit=101", "page=0", "resource_type=spaceship"])("refuses %s", async (query) => {
    expect((await reader.get(`/registry?${query}`)).status).toBe(422);
  });

  test("is not opened by config:read, and shows nothing that is stored", async () => {
    const other = clientOf(platform.url, platform.token("maria", ["config:read", "components:write"]));
    expect((await other.get("/registry")).status).toBe(403);
    await other.post("/components", { json: { name: "Stored one", component_type: "agent" } });
    expect(await entries("&name=stored")).toEqual([]);
  });
});

describe("GET /config", () => {
  test("has its required members, no nulls, and a section of each family that is served", async () => {
    for (const scope of ["config:read", "system:read"]) {
      const answer = await clientOf(platform.url, platform.token("maria", [scope])).get("/config");
      expect(answer.status).toBe(200);
      expect(answer.json).toMatchObject({
        os_id: expect.any(String),
        databases: ["main"],
        interfaces: [
          { type: "a2a" },
          { type: "agui" },
          { type: "chat" },
          { type: "mcp" },
          { type: "openai" },
        ],
      });
      expect(answer.text).not.toContain("null");
      expect(answer.json.session.dbs[0].tables).toEqual(["sessions"]);
    }
    expect((await reader.get("/config")).status).toBe(403);
  });

  test("offers nothing that is not served", () => {
    expect(Object.keys(configSections({ sessions: {} }))).toEqual(["session"]);
    expect(Object.keys(configSections({ sessions: {}, memories: {}, metrics: {} })).sort()).toEqual([
      "memory",
      "metrics",
      "session",
    ]);
  });
});
