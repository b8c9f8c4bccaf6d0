import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { serveOnLoopback } from "../../../local/machine/listen-on-loopback.ts";

export type StoryModel = {
  /** Settings under which a platform asks this model. */
  readonly env: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
};

type Asked = { readonly messages: readonly { readonly role: string }[] };

const THINKS_MS = 420;
const SPEC = "openai-compatible:desk-model";

/** A model that answers one complaint as a real one would: it asks for a refund, and says what came of it. */
export async function startStoryModel(): Promise<StoryModel> {
  const server = createServer(async (request, response) => {
    const { messages }: Asked = JSON.parse(await text(request));
    await pause(THINKS_MS);
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(messages.at(-1)?.role === "tool" ? answer : refund);
  });
  const { address, stop } = await serveOnLoopback(server);
  const prices = { [SPEC]: { input_per_million: 1.25, output_per_million: 10 } };
  return {
    env: {
      MODEL: SPEC,
      MODEL_BASE_URL: `${address}/v1`,
      MODEL_API_KEY: "no-secret",
      MODEL_PRICES: JSON.stringify(prices),
    },
    stop,
  };
}

const chunk = (delta: object, finish_reason: string | null = null) => ({
  id: "chat-1",
  object: "chat.completion.chunk",
  created: 1,
  model: "desk-model",
  choices: [{ index: 0, delta, finish_reason }],
});

const usage = (prompt_tokens: number, completion_tokens: number) => ({
  ...chunk({}),
  choices: [],
  usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens },
});

const frames = (parts: readonly object[]): string =>
  [...parts.map((part) => JSON.stringify(part)), "[DONE]"].map((data) => `data: ${data}\n\n`).join("");

const call = {
  index: 0,
  id: "call_1",
  type: "function",
  function: { name: "issue_refund", arguments: '{"order_id":"A-1001","amount":12.5}' },
};

const refund = frames([
  chunk({ role: "assistant", content: "I am sorry about the cup. I am asking for a refund of 12.50." }),
  chunk({ tool_calls: [call] }),
  chunk({}, "tool_calls"),
  usage(412, 46),
]);

const answer = frames([
  chunk({ role: "assistant", content: "**12.50 has been refunded** for order A-1001.\n\n" }),
  chunk({ content: "It is on your card within three days. You may keep the cup." }),
  chunk({}, "stop"),
  usage(498, 38),
]);
