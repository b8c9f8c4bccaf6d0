import * as current from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import * as v from "valibot";
import { describe, expect } from "vitest";
import { families } from "../../../shared/routes/index.ts";
import type { RouteTable } from "../../../shared/routes/route.ts";
import { appSignIn } from "../../support/app-sign-in.ts";
import { clientOf } from "../../support/client.ts";
import { callTool } from "../../support/mcp-world.ts";
import type { RunningPlatform } from "../../support/platform.ts";
import { registry } from "../../support/registry/index.ts";
import { test } from "../../support/shared-platform.ts";

let platform: RunningPlatform;
test.beforeAll(({ platform: shared }) => {
  platform = shared;
});

const CALLBACK = "http://127.0.0.1:4711/callback";

/** What the user does in the browser, as the console's page does it: it is sent on, asks, and allows what is ticked. */
async function allow(address: URL, granted: readonly string[], user = "signs-in") {
  const sentOn = await fetch(address, { redirect: "manual" });
  expect(sentOn.status).toBe(302);
  const page = new URL(sentOn.headers.get("location") ?? "", platform.url);
  expect(page.pathname).toBe("/console/connect");
  const scopes = ["agents:read", "agents:run", "sessions:read"];
  const console = clientOf(platform.url, platform.token(user, scopes));
  const question = await console.get(`/oauth/consent${page.search}`);
  expect(question.json).toMatchObject({ client: { name: "Desk", host: null, is_local: true }, scopes });
  const body = { ...Object.fromEntries(page.searchParams), approve: true, granted };
  const { json } = await console.post("/oauth/consent", { json: body });
  return { answer: new URL(json.redirect_to).searchParams, console };
}

describe("a client that knows the address alone", () => {
  test("of version 2 finds the sign-in, is let in, and works as its user until it is disconnected", async () => {
    const auth = appSignIn(CALLBACK);
    const url = new URL(`${platform.url}/mcp`);
    const connect = async () => {
      const client = new current.Client({ name: "test", version: "1" });
      const transport = new current.StreamableHTTPClientTransport(url, { authProvider: auth as never });
      return { client, transport, connected: client.connect(transport as never) };
    };
    const first = await connect();
    await expect(first.connected).rejects.toThrow();
    const { answer, console } = await allow(auth.kept.address as URL, ["agents:run"]);
    expect(answer.get("iss")).toBe(platform.url);
    expect(answer.get("state")).toBe("state of this client");
    await first.transport.finishAuth(answer);
    const { client, connected } = await connect();
    await connected;
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("run_agent");
    expect(tools.map(({ name }) => name)).not.toContain("list_sessions");
    const ran = await client.callTool({
      name: "run_agent",
      arguments: { agent_id: "assistant", message: "hello" },
    });
    expect(JSON.stringify(ran)).toContain("COMPLETED");
    const beyond = await clientOf(platform.url, String(Object(auth.kept.tokens).access_token)).post("/mcp", {
      json: {
        ...{ jsonrpc: "2.0", id: 7, method: "tools/call" },
        params: { name: "list_sessions", arguments: {} },
      },
    });
    expect(beyond).toMatchObject({ status: 403, json: { id: 7, error: { code: -32_000 } } });
    expect(beyond.headers.get("www-authenticate")).toBe(
      'Bearer error="insufficient_scope", scope="agents:run sessions:read", ' +
        `resource_metadata="${platform.url}/.well-known/oauth-protected-resource/mcp"`,
    );
    const { access_token, refresh_token } = auth.kept.tokens as Record<string, string>;
    for (const path of ["/agents", "/sessions", "/oauth/apps", "/v1/models"])
      expect((await clientOf(platform.url, access_token).get(path)).status).toBe(401);

    const listed = await console.get("/oauth/apps");
    expect(listed.json.data).toMatchObject([{ name: "Desk", user_id: "signs-in", scopes: ["agents:run"] }]);
    const { id } = listed.json.data[0];
    const otto = clientOf(platform.url, platform.token("otto", ["agents:read"]));
    expect((await otto.send("DELETE", `/oauth/apps/${id}`)).status).toBe(404);
    expect((await console.send("DELETE", `/oauth/apps/${id}`)).status).toBe(204);
    expect((await console.get("/oauth/apps")).json.data).toEqual([]);
    const client_id = String((auth.kept.client as Record<string, unknown>).client_id);
    const refreshed = await clientOf(platform.url).post("/oauth/token", {
      form: { grant_type: "refresh_token", client_id, refresh_token: refresh_token ?? "" },
    });
    expect(refreshed).toMatchObject({ status: 400, json: { error: "invalid_grant" } });

    const admin = clientOf(platform.url, platform.adminToken);
    const { json } = await admin.get("/audit?principal=signs-in");
    expect(json.data.map(({ operation }: { operation: string }) => operation).toSorted()).toEqual([
      "decideConsent",
      "removeConnectedApp",
    ]);
    expect(JSON.stringify(json)).not.toMatch(/apo_|apr_|hash/);
  });

  test("of version 1 does too", async () => {
    const auth = appSignIn(CALLBACK);
    const connect = () => {
      const client = new OldClient({ name: "test", version: "1" });
      const transport = new OldTransport(new URL(`${platform.url}/mcp`), { authProvider: auth as never });
      return { client, transport, connected: client.connect(transport as never) };
    };
    const first = connect();
    await expect(first.connected).rejects.toThrow();
    const { answer } = await allow(auth.kept.address as URL, ["agents:run"], "signs-in-by-one");
    await first.transport.finishAuth(answer.get("code") ?? "");
    const { client, connected } = connect();
    await connected;
    const ran = await callTool(client, "run_agent", { agent_id: "assistant", message: "hello" });
    expect(ran.structuredContent.status).toBe("COMPLETED");
  });
});

test("what is public before sign-in names this service, and an unknown credential is challenged with it", async () => {
  const plain = clientOf(platform.url);
  const resource = await plain.get("/.well-known/oauth-protected-resource/mcp");
  expect(resource.json).toMatchObject({
    resource: `${platform.url}/mcp`,
    authorization_servers: [platform.url],
  });
  const server = await plain.get("/.well-known/oauth-authorization-server");
  expect(server.json).toMatchObject({
    issuer: platform.url,
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none"],
    client_id_metadata_document_supported: true,
  });
  const refused = await clientOf(platform.url, "apo_unknown").post("/mcp", { json: {} });
  expect(refused.status).toBe(401);
  expect(refused.headers.get("www-authenticate")).toContain("/.well-known/oauth-protected-resource/mcp");
});

/** What the draft of cards declares that this one has; no official package has its schema. */
const ServerCard = v.strictObject({
  $schema: v.pipe(
    v.string(),
    v.regex(/^https:\/\/static\.modelcontextprotocol\.io\/schemas\/v\d+\/server-card\.schema\.json$/),
  ),
  name: v.pipe(v.string(), v.maxLength(200), v.regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)),
  title: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
  description: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
  version: v.pipe(v.string(), v.maxLength(255), v.regex(/^\d+\.\d+\.\d+/)),
  remotes: v.array(v.strictObject({ type: v.literal("streamable-http"), url: v.pipe(v.string(), v.url()) })),
});

test("llms.txt leads to pages that are there for everybody, and the server card has the form of its draft", async () => {
  const plain = clientOf(platform.url);
  const { text } = await plain.get("/llms.txt");
  const links = [...text.matchAll(/\]\((.*?)\)/g)].map(([, link = ""]) => link);
  expect(links).toContain(`${platform.url}/mcp/server-card`);
  const seen = await Promise.all(links.map(async (link) => [link, (await fetch(link)).status]));
  expect(seen).toEqual(links.map((link) => [link, 200]));
  const card = await plain.get("/mcp/server-card");
  expect(v.parse(ServerCard, card.json).remotes).toEqual([
    { type: "streamable-http", url: `${platform.url}/mcp` },
  ]);
});

/** As the draft of discovery describes it: each entry has a card, or its address. */
const AiCatalog = v.object({
  specVersion: v.literal("1.0"),
  entries: v.array(
    v.strictObject({
      identifier: v.pipe(v.string(), v.regex(/^urn:air:[a-z0-9.-]+:mcp:[a-z0-9._-]+$/)),
      type: v.literal("application/mcp-server-card+json"),
      url: v.pipe(v.string(), v.url()),
    }),
  ),
});

test.each(["/.well-known/ai-catalog.json", "/.well-known/mcp/catalog.json"])(
  "a client that knows the host alone gets from %s by the card to the server",
  async (path) => {
    const found = await fetch(`${platform.url}${path}`);
    expect([found.status, found.headers.get("content-type")]).toEqual([200, "application/ai-catalog+json"]);
    expect(found.headers.get("access-control-allow-origin")).toBe("*");
    const [entry, ...more] = v.parse(AiCatalog, await found.json()).entries;
    expect(more).toEqual([]);
    const headers = { accept: entry?.type ?? "" };
    const card = await fetch(entry?.url ?? "", { headers });
    expect(card.headers.get("content-type")).toBe(entry?.type);
    const [remote] = v.parse(ServerCard, await card.json()).remotes;
    expect((await fetch(remote?.url ?? "", { method: "POST" })).status).toBe(401);
  },
);

test("what anybody may read names no component", async () => {
  const paths = Object.values<RouteTable>(families)
    .flatMap((rows) => Object.values(rows))
    .filter(({ method, scopes, path }) => method === "GET" && scopes === "public" && !path.includes("{"))
    // The examples of the interface description are those of every deployment.
    .flatMap(({ path }) => (path === "/openapi.json" ? [] : [path]));
  expect(paths).toEqual(expect.arrayContaining(["/info", "/llms.txt", "/docs", "/mcp/server-card"]));
  const components = [...registry.agents, ...registry.teams, ...registry.workflows];
  const names = components.flatMap(({ id, name }) => [id, name]);
  for (const path of paths) {
    const { status, text } = await clientOf(platform.url).get(path);
    expect(status, path).not.toBe(401);
    expect(
      names.filter((name) => text.includes(name)),
      path,
    ).toEqual([]);
  }
});

test("consent is given by a user's own credential alone, and by no cookie", async () => {
  const json = { response_type: "code", client_id: "app-1", approve: true, granted: ["agents:run"] };
  const cookie = `token=${platform.adminToken}; session=${platform.adminToken}`;
  const at = clientOf(platform.url);
  expect((await at.post("/oauth/consent", { json })).status).toBe(401);
  expect((await at.post("/oauth/consent", { json, headers: { cookie } })).status).toBe(401);
  expect((await at.get("/oauth/consent?client_id=app-1")).status).toBe(401);
  const admin = clientOf(platform.url, platform.adminToken);
  const { json: account } = await admin.post("/service-accounts", {
    json: { name: "lets-apps-in", scopes: [{ scope: "agents:run" }], allow_privileged_scopes: true },
  });
  const refused = await clientOf(platform.url, account.token).post("/oauth/consent", { json });
  expect(refused).toMatchObject({ status: 403, json: { detail: expect.stringContaining("Only a user") } });
});
