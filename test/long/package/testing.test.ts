import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { build } from "../../../build/bundles/index.ts";
import { createClient } from "../../../client/index.ts";
import { startPlatform, type TestPlatform } from "../../../package/testing.ts";
import { exampleNames, makeExamplesProject } from "../../support/examples/examples-project.ts";
import { HANGS_AFTER_MS } from "../../support/hangs-after.ts";
import { runNode } from "../../support/run-command.ts";
import { testProject } from "../../support/test-registry.ts";

/** A project whose tool needs two secrets, which a deployment finds in Secrets Manager, as its own tests start it. */
const more = `
import { defineAgent, defineTool } from "@agentplatform/core";
import { z } from "zod";
const ask = defineTool({
  name: "ask_crm",
  description: "Ask the CRM.",
  parameters: z.object({}),
  secrets: ["CRM_KEY", "MAIL_KEY"],
  execute: (_, { secrets }) => Object.values(secrets).map((one) => one.length).join(),
});
export const more = {
  agents: [defineAgent({ id: "desk", name: "Desk", instructions: "Help.", tools: [ask] })],
  teams: [],
  workflows: [],
};
`;
const config = `export default {
  settings: { toolSecrets: { CRM_KEY: "crm/key", MAIL_KEY: "mail/key" }, model: "anthropic:claude-sonnet-5-5" },
};`;

/** The functions that these tests call. */
const called = new Set([
  "authorizer",
  "delivery-worker",
  "knowledge",
  "knowledge-worker",
  "runs",
  "schedule-executor",
  "schedules",
  "webhooks",
  "worker",
]);

let folder: string;
let platform: TestPlatform | undefined;
beforeAll(async () => {
  folder = await makeExamplesProject(more, config);
  writeFileSync(join(folder, ".env.test"), "SHOP_KEY=test\n");
  // No request waits for a bundler then. Those without a registry in them are those of the tests' own project.
  const without = readdirSync(join(import.meta.dirname, "../../../functions")).filter(
    (name) => !called.has(name),
  );
  await build({ registry: join(folder, "registry.ts"), lender: testProject, without });
}, 5 * HANGS_AFTER_MS);
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
  writeFileSync(join(folder, ".env.test"), "SHOP_KEY=test\nCRM_KEY=1234\nMAIL_KEY=12345\n");
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

/** Its own tests, as a user runs them: they start the project that is in the current folder. */
test.each(exampleNames)("the tests of the example %s pass", async (name) => {
  const files = readdirSync(join(folder, name, "test")).map((file) => `${name}/test/${file}`);
  const { code, out } = await runNode(["--test", "--test-reporter=tap", ...files], folder);
  expect({ code, failed: out.match(/^not ok .*/gm) }, out).toEqual({ code: 0, failed: null });
  expect(out).toMatch(/^ok /m);
});
