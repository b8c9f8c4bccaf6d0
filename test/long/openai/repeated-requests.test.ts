import OpenAI from "openai";
import type { ChatCompletionMessageParam, ChatCompletionTool } from "openai/resources";
import { beforeEach, describe, expect, onTestFinished } from "vitest";
import { type BreakingProxy, startBreakingProxy } from "../../support/breaking-proxy.ts";
import { type Client, clientOf } from "../../support/client.ts";
import type { RunningPlatform } from "../../support/platform.ts";
import { test } from "../../support/shared-platform.ts";

let platform: RunningPlatform;
test.beforeAll(({ platform: shared }) => {
  platform = shared;
});

const model = "agent:assistant";
const scopes = ["agents:read", "agents:run", "sessions:read"];
let user: string;
let proxy: BreakingProxy;
let client: OpenAI;
let own: Client;
beforeEach(async () => {
  user = `retries-${crypto.randomUUID()}`;
  proxy = await startBreakingProxy(platform.url);
  onTestFinished(() => proxy.stop());
  client = new OpenAI({ apiKey: platform.token(user, scopes), baseURL: `${proxy.url}/v1`, maxRetries: 1 });
  own = clientOf(platform.url, platform.token(user, scopes));
});
const keyed = () => ({ headers: { "Idempotency-Key": crypto.randomUUID() } });
const LOST = { cutAfter: 0 };

/** Inputs of the user's runs. */
async function inputs(): Promise<string[]> {
  const { json } = await own.get("/runs");
  return json.data.map(({ input }: { input: string }) => input);
}

describe("the official client sends a request again whose answer was lost", () => {
  test("of a response that is waited for: one run", async () => {
    proxy.breakNext(/responses/, LOST);
    const made = await client.responses.create({ model, input: "[[sleep:200]] pay 80" }, keyed());
    expect(made).toMatchObject({ status: "completed", output_text: expect.stringContaining("pay 80") });
    expect(proxy.requests).toHaveLength(2);
    expect(await inputs()).toHaveLength(1);
  });

  test("of a response that is streamed: one run, whose events are those of any reader", async () => {
    proxy.breakNext(/responses/, LOST);
    const events: OpenAI.Responses.ResponseStreamEvent[] = [];
    for await (const event of await client.responses.create(
      { model, input: "pay 81", stream: true },
      keyed(),
    ))
      events.push(event);
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(
      events.map(({ sequence_number }) => sequence_number).toSorted((a, b) => a - b),
    );
    const last = events.at(-1);
    expect(last).toMatchObject({ type: "response.completed", response: { status: "completed" } });
    expect(await inputs()).toHaveLength(1);
  });

  test("of one that follows an earlier response: one run, and one copy of the session", async () => {
    const first = await client.responses.create({ model, input: "first" });
    await client.responses.create({ model, input: "second", previous_response_id: first.id });
    proxy.breakNext(/responses/, LOST);
    const asked = { model, input: "instead", previous_response_id: first.id };
    const made = await client.responses.create(asked, keyed());
    expect(made.status).toBe("completed");
    const { json } = await own.get("/sessions");
    expect(json.data).toHaveLength(2);
  });

  test("of one that answers a call: it is continued once", async () => {
    const gate = {
      type: "function",
      name: "close_gate",
      strict: false,
      parameters: { type: "object" },
    } as const;
    const asked = { model, input: "[[tool:close_gate {}]]", tools: [gate] };
    const calling = await client.responses.create(asked);
    const call = calling.output.find((item) => item.type === "function_call");
    const output = { type: "function_call_output", call_id: call?.call_id ?? "", output: "closed" } as const;
    const answer = { model, input: [output], tools: [gate], previous_response_id: calling.id };
    proxy.breakNext(/responses/, LOST);
    const options = keyed();
    const done = await client.responses.create(answer, options);
    expect(done).toMatchObject({ status: "completed" });
    expect((await client.responses.create(answer, options)).output_text).toBe(done.output_text);
    expect(await inputs()).toHaveLength(1);
  });

  test.for([false, true])(
    "of a chat completion, stream: %s: one run, also where a tool's result continues it",
    async (stream) => {
      const tool: ChatCompletionTool = {
        type: "function",
        function: { name: "close_gate", parameters: { type: "object" } },
      };
      const messages: ChatCompletionMessageParam[] = [{ role: "user", content: "[[tool:close_gate {}]]" }];
      const ask = async (): Promise<OpenAI.ChatCompletionMessage | undefined> => {
        proxy.breakNext(/completions/, LOST);
        const asked = { model, messages, tools: [tool] };
        if (!stream) return (await client.chat.completions.create(asked, keyed())).choices[0]?.message;
        const runner = client.chat.completions.stream(asked, keyed());
        return (await runner.finalChatCompletion()).choices[0]?.message;
      };
      const calling = await ask();
      const [call] = calling?.tool_calls ?? [];
      expect(call).toBeDefined();
      if (!calling || !call) return;
      messages.push(calling, { role: "tool", tool_call_id: call.id, content: "closed" });
      expect(await ask()).toMatchObject({ role: "assistant", content: expect.stringContaining("closed") });
      expect(proxy.requests).toHaveLength(4);
      expect(await inputs()).toHaveLength(1);
    },
  );
});
