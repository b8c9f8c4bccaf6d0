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
    token: platform.token({ sub: "ada", scopes: ["agents:run"] }),
  });

test("a refund waits for a person, and is made once it is allowed", async () => {
  const path = { agent_id: "support-desk" };
  const message = '[[tool:refund_order {"order_id": "A1", "amount": 40}]]';
  const run = await client().createAgentRun({ path, body: { message } });
  assert.equal(run.status, "PAUSED");
  assert.ok("tools" in run);
  const [call] = run.tools ?? [];
  assert.ok(call);
  const allowed = await client().continueAgentRun({
    path: { ...path, run_id: run.run_id },
    body: { session_id: run.session_id, tools: [{ tool_call_id: call.tool_call_id, confirmed: true }] },
  });
  assert.equal(allowed.status, "COMPLETED");
  assert.ok("tools" in allowed);
  assert.equal(allowed.tools?.[0]?.result, "Refunded 40 for order A1.");
});

test("a tool of the AI SDK is called as it is", async () => {
  const path = { agent_id: "support-desk" };
  const message = '[[tool:delivery_days {"country": "FR"}]]';
  const run = await client().createAgentRun({ path, body: { message } });
  assert.ok("tools" in run);
  assert.equal(run.tools?.[0]?.result, "3");
});
