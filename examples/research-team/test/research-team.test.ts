import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createClient } from "@agentplatform/core/client";
import { startPlatform, type TestPlatform } from "@agentplatform/core/testing";

// The real platform on this machine, with the scripted model: it calls a tool when the message says so.
let platform: TestPlatform;
before(async () => {
  platform = await startPlatform();
});
after(() => platform?.stop());

const client = () =>
  createClient({
    baseUrl: platform.url,
    token: platform.token({ sub: "ada", scopes: ["agents:run", "teams:run"] }),
  });

test("the researcher reads a page", async () => {
  const run = await client().createAgentRun({
    path: { agent_id: "researcher" },
    body: { message: '[[tool:read_page {"url": "data:text/html,<p>hello</p>"}]]' },
  });
  assert.ok("tools" in run);
  assert.equal(run.tools?.[0]?.result, " hello ");
});

test("the team answers", async () => {
  const run = await client().createTeamRun({
    path: { team_id: "research-team" },
    body: { message: "Hello" },
  });
  assert.equal(run.status, "COMPLETED");
});
