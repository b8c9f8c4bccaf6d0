import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createClient } from "@agentplatform/core/client";
import { startPlatform, type TestPlatform } from "@agentplatform/core/testing";
import { addDocuments } from "../scripts/add-documents.ts";

// The real platform on this machine, with the scripted model: it calls a tool when the message says so.
let platform: TestPlatform;
before(async () => {
  platform = await startPlatform();
});
after(() => platform?.stop());

const client = () =>
  createClient({
    baseUrl: platform.url,
    token: platform.token({ sub: "ada", scopes: ["agents:run", "knowledge:read", "knowledge:write"] }),
  });

test("what the documents say is found", async () => {
  const token = platform.token({ sub: "ada", scopes: ["knowledge:read", "knowledge:write"] });
  await addDocuments(platform.url, token, join(import.meta.dirname, "../documents"));
  const { data } = await client().searchKnowledge({ body: { query: "When is the shop open?" } });
  assert.match(data[0]?.content ?? "", /9:00 to 18:00/);
});
