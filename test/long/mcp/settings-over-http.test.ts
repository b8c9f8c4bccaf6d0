import { afterAll, expect, test } from "vitest";
import { clientOf } from "../../support/client.ts";
import { callTool, mcpClient } from "../../support/mcp-world.ts";
import { startPlatform } from "../../support/platform.ts";

const PUBLIC_URL = "https://agents.example";
const platform = await startPlatform({ env: { MCP_CONFIRM: "true", PUBLIC_URL } });
afterAll(() => platform.stop());

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

test("the metadata of the protected resource has the public address, whatever name was asked", async () => {
  const { json } = await clientOf(platform.url).get("/.well-known/oauth-protected-resource/mcp");
  expect(json.resource).toBe(`${PUBLIC_URL}/mcp`);
  const refused = await clientOf(platform.url).post("/mcp", { json: {} });
  expect(refused.status).toBe(401);
  expect(refused.headers.get("www-authenticate")).toContain(`resource_metadata="${PUBLIC_URL}/.well-known/`);
});
