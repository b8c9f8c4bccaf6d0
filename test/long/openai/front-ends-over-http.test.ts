import { readFileSync } from "node:fs";
import { join } from "node:path";
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
type ToolCall = { readonly id: string; readonly function: { readonly name: string } };
type Chunk = {
  readonly choices: readonly {
    readonly delta: { readonly content?: string; readonly tool_calls?: readonly ToolCall[] };
  }[];
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

type Recorded = {
  readonly name: string;
  readonly path?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly messages: readonly Readonly<Record<string, unknown>>[] };
};
const recordedOf = (file: string): readonly Recorded[] =>
  JSON.parse(readFileSync(join(import.meta.dirname, file), "utf8"));
const send = ({ path = "/chat/completions", headers, body }: Recorded) => ask(path, headers, body);

/** Requests that functions of Open WebUI 0.12.4 made of settings, recorded by `npm run conformance:openai -- --open-webui`; the prompts are ours. */
describe("Open WebUI's recorded requests", () => {
  const recorded = recordedOf("open-webui-requests.json");
  const named = (wanted: string, path: string) =>
    recorded.filter((request) => request.name === wanted && request.path === path);
  const said = [
    ["conversation", "Hello Open WebUI, in words"],
    ["parameters", "And goodbye, in words"],
    ["picture", "What is this?"],
    ["own tool, later", "And then, in words"],
  ] as const;

  describe("for chat completions", () => {
    const ofKind = (wanted: string) => named(wanted, "/chat/completions");

    test.for(said)("stream a %s", async ([name, text]) => {
      const [request] = ofKind(name);
      if (!request) throw new Error(`no ${name} is recorded`);
      expect(textOf(await chunksOf(await send(request)))).toContain(text);
    });

    test("call a tool, and bring its result", async () => {
      const [first, second] = ofKind("tool");
      if (!first || !second) throw new Error("no tool is recorded");
      const called = (await chunksOf(await send(first))).flatMap(({ choices }) => choices);
      const [{ id }] = called.flatMap(({ delta }) => delta.tool_calls ?? []) as [ToolCall];
      expect(textOf(await chunksOf(await send(withCall(second, id))))).toContain("north is open");
    });

    test("ask for a title", async () => {
      const [request] = ofKind("title");
      if (!request) throw new Error("no title is recorded");
      expect(await (await send(request)).json()).toMatchObject({
        choices: [{ message: { content: expect.stringContaining("title") } }],
      });
    });
  });

  describe("for responses", () => {
    const ofKind = (wanted: string) => named(wanted, "/responses");

    test.for(said)("stream a %s", async ([name, text]) => {
      const [request] = ofKind(name);
      if (!request) throw new Error(`no ${name} is recorded`);
      expect((await endOf(await send(request))).output).toContainEqual(answering(text));
    });

    test.for(["tool", "tool, stateful"])("call a %s, and bring its result", async (name) => {
      const [first, second] = ofKind(name);
      if (!first || !second) throw new Error(`no ${name} is recorded`);
      const { id, output } = await endOf(await send(first));
      const [call] = output.filter(({ type }) => type === "function_call");
      expect(call).toMatchObject({ name: "open_gate", arguments: '{"gate":"north"}' });
      const answer = await endOf(await send(withCall(second, String(call?.call_id), id)));
      expect(answer.output).toContainEqual(answering("north is open"));
    });

    test("ask for a title", async () => {
      const [request] = ofKind("title");
      if (!request) throw new Error("no title is recorded");
      const { output } = (await (await send(request)).json()) as { output: readonly OutputItem[] };
      expect(output).toContainEqual(answering("title"));
    });
  });
});

type OutputItem = { readonly type: string; readonly call_id?: string };
const answering = (text: string) =>
  expect.objectContaining({
    ...{ type: "message", content: [expect.objectContaining({ text: expect.stringContaining(text) })] },
  });

/** The same request, about a call of this platform, and the response that has it. */
const withCall = (request: Recorded, call: string, response = ""): Recorded => ({
  ...request,
  body: JSON.parse(
    JSON.stringify(request.body)
      .replaceAll('"CALL"', JSON.stringify(call))
      .replaceAll('"RESPONSE"', JSON.stringify(response)),
  ),
});

/** A streamed response, as it is in the end. */
async function endOf(
  response: Response,
): Promise<{ readonly id: string; readonly output: readonly OutputItem[] }> {
  expect(response.status).toBe(200);
  const data = (await response.text()).split("\n").filter((line) => line.startsWith("data: "));
  const events = data.map((line) => JSON.parse(line.slice("data: ".length)));
  expect(events.at(-1)).toMatchObject({ type: "response.completed" });
  return events.at(-1).response;
}

const recorded = recordedOf("librechat-requests.json");

/** Requests of LibreChat's own package (`@librechat/agents` 3.9.2), recorded by `npm run conformance:openai -- --librechat`. */
describe("LibreChat", () => {
  const named = (wanted: string) => recorded.filter(({ name }) => name === wanted);

  test.for(["conversation", "picture", "parameters"])("streams a %s", async (name) => {
    const [request] = named(name);
    if (!request) throw new Error(`no ${name} is recorded`);
    const chunks = await chunksOf(await send(request));
    const [, { content }] = request.body.messages as [unknown, { content: unknown }];
    const asked = typeof content === "string" ? content : "What is this?";
    expect(textOf(chunks)).toContain(asked);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } });
  });

  test("has its tools called, and brings their results", async () => {
    const [first, second] = named("tool");
    if (!first || !second) throw new Error("no tool is recorded");
    const called = (await chunksOf(await send(first))).flatMap(({ choices }) => choices);
    const [{ id, function: tool }] = called.flatMap(({ delta }) => delta.tool_calls ?? []) as [ToolCall];
    expect(tool).toMatchObject({ name: "open_gate" });
    expect(called.at(-1)).toMatchObject({ finish_reason: "tool_calls" });
    // What the client repeats of the call is as it was recorded, but for its id, which names this run.
    const theirs = JSON.stringify(second.body.messages.map(({ tool_call_id }) => tool_call_id).find(Boolean));
    const body = JSON.parse(JSON.stringify(second.body).replaceAll(theirs, JSON.stringify(id)));
    expect(textOf(await chunksOf(await send({ ...second, body })))).toContain("north is open");
  });

  test.for(["title by completion", "title by structured"])("makes a %s", async (name) => {
    const [request] = named(name);
    if (!request) throw new Error(`no ${name} is recorded`);
    const answer = await send(request);
    expect(answer.status).toBe(200);
    const { choices } = (await answer.json()) as { choices: [{ message: { content: string } }] };
    const { content } = choices[0].message;
    if (name.endsWith("structured"))
      expect(JSON.parse(content)).toEqual({ language: "en", title: "A greeting" });
    else expect(content).toContain("title");
  });
});
