import { afterAll, expect, test } from "vitest";
import { clientOf } from "../../support/client.ts";
import { callTool, mcpClient } from "../../support/mcp-world.ts";
import { localIssuer, startPlatform } from "../../support/platform.ts";

const PUBLIC_URL = "https://agents.example";
const ISSUER = "https://id.example/pool-1";
const platform = await startPlatform({
  env: { MCP_CONFIRM: "true", MCP_AUTH: "issuer", PUBLIC_URL },
  context: {
    jwtIssuers: JSON.stringify([
      localIssuer(),
      { issuer: ISSUER, jwks_uri: `${ISSUER}/keys`, audience: "agents" },
    ]),
  },
});
const without = await startPlatform({ env: { MCP_AUTH: "off" } });
afterAll(() => Promise.all([platform.stop(), without.stop()]));

test("with mcpConfirm a client that cannot ask its user confirms a call", async () => {
  const client = await mcpClient(platform, "maria");
  const { structuredContent: paused } = await callTool(client, "run_agent", {
    agent_id: "refund-desk",
    message: '[[tool:issue_refund {"order_id":"o-1","amount":5}]]',
  });
  const { run_id, session_id, waits_for } = paused;
  const named = { component_type: "agent", component_id: "refund-desk", run_id, session_id };
  const answers = [{ id: waits_for[0].id, answer: { confirmed: true } }];
  const { structuredContent: ended } = await callTool(client, "continue_run", { ...named, answers });
  expect(ended).toMatchObject({ run_id, status: "COMPLETED" });
  expect(String(ended.content)).toContain("Refunded 5");
});

test("the metadata of the protected resource has the public address, whatever name was asked, and the issuer of tokens", async () => {
  const { json } = await clientOf(platform.url).get("/.well-known/oauth-protected-resource/mcp");
  expect(json.resource).toBe(`${PUBLIC_URL}/mcp`);
  expect(json.authorization_servers).toEqual([ISSUER]);
  const refused = await clientOf(platform.url).post("/mcp", { json: {} });
  expect(refused.status).toBe(401);
  expect(refused.headers.get("www-authenticate")).toContain(`resource_metadata="${PUBLIC_URL}/.well-known/`);
});

test.each(["resource", "resource/mcp", "server"])(
  "with mcpAuth off there is no metadata of a protected %s",
  async (of) => {
    const name = of === "server" ? "oauth-authorization-server" : `oauth-protected-${of}`;
    const reader = clientOf(without.url, without.token("maria", ["agents:read"]));
    expect((await reader.get(`/.well-known/${name}`)).status).toBe(404);
    const { status, headers } = await clientOf(without.url).post("/mcp", { json: {} });
    expect([status, headers.get("www-authenticate") ?? ""]).toEqual([
      401,
      expect.not.stringContaining("resource_metadata"),
    ]);
  },
);

test("with mcpAuth off a service account lists and calls tools", async () => {
  const admin = clientOf(without.url, without.adminToken);
  const { json } = await admin.post("/service-accounts", {
    json: { name: "editor", scopes: [{ scope: "agents:run" }], allow_privileged_scopes: true },
  });
  const client = await mcpClient({ url: without.url, token: () => json.token }, "editor");
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain("run_agent");
  const ran = await callTool(client, "run_agent", { agent_id: "assistant", message: "hello" });
  expect(ran.structuredContent).toMatchObject({ status: "COMPLETED" });
});
