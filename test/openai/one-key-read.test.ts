import { afterAll, beforeAll, expect, test } from "vitest";
import type { McpDeps } from "../../functions/runs/mcp/mcp-deps.ts";
import { createChatCompletion } from "../../functions/runs/openai/create-chat-completion.ts";
import { createOpenaiResponse } from "../../functions/runs/openai/create-openai-response.ts";
import type { Db } from "../../shared/stores/db.ts";
import { mcpWorld } from "../support/mcp-in-process.ts";
import { startStores, type TestStores } from "../support/stores.ts";

let stores: TestStores;
let reads = 0;
let deps: McpDeps;
beforeAll(async () => {
  stores = await startStores();
  deps = mcpWorld(countingReads(stores.db)).deps;
});
afterAll(() => stores?.stop());

/** The same store, which counts in `reads` how often an idempotency key is looked up. */
const countingReads = (db: Db): Db => ({
  ...db,
  client: new Proxy(db.client, {
    get: (target, name) => {
      if (name !== "send") return Reflect.get(target, name);
      return (command: { input: { Key?: { pk?: unknown } } }) => {
        if (String(command.input.Key?.pk).startsWith("key#")) reads++;
        return target.send(command as never);
      };
    },
  }),
});

const ask = (key: string, body: object) => ({
  ...{ params: {}, query: {}, origin: "https://api.example", invocation: {} },
  body: JSON.stringify(body),
  headers: { "idempotency-key": key },
  principal: { kind: "user" as const, user_id: "ada", scopes: ["agents:read", "agents:run"], admin: false },
  signal: new AbortController().signal,
});
const model = "agent:assistant";
const chat = (key: string) =>
  createChatCompletion(ask(key, { model, messages: [{ role: "user", content: "Hello" }] }), deps);
const response = (key: string) => createOpenaiResponse(ask(key, { model, input: "Hello" }), deps);

test.each([
  ["a chat completion", "chat", chat],
  ["a response", "response", response],
])("the key of %s is read once, and once again when it is repeated", async (_, key, create) => {
  const first = await create(key);
  expect(reads).toBe(1);
  expect(await create(key)).toMatchObject({ id: Reflect.get(first, "id") });
  expect(reads).toBe(2);
  reads = 0;
});
