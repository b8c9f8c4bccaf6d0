import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { getOpenaiResponse } from "../../functions/runs/openai/named-response.ts";
import { RESPONSE } from "../../functions/runs/openai/response-of.ts";
import { addressOf } from "../../functions/runs/openai/run-address.ts";
import { defineAgent } from "../../shared/engine/define/agent.ts";
import { createModels } from "../../shared/engine/model/create-models.ts";
import { EventStream } from "../../shared/http/handler.ts";
import { type HostileModel, startHostileModel } from "../support/hostile-model/start-hostile-model.ts";
import type { Reply } from "../support/hostile-model/turn.ts";
import { queueWorld } from "../support/queue-world.ts";
import { startStores, type TestStores } from "../support/stores.ts";
import { watchedDb } from "../support/watched-db.ts";

let stores: TestStores;
let hostile: HostileModel;
beforeAll(async () => {
  [stores, hostile] = await Promise.all([startStores(), startHostileModel()]);
});
afterAll(() => Promise.all([stores.stop(), hostile.stop()]));

/** A run in the background that has ended, whose model answered so; and its response, as its user reads it. */
async function ended(name: string, replies: readonly Reply[]) {
  const world = queueWorld(stores.db);
  hostile.plan(name, replies);
  const clock = { ...world.clock, sleep: async (ms: number) => world.clock.advance(ms) };
  const model = "openai-compatible:own";
  const agent = defineAgent({ id: "assistant", name: "Assistant", model });
  const run = await world.submit(name);
  await world.deliver(run.run_id, {
    clock,
    models: createModels({ ...hostile.environment, MODEL: model }),
    findRunnable: async () => agent,
  });
  const component = { kind: "agent", id: "assistant" } as const;
  const request = {
    params: { response_id: addressOf(RESPONSE, { component, ...run }) },
    principal: { kind: "user", user_id: "maria", scopes: ["agents:read", "agents:run"], admin: false },
    signal: new AbortController().signal,
  } as const;
  const read = (query: object, db = stores.db) =>
    getOpenaiResponse({ ...request, query } as never, { ...world, db, mcp: {} } as never);
  const stream = async (db = stores.db) => {
    const answer = await read({ stream: true }, db);
    if (!(answer instanceof EventStream)) throw new Error("it was not streamed");
    let text = "";
    for await (const chunk of answer.chunks) text += chunk;
    return [...text.matchAll(/^data: (.*)$/gm)].map(([, json = ""]) => JSON.parse(json));
  };
  return { read, stream };
}

describe("a response that is named", () => {
  test("failed by its limit of requests where the model's service asked to slow down, streamed too", async () => {
    const slow: Reply = { fails: { kind: "status", status: 429, message: "slow down" } };
    const { read, stream } = await ended(
      "plan-throttled-response",
      Array.from({ length: 9 }, () => slow),
    );
    const failed = { status: "failed", error: { code: "rate_limit_exceeded", message: "slow down" } };
    expect(await read({})).toMatchObject(failed);
    expect((await stream()).at(-1)).toMatchObject({ type: "response.failed", response: failed });
  });

  test("failed otherwise is a fault of the server", async () => {
    const broken: Reply = { fails: { kind: "status", status: 400, message: "no" } };
    const { read } = await ended("plan-broken-response", [broken]);
    expect(await read({})).toMatchObject({ error: { code: "server_error", message: "no" } });
  });

  test("has what its model thought before what it said, whole and streamed", async () => {
    const thought: Reply = { reasoning: { text: ["Let me ", "think."], proof: "" }, text: ["Five."] };
    const { read, stream } = await ended("plan-thinking-response", [thought]);
    expect(await read({})).toMatchObject({
      output: [
        { type: "reasoning", summary: [{ type: "summary_text", text: "Let me think." }] },
        { type: "message", content: [{ type: "output_text", text: "Five." }] },
      ],
    });
    const events = await stream();
    expect(events.at(-1).response.output).toMatchObject([{ type: "reasoning" }, { type: "message" }]);
    expect([...new Set(events.map(({ type }) => type))]).toEqual([
      "response.created",
      "response.queued",
      "response.output_item.added",
      "response.reasoning_summary_part.added",
      "response.reasoning_summary_text.delta",
      "response.reasoning_summary_text.done",
      "response.reasoning_summary_part.done",
      "response.output_item.done",
      "response.content_part.added",
      "response.output_text.delta",
      "response.output_text.done",
      "response.content_part.done",
      "response.completed",
    ]);
  });

  test("that has ended is streamed with one reading of its events", async () => {
    const { stream } = await ended("plan-read-once", [{ text: ["Five."] }]);
    let queries = 0;
    const watched = watchedDb(stores.db, {
      before: async (command) => {
        if (command.constructor.name === "QueryCommand") queries += 1;
      },
    });
    expect((await stream(watched)).at(-1)).toMatchObject({ type: "response.completed" });
    expect(queries).toBe(1);
  });
});
