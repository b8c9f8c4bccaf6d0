import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, clientOf } from "../../support/client.ts";
import { createComponent } from "../../support/create-component.ts";
import { callTool, mcpClient } from "../../support/mcp-world.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";

/** Longer than a process keeps the list. */
const listed = { timeout: 40_000, interval: 500 };
const TIMEOUT_MS = 180_000;

let platform: TestPlatform;
let admin: Client;
beforeAll(async () => {
  platform = await startPlatform({ env: { MCP_TOOLS: "all" } });
  admin = clientOf(platform.url, platform.adminToken);
});
afterAll(() => platform?.stop());

const toolsOf = async (sub: string, scopes?: readonly string[]) => {
  const client = await mcpClient(platform, sub, scopes);
  const { tools } = await client.listTools();
  return tools
    .filter(({ name }) => name.startsWith("agent_stored"))
    .map(({ name }) => name)
    .sort();
};

test(
  "a stored agent is a tool of its own while it has a live version, for who may run it",
  async () => {
    const component_id = "stored-helper";
    const described = { component_id, name: "Helper", description: "Helps." };
    await createComponent(admin, { ...described, config: { name: "Helper" } });
    await createComponent(admin, { component_id: "stored.dots", stage: "published", config: {} });
    // Its draft is no tool, and what another process published a moment ago can be called at once.
    await expect.poll(() => toolsOf("maria"), listed).toEqual(["agent_stored_dots"]);
    const client = await mcpClient(platform, "maria");
    await expect(callTool(client, "agent_stored-helper", { message: "hello" })).rejects.toThrow(/no tool/);
    const published = { json: { stage: "published" } };
    expect((await admin.call("PATCH", `/components/${component_id}/configs/1`, published)).status).toBe(200);
    const ran = await callTool(client, "agent_stored-helper", { message: "hello" });
    expect(ran.structuredContent).toMatchObject({ status: "COMPLETED", content: "You said: hello" });
    await expect.poll(() => toolsOf("maria"), listed).toEqual(["agent_stored-helper", "agent_stored_dots"]);
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === "agent_stored-helper")?.description).toBe("Helps.");
    expect(await toolsOf("otto", [`agents:${component_id}:run`])).toEqual(["agent_stored-helper"]);
    expect(await toolsOf("otto", ["agents:assistant:run"])).toEqual([]);
    const otto = await mcpClient(platform, "otto", ["agents:assistant:run"]);
    await expect(callTool(otto, "agent_stored-helper", { message: "hello" })).rejects.toThrow(/no tool/);
    expect((await admin.call("DELETE", `/components/${component_id}`)).status).toBe(204);
    // It is refused at once, whatever the list still says.
    const gone = await callTool(client, "agent_stored-helper", { message: "hello" }).catch(String);
    expect(typeof gone === "string" || gone.isError).toBe(true);
    await expect.poll(() => toolsOf("maria"), listed).toEqual(["agent_stored_dots"]);
  },
  TIMEOUT_MS,
);
