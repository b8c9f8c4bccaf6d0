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

test("the assistant rolls dice", async () => {
  const client = createClient({
    baseUrl: platform.url,
    token: platform.token({ sub: "ada", scopes: ["agents:run"] }),
  });
  const run = await client.createAgentRun({
    path: { agent_id: "assistant" },
    body: { message: '[[tool:roll_dice {"count": 3}]]' },
  });
  assert.ok("tools" in run);
  const [call] = run.tools ?? [];
  assert.equal(call?.tool_name, "roll_dice");
  assert.match(call?.result ?? "", /^\[[1-6],[1-6],[1-6]\]$/);
});
