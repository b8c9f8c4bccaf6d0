import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { serveOnLoopback } from "../../local/machine/listen-on-loopback.ts";

export type ModelWitness = {
  /** Settings under which a platform asks this model. */
  readonly env: Readonly<Record<string, string>>;
  /** How often the model was asked to answer this message. */
  readonly asked: (message: string) => number;
  /** When it was asked to answer this message last, and when it answered; `performance.now()`. */
  readonly times: (message: string) => { readonly askedAt: number; readonly answeredAt: number } | undefined;
  readonly stop: () => Promise<void>;
};

/**
 * A model in the test's own process. It outlives every platform that asks it, so it knows how often a run was really
 * executed, whatever the platform itself remembers. `[[sleep:MS]]` in a message makes it wait before it answers,
 * `[[steps:N]]` makes it call a tool N times before that.
 */
export async function startModelWitness(): Promise<ModelWitness> {
  const counts = new Map<string, number>();
  const times = new Map<string, { askedAt: number; answeredAt: number }>();
  const server = createServer(async (request, response) => {
    const askedAt = performance.now();
    const asked: Asked = JSON.parse(await text(request));
    const message = lastUserMessage(asked);
    counts.set(message, (counts.get(message) ?? 0) + 1);
    const waitMs = Number(/\[\[sleep:(\d+)\]\]/.exec(message)?.[1] ?? 0);
    setTimeout(() => {
      times.set(message, { askedAt, answeredAt: performance.now() });
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(isStep(asked, message) ? toolFrames() : frames(`You said: ${message}`));
    }, waitMs);
  });
  const { address, stop } = await serveOnLoopback(server);
  return {
    env: {
      MODEL: "openai-compatible:witness",
      MODEL_BASE_URL: `${address}/v1`,
      MODEL_API_KEY: "no-secret",
    },
    asked: (message) => counts.get(message) ?? 0,
    times: (message) => times.get(message),
    stop,
  };
}

type Asked = { readonly messages: readonly { readonly role: string; readonly content: unknown }[] };

function lastUserMessage({ messages }: Asked): string {
  const content = messages.findLast(({ role }) => role === "user")?.content;
  return typeof content === "string" ? content : JSON.stringify(content);
}

function isStep({ messages }: Asked, message: string): boolean {
  const steps = Number(/\[\[steps:(\d+)\]\]/.exec(message)?.[1] ?? 0);
  const sinceAsked = messages.slice(messages.findLastIndex(({ role }) => role === "user"));
  return sinceAsked.filter(({ role }) => role === "assistant").length < steps;
}

const chunk = (delta: object, finish_reason: string | null) => ({
  id: "chat-1",
  object: "chat.completion.chunk",
  created: 1,
  model: "witness",
  choices: [{ index: 0, delta, finish_reason }],
});

let calls = 0;

function toolFrames(): string {
  calls += 1;
  const added = { name: "add_numbers", arguments: '{"a":1,"b":2}' };
  const call = { index: 0, id: `call_${calls}`, type: "function", function: added };
  return framesOf([chunk({ role: "assistant", tool_calls: [call] }, null), chunk({}, "tool_calls")]);
}

const frames = (answer: string): string =>
  framesOf([chunk({ role: "assistant", content: answer }, null), chunk({}, "stop")]);

function framesOf(said: readonly object[]): string {
  return [...said.map((part) => JSON.stringify(part)), "[DONE]"].map((data) => `data: ${data}\n\n`).join("");
}
