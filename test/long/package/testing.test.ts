import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "../../../client/index.ts";
import { startPlatform, type TestPlatform } from "../../../package/testing.ts";

/** A project whose tool needs two secrets, which a deployment finds in Secrets Manager, as its own tests start it. */
const root = join(import.meta.dirname, "../../..");
mkdirSync(join(root, ".local"), { recursive: true });
const folder = mkdtempSync(join(root, ".local/tested-"));

const registry = `
import { defineAgent, defineTool } from "${join(root, "package/index.ts")}";
import { z } from "zod";
const ask = defineTool({
  name: "ask_crm",
  description: "Ask the CRM.",
  parameters: z.object({}),
  secrets: ["CRM_KEY", "MAIL_KEY"],
  execute: (_, { secrets }) => Object.values(secrets).map((one) => one.length).join(),
});
export const registry = {
  agents: [defineAgent({ id: "desk", name: "Desk", instructions: "Help.", tools: [ask] })],
  teams: [],
  workflows: [],
};
`;
const config = `export default {
  settings: { toolSecrets: { CRM_KEY: "crm/key", MAIL_KEY: "mail/key" }, model: "anthropic:claude-sonnet-5-5" },
};`;

let platform: TestPlatform | undefined;
beforeAll(() => {
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "agent-platform.config.mjs"), config);
  writeFileSync(join(folder, "registry.ts"), registry);
});
afterAll(async () => {
  await platform?.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
});

test("a secret that is nowhere is named, with the tool and the test's file", async () => {
  const why = await startPlatform({ folder, secrets: { CRM_KEY: "123" } }).then(
    () => "it started",
    (error: unknown) => String(error),
  );
  expect(why).toContain("test/long/package/testing.test.ts: the tool ask_crm needs the secret MAIL_KEY");
  expect(why).not.toContain("CRM_KEY");
  expect(why).toContain("startPlatform({ secrets: { … } }), or .env.test.");
});

test("secrets come from the option and from .env.test, and the scripted model answers", async () => {
  writeFileSync(join(folder, ".env"), "CRM_KEY=1\nMAIL_KEY=1\n");
  writeFileSync(join(folder, ".env.local"), "MAIL_KEY=12\n");
  writeFileSync(join(folder, ".env.test"), "CRM_KEY=1234\nMAIL_KEY=12345\n");
  platform = await startPlatform({ folder, secrets: { CRM_KEY: "123" } });
  const client = createClient({
    baseUrl: platform.url,
    token: platform.token({ sub: "ada", scopes: ["agents:run"] }),
  });
  const run = await client.createAgentRun({
    path: { agent_id: "desk" },
    body: { message: "[[tool:ask_crm {}]]" },
  });
  expect(run).toMatchObject({ status: "COMPLETED", tools: [{ tool_name: "ask_crm", result: "3,5" }] });
});
