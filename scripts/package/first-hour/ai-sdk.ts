import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startMcpServer } from "../../../test/engine/mcp/start-server.ts";
import { startHostileModel } from "../../../test/support/hostile-model/start-hostile-model.ts";

/** What a user installs for it. */
export const packagesOfAiSdk: readonly string[] = [
  "ai@7",
  "@ai-sdk/openai-compatible@3",
  "@ai-sdk/mcp@2",
  "zod@4",
];

/** A model's server and one of MCP on this machine, and an agent of the AI SDK alone that talks with both. */
export type AiSdkWorld = {
  /** Message that has the agent call a tool of each kind. */
  readonly message: string;
  /** What is in the answer then. */
  readonly answer: string;
  /** The results of its tools, as the model's server was sent them. */
  readonly results: () => readonly string[];
  readonly stop: () => Promise<void>;
};

/** Writes the agent `sdk` into a project, and a test of the project's own that runs it. */
export async function writeAiSdkAgent(project: string): Promise<AiSdkWorld> {
  const [model, mcp] = await Promise.all([startHostileModel(), startMcpServer()]);
  const name = "plan-sdk";
  const call = (tool: string, args: object) => ({
    id: `call_${tool}`,
    name: tool,
    arguments: JSON.stringify(args),
  });
  const isAnswered = (body: object): boolean => JSON.stringify(body).includes('"role":"tool"');
  const { requests } = model.plan(name, ({ body }) =>
    isAnswered(body)
      ? { text: ["sun in Rome"] }
      : { calls: [call("weather", { city: "Rome" }), call("show", {})] },
  );
  const files = {
    "agents/sdk.ts": agentOf(model.url, mcp.url),
    "test/sdk.test.ts": ownTest,
    "registry.ts": registry,
  };
  for (const [path, text] of Object.entries(files)) writeFileSync(join(project, path), text);
  return {
    message: `${name}: what is the weather in Rome?`,
    answer: "sun in Rome",
    results: () =>
      requests
        .flatMap(({ body }) => body.messages as { readonly role: string; readonly content: unknown }[])
        .filter(({ role }) => role === "tool")
        .map(({ content }) => JSON.stringify(content)),
    stop: async () => void (await Promise.all([model.stop(), mcp.stop()])),
  };
}

const agentOf = (model: string, mcp: string): string => `import { defineAgent } from "@agentplatform/core";
import { createMCPClient } from "@ai-sdk/mcp";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { tool } from "ai";
import { z } from "zod";

const acme = createOpenAICompatible({ name: "acme", baseURL: "${model}/v1", apiKey: "a-key" });
const client = await createMCPClient({ transport: { type: "http", url: "${mcp}" } });
const { show } = await client.tools();

export const sdk = defineAgent({
  id: "sdk",
  name: "SDK",
  instructions: "Answer.",
  model: acme("large-1"),
  tools: [
    {
      weather: tool({
        description: "The weather of a city.",
        inputSchema: z.object({ city: z.string() }),
        execute: async ({ city }) => \`sun over \${city}\`,
      }),
    },
    { show },
  ],
});
`;

const registry = `import { defineRegistry } from "@agentplatform/core";
import { assistant } from "./agents/assistant.ts";
import { sdk } from "./agents/sdk.ts";

export const registry = defineRegistry({ agents: [assistant, sdk] });
`;

const ownTest = `import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "@agentplatform/core/client";
import { startPlatform } from "@agentplatform/core/testing";

test("an agent of the AI SDK answers", async () => {
  const platform = await startPlatform();
  const client = createClient({ baseUrl: platform.url, token: platform.token({ sub: "ada", scopes: ["agents:run"] }) });
  const body = { message: "plan-sdk: and in the test?" };
  const run = await client.createAgentRun({ path: { agent_id: "sdk" }, body });
  await platform.stop();
  assert.ok("tools" in run);
  assert.deepEqual([run.status, run.content], ["COMPLETED", "sun in Rome"]);
  assert.deepEqual(run.tools?.map(({ tool_name }) => tool_name), ["weather", "show"]);
});
`;
