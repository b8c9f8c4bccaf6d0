import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { McpDeps } from "../../functions/runs/mcp/mcp-deps.ts";
import { mcpServer } from "../../functions/runs/mcp/mcp-server.ts";
import { toolsFor } from "../../functions/runs/mcp/tools-for.ts";
import { queueWorld } from "../support/queue-world.ts";
import { registry } from "../support/registry/index.ts";
import { startStores, type TestStores } from "../support/stores.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

const traceparent = (span: string) => `00-4bf92f3577b34da6a3ce929d0e0e4736-${span}-01`;
const OF_CALL = traceparent("00f067aa0ba902b7");
const OF_HEADER = traceparent("b7ad6b7169203331");

/** What is stored of the run that a call begins. */
async function runBegunBy(meta: Record<string, unknown> | undefined) {
  const world = queueWorld(stores.db);
  const settings = {
    registry,
    ...{
      tools: "",
      confirms: false,
      recordAudit: async () => undefined,
      knowledge: [],
      origins: new Set<string>(),
      issuers: [],
      signsIn: false,
      publicUrl: undefined,
      osId: "test",
    },
    live: { kept: async () => [], anew: async () => [] },
  };
  const deps: McpDeps = { ...world, searchKnowledge: async () => [], mcp: settings };
  const { principal, signal, invocation } = world.request("");
  const call = { principal, signal, invocation, params: {}, query: {}, body: "" };
  const request = { ...call, headers: { traceparent: OF_HEADER } };
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const server = mcpServer(request, deps, toolsFor(principal, settings), undefined);
  const client = new Client({ name: "test", version: "1" });
  await Promise.all([server.connect(ours), client.connect(theirs)]);
  const args = { agent_id: "assistant", message: "hello", background: true };
  const { structuredContent } = await client.callTool({
    ...{ name: "run_agent", arguments: args },
    ...(meta && { _meta: meta }),
  });
  await client.close();
  return world.run(structuredContent as { run_id: string; session_id: string });
}

test("a run that an MCP call begins keeps the trace context of the call, else that of the request", async () => {
  expect(await runBegunBy({ traceparent: OF_CALL })).toMatchObject({ traceparent: OF_CALL });
  expect(await runBegunBy(undefined)).toMatchObject({ traceparent: OF_HEADER });
  expect(await runBegunBy({ traceparent: "nonsense" })).not.toHaveProperty("traceparent");
});
