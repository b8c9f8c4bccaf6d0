/**
 * What LibreChat's server does with the platform: its own package runs a conversation, a call of a tool, a picture, parameters and
 * titles. Address and key are in the environment. Prints how many of its requests were answered; with a path as the argument, the
 * requests are written there, as test/long/openai/librechat-requests.json has them.
 */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";

// Its modules of ES need a later @opentelemetry/api than it brings.
const require = createRequire(import.meta.url);
const { HumanMessage } = require("@langchain/core/messages");
const { tool } = require("@langchain/core/tools");
const {
  ChatModelStreamHandler,
  GraphEvents,
  ModelEndHandler,
  Providers,
  Run,
  ToolEndHandler,
} = require("@librechat/agents");

const { OPENAI_BASE_URL: baseURL, OPENAI_API_KEY: apiKey } = process.env;
const requests = [];
let current = "";
const recorded = async (input, init) => {
  const headers = new Headers(init.headers);
  const kept = ["user-agent", "x-user", "x-stainless-helper-method"].filter((name) => headers.has(name));
  requests.push({
    name: current,
    headers: Object.fromEntries(kept.map((name) => [name, headers.get(name)])),
    body: JSON.parse(init.body),
  });
  return fetch(input, init);
};
const model = {
  ...{ provider: Providers.OPENAI, model: "agent:assistant", apiKey, user: "66f0c1", streamUsage: true },
  configuration: { baseURL, fetch: recorded, defaultHeaders: { "x-user": "66f0c1" } },
};
const openGate = tool(async ({ gate }) => `${gate} is open`, {
  name: "open_gate",
  description: "Opens a gate.",
  schema: { type: "object", properties: { gate: { type: "string" } }, required: ["gate"] },
});

async function converse(name, content, { tools, ...more } = {}) {
  current = name;
  const run = await Run.create({
    runId: crypto.randomUUID(),
    graphConfig: {
      ...{ type: "standard", instructions: "You are a helpful assistant." },
      llmConfig: { ...model, streaming: true, ...more },
      ...(tools && { tools }),
    },
    returnContent: true,
    customHandlers: {
      [GraphEvents.TOOL_END]: new ToolEndHandler(),
      [GraphEvents.CHAT_MODEL_END]: new ModelEndHandler([]),
      [GraphEvents.CHAT_MODEL_STREAM]: new ChatModelStreamHandler(),
    },
  });
  const config = {
    ...{ configurable: { thread_id: crypto.randomUUID() }, runId: crypto.randomUUID() },
    ...{ streamMode: "values", version: "v2" },
  };
  const parts = await run.processStream({ messages: [new HumanMessage({ content })] }, config);
  return { run, parts, text: parts.map(({ text = "" }) => text).join("") };
}

async function titled({ run, parts }, titleMethod, inputText) {
  current = `title by ${titleMethod}`;
  const clientOptions = { ...model, streaming: false };
  return run.generateTitle({
    ...{ provider: Providers.OPENAI, inputText, contentParts: parts, titleMethod, clientOptions },
    chainOptions: {},
  });
}

const first = await converse("conversation", "Hello LibreChat, in words");
assert.match(first.text, /Hello LibreChat, in words/);
assert.ok((await titled(first, "completion", "Hello")).title);
const asked = '[[answer:{"language":"en","title":"A greeting"}]]';
assert.equal((await titled(first, "structured", asked)).title, "A greeting");
const called = await converse("tool", '[[tool:open_gate {"gate":"north"}]]', { tools: [openGate] });
assert.match(called.text, /north is open/);
const url =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const picture = [
  { type: "text", text: "What is this?" },
  { type: "image_url", image_url: { url, detail: "auto" } },
];
assert.match((await converse("picture", picture)).text, /What is this\?/);
const parameters = {
  ...{ temperature: 1, topP: 1, presencePenalty: 0, frequencyPenalty: 0, maxTokens: 1000 },
  stop: ["||>", "\nUser:", "<|diff_marker|>"],
};
assert.match((await converse("parameters", "Hello again", parameters)).text, /Hello again/);

const [path] = process.argv.slice(2);
if (path) writeFileSync(path, `${JSON.stringify(requests, null, 2)}\n`);
console.log(`LibreChat's agents: ${requests.length} requests answered`);
process.exit(0);
