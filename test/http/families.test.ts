import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { BufferedHandler } from "../../shared/http/serve.ts";
import { configRoutes } from "../../shared/routes/config.ts";
import { platformRoutes } from "../../shared/routes/platform.ts";
import type { RouteTable } from "../../shared/routes/route.ts";
import { runnableRoutes } from "../../shared/routes/runnables.ts";
import { tableNames, tableVariable } from "../../shared/settings/table-env.ts";
import { registry } from "../support/registry/index.ts";
import { startStores, type TestStores } from "../support/stores.ts";
import { aContext, allow, anEvent, bodyOf } from "./an-event.ts";

const handlers: Record<string, BufferedHandler> = {};
const agentIds = registry.agents.map(({ id }) => id);

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: stores.endpoint,
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "LOCAL",
    AWS_SECRET_ACCESS_KEY: "local",
    OBJECTS_BUCKET: "objects",
    ...Object.fromEntries(tableNames.map((name) => [tableVariable[name], stores.db.tables[name]])),
    OS_ID: "shop-os",
    STAGE: "test",
    POWERTOOLS_SERVICE_NAME: "test",
    POWERTOOLS_LOG_LEVEL: "SILENT",
    MODEL: "scripted",
    FAMILY_FUNCTIONS: "{}",
    AUTHORIZER_FUNCTION: "authorizer",
    RUN_QUEUE_URL: "http://127.0.0.1:1/run-queue",
  });
  handlers.platform = (await import("../../functions/platform/index.ts")).handler;
  handlers.config = (await import("../../functions/config/index.ts")).handler;
  handlers.runnables = (await import("../../functions/runnables/index.ts")).handler;
});

afterAll(() => stores?.stop());

const ask = async (family: string, request: string, parts?: Parameters<typeof anEvent>[1]) => {
  const handler = handlers[family];
  if (!handler) throw new Error(`no family ${family}`);
  return handler(anEvent(request, parts), aContext());
};

/** Something that is there, for each parameter of a path. */
const named: Readonly<Record<string, string>> = {
  agent_id: "assistant",
  team_id: "support-team",
  workflow_id: "publish-report",
};
const tables: Record<string, RouteTable> = {
  platform: platformRoutes,
  config: configRoutes,
  runnables: runnableRoutes,
};
const rows = Object.entries(tables).flatMap(([family, table]) =>
  Object.entries(table).map(([operation, route]) => {
    const request = `${route.method} ${route.path.replace(/\{([^}]*)\}/g, (_, name: string) => named[name] ?? "")}`;
    return { family, operation, request, scopes: route.scopes };
  }),
);

describe.each(rows.filter(({ scopes }) => scopes !== "public"))(
  "$request",
  ({ family, operation, request }) => {
    test("is refused without a decision", async () => {
      expect((await ask(family, request)).statusCode).toBe(401);
    });
    test("is refused with a decision for another operation", async () => {
      expect((await ask(family, request, { decision: allow("another", [], true) })).statusCode).toBe(403);
    });
    test("is served with its own", async () => {
      expect((await ask(family, request, { decision: allow(operation, [], true) })).statusCode).toBe(200);
    });
  },
);

describe.each(rows.filter(({ scopes }) => scopes === "public"))("$request", ({ family, request }) => {
  test("is served to anybody, with any credential or none", async () => {
    expect((await ask(family, request)).statusCode).toBe(200);
    expect((await ask(family, request, { headers: { authorization: "Bearer bad" } })).statusCode).toBe(200);
  });
});

describe("platform", () => {
  test("health shows since when this container lives", async () => {
    const body = bodyOf(await ask("platform", "GET /health"));
    expect(body).toEqual({ status: "ok", instantiated_at: expect.stringMatching(/^\d{4}-.*Z$/) });
  });

  test("info describes the instance", async () => {
    expect(bodyOf(await ask("platform", "GET /info"))).toEqual({
      os_id: "shop-os",
      name: "shop-os",
      agno_version: "2.7.2",
      os_version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      agent_count: agentIds.length,
      team_count: registry.teams.length,
      workflow_count: registry.workflows.length,
      mcp: { enabled: false, path: null, oauth: false },
      doors: { agui: false, openai: false, a2a: false, chat: false },
      auth_mode: "jwt",
    });
  });

  test("what no route took is 401, 404 or 405", async () => {
    expect((await ask("platform", "GET /nope")).statusCode).toBe(401);
    expect((await ask("platform", "GET /nope", { decision: allow(null) })).statusCode).toBe(404);
    const wrongMethod = await ask("platform", "DELETE /agents/a/runs", { decision: allow(null) });
    expect(wrongMethod).toMatchObject({ statusCode: 405, headers: { allow: "GET, POST" } });
  });

  test("the docs page stands alone", async () => {
    const { body = "", headers } = await ask("platform", "GET /docs");
    expect(headers?.["content-type"]).toBe("text/html; charset=utf-8");
    expect(body).toContain("shop-os");
    expect(body).not.toMatch(/(src|href)="(https?:)?\/\//);
    expect(body).not.toMatch(/@import|url\(/);
  });
});

describe("config", () => {
  test("it has its required members, and no nulls", async () => {
    const answer = await ask("config", "GET /config", { decision: allow("getConfig") });
    const { agents, ...rest } = bodyOf(answer) as { agents: { id: string }[] };
    expect(rest).toMatchObject({
      os_id: "shop-os",
      available_models: [{ id: "scripted-1", provider: "Scripted" }],
      queue: { enabled: true, durable: true, queue_per_session: true },
      os_database: "main",
      databases: ["main"],
      session: { dbs: [{ db_id: "main", domain_config: { display_name: "main" }, tables: ["sessions"] }] },
      teams: registry.teams.map(({ id }) => ({ id })),
      workflows: registry.workflows.map(({ id }) => ({ id })),
      interfaces: [],
    });
    expect(agents.map(({ id }) => id)).toEqual(agentIds);
    expect(agents[0]).toMatchObject({
      db_id: "main",
      model: { id: expect.any(String), provider: "Scripted" },
    });
    expect(answer.body).not.toContain("null");
  });
});

describe("agents", () => {
  const idsFor = async (scopes: string[], admin = false) => {
    const answer = await ask("runnables", "GET /agents", { decision: allow("listAgents", scopes, admin) });
    return (bodyOf(answer) as { id: string }[]).map(({ id }) => id);
  };

  test("the list shows what the caller may read", async () => {
    expect(await idsFor(["agents:read"])).toEqual(agentIds);
    expect(await idsFor([], true)).toEqual(agentIds);
    expect(await idsFor(["agents:assistant:read"])).toEqual(["assistant"]);
    expect(await idsFor(["agents:unknown:read"])).toEqual([]);
    expect(await idsFor(["agents:assistant:run"])).toEqual([]);
  });

  test("an agent leaves out what is at its default", async () => {
    const answer = await ask("runnables", "GET /agents/assistant", { decision: allow("getAgent") });
    const agent = bodyOf(answer);
    expect(agent).toMatchObject({
      id: "assistant",
      db_id: "main",
      is_factory: false,
      is_component: false,
      sessions: { session_table: "sessions" },
      tools: {
        tools: [
          { name: "get_time", parameters: { type: "object" } },
          { name: "add_numbers" },
          { name: "draw_badge" },
        ],
      },
    });
    expect(answer.body).not.toContain("null");
    expect(answer.body).not.toContain("$schema");
  });

  test("an unknown agent is 404", async () => {
    const answer = await ask("runnables", "GET /agents/unknown", { decision: allow("getAgent") });
    expect(answer.statusCode).toBe(404);
    expect(bodyOf(answer)).toEqual({ detail: "agent unknown not found", error_code: "NOT_FOUND" });
  });
});
