import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createClient } from "@agentplatform/core/client";
import { startPlatform, type TestPlatform } from "@agentplatform/core/testing";

// The real platform on this machine, with the scripted model: it echoes what it is asked.
let platform: TestPlatform;
before(async () => {
  platform = await startPlatform();
});
after(() => platform?.stop());

const client = () =>
  createClient({
    baseUrl: platform.url,
    token: platform.token({ sub: "ada", scopes: ["workflows:run"] }),
  });
const path = { workflow_id: "expense-claim" };
const claim = (amount: number, category = "travel") =>
  client().createWorkflowRun({
    path,
    body: { message: JSON.stringify({ employee: "Ada", category, amount, reason: "a fair" }) },
  });

test("a small claim is paid without asking", async () => {
  const run = await claim(80, "meals");
  assert.equal(run.status, "COMPLETED");
  assert.equal(run.content, "Paid 80 to Ada: allowed by its amount.");
});

test("a large claim waits for a person, and is paid once it is allowed", async () => {
  const run = await claim(900);
  assert.equal(run.status, "PAUSED");
  assert.ok("step_requirements" in run);
  const [asked] = run.step_requirements ?? [];
  assert.ok(asked);
  const allowed = await client().continueWorkflowRun({
    path: { ...path, run_id: run.run_id },
    body: { session_id: run.session_id, step_requirements: [{ step_id: asked.step_id, confirmed: true }] },
  });
  assert.equal(allowed.status, "COMPLETED");
  assert.equal(allowed.content, "Paid 900 to Ada: allowed by a person.");
});

test("a claim that a person refuses is not paid", async () => {
  const run = await claim(900);
  assert.ok("step_requirements" in run);
  const [asked] = run.step_requirements ?? [];
  assert.ok(asked);
  const refused = await client().continueWorkflowRun({
    path: { ...path, run_id: run.run_id },
    body: { session_id: run.session_id, step_requirements: [{ step_id: asked.step_id, confirmed: false }] },
  });
  assert.doesNotMatch(String(refused.content), /Paid/);
});
