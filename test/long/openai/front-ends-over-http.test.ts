import { describe, expect } from "vitest";
import type { RunningPlatform } from "../../support/platform.ts";
import { test } from "../../support/shared-platform.ts";

let platform: RunningPlatform;
test.beforeAll(({ platform: shared }) => {
  platform = shared;
});

const USER = "a person at a front end";
const ask = (path: string, headers: Readonly<Record<string, string>>, body?: object) =>
  fetch(`${platform.url}/v1${path}`, {
    method: body ? "POST" : "GET",
    headers: {
      authorization: `Bearer ${platform.token(USER, ["agents:read", "agents:run", "sessions:read"])}`,
      "content-type": "application/json",
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  });

/** The chunks of a stream, without its end. */
async function chunksOf(response: Response): Promise<readonly Chunk[]> {
  expect([response.status, response.headers.get("content-type")]).toEqual([
    200,
    expect.stringMatching(/^text\/event-stream/),
  ]);
  const frames = (await response.text()).split("\n\n").filter((frame) => frame.startsWith("data: "));
  expect(frames.at(-1)).toBe("data: [DONE]");
  return frames.slice(0, -1).map((frame) => JSON.parse(frame.slice("data: ".length)));
}
type Chunk = {
  readonly choices: readonly { readonly delta: { readonly content?: string } }[];
  readonly usage?: { readonly total_tokens: number } | null;
};
const textOf = (chunks: readonly Chunk[]): string =>
  chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta.content ?? "")).join("");

/**
 * Requests as Open WebUI's server makes them: a connection is checked by its list of models; a message is the whole conversation,
 * with the members that its parameters add; the title is a request of its own.
 */
describe("Open WebUI", () => {
  const headers = {
    "X-OpenWebUI-User-Name": "Maria",
    "X-OpenWebUI-User-Id": "5b1d",
    "X-OpenWebUI-User-Email": "maria@example.com",
    "X-OpenWebUI-User-Role": "user",
    "X-OpenWebUI-Chat-Id": "c-1",
  };

  test("checks its connection, streams a conversation, and makes its title", async () => {
    expect(await (await ask("/models", headers)).json()).toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ id: "agent:assistant", object: "model" })]),
    });
    const model = "agent:assistant";
    const first = { role: "user", content: `Hello ${crypto.randomUUID()}` };
    const parameters = {
      temperature: 0.8,
      top_p: 0.9,
      max_tokens: 500,
      frequency_penalty: 0,
      presence_penalty: 0,
      seed: 7,
      stop: ["###"],
      logit_bias: {},
    };
    const options = { stream: true, stream_options: { include_usage: true }, ...parameters };
    const chunks = await chunksOf(
      await ask("/chat/completions", headers, { ...options, model, messages: [first] }),
    );
    expect(textOf(chunks)).toContain(first.content);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } });
    const messages = [
      { role: "system", content: "Be brief." },
      first,
      { role: "assistant", content: textOf(chunks) },
      { role: "user", content: [{ type: "text", text: "And goodbye" }] },
    ];
    expect(
      textOf(await chunksOf(await ask("/chat/completions", headers, { ...options, model, messages }))),
    ).toContain("And goodbye");
    const title = await ask("/chat/completions", headers, {
      ...{ model, stream: false, max_completion_tokens: 1000 },
      messages: [{ role: "user", content: "### Task:\nGenerate a title of 3 words." }],
    });
    expect(await title.json()).toMatchObject({
      choices: [{ message: { content: expect.stringContaining("title") } }],
    });
  });
});

/** Requests with the members that LibreChat's documentation lists as those that it sends by default, and its `stop`. */
describe("LibreChat", () => {
  test("streams a conversation, and makes its title", async () => {
    const defaults = {
      model: "agent:assistant",
      temperature: 1,
      top_p: 1,
      presence_penalty: 0,
      frequency_penalty: 0,
      user: "LibreChat_User_ID",
    };
    const content = `Hi, how are you ${crypto.randomUUID()}`;
    const messages = [{ role: "user", content }];
    const stop = ["||>", "\nUser:", "<|diff_marker|>"];
    const chunks = await chunksOf(
      await ask("/chat/completions", {}, { ...defaults, stop, stream: true, messages }),
    );
    expect(textOf(chunks)).toContain(content);
    const title = await ask("/chat/completions", {}, { ...defaults, temperature: 0.2, messages });
    expect(await title.json()).toMatchObject({ object: "chat.completion", choices: [{ index: 0 }] });
  });
});
