import { execFile } from "node:child_process";
import { promisify } from "node:util";
import OpenAI from "openai";
import type {
  Response,
  ResponseInput,
  ResponseStreamEvent,
  Tool,
} from "openai/resources/responses/responses";
import { describe, expect } from "vitest";
import { clientScript, isInstalled, pythonWithOpenai } from "../../../scripts/conformance/openai/python.ts";
import { clientOf } from "../../support/client.ts";
import type { RunningPlatform } from "../../support/platform.ts";
import { test } from "../../support/shared-platform.ts";

let platform: RunningPlatform;
test.beforeAll(({ platform: shared }) => {
  platform = shared;
});

const scopes = ["agents:read", "agents:run", "teams:run", "workflows:run", "sessions:delete"];
const clientFor = () =>
  new OpenAI({ apiKey: platform.token("maria", scopes), baseURL: `${platform.url}/v1`, maxRetries: 0 });
const model = "agent:assistant";
const openGate: Tool = {
  ...{ type: "function", name: "open_gate", strict: false, description: "Opens a gate." },
  parameters: { type: "object", properties: { gate: { type: "string" } } },
};
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==";
const withFiles: ResponseInput = [
  {
    role: "user",
    content: [
      { type: "input_text", text: "What is in these?" },
      { type: "input_image", detail: "auto", image_url: `data:image/png;base64,${pixel}` },
      { type: "input_file", filename: "note.txt", file_data: "data:text/plain;base64,SGVsbG8=" },
    ],
  },
];

const text = (said: string) => ({
  type: "message",
  role: "assistant",
  content: [{ type: "output_text", text: said }],
});
const thought = (words: string) => ({ type: "reasoning", summary: [{ type: "summary_text", text: words }] });
const called = (name: string, output: string) => ({
  ...{ type: "mcp_call", status: "completed", server_label: "assistant", name, output, error: null },
});

type Case = readonly [
  what: string,
  asked: { input: string | ResponseInput; tools?: Tool[] },
  response: object,
];
const cases: readonly Case[] = [
  [
    "a text",
    { input: "Hello there" },
    {
      status: "completed",
      error: null,
      output: [text("You said: Hello there")],
      output_text: "You said: Hello there",
    },
  ],
  [
    "reasoning before a text",
    { input: "[[think:They greet me.]] Hello" },
    {
      ...{ status: "completed", output: [thought("They greet me."), text("You said: Hello")] },
      usage: { output_tokens_details: { reasoning_tokens: 3 } },
    },
  ],
  [
    "a tool of the platform, with reasoning before it",
    { input: '[[think:I add them.]][[tool:add_numbers {"a":2,"b":3}]]' },
    { status: "completed", output: [thought("I add them."), called("add_numbers", "5"), text("5")] },
  ],
  [
    "a tool of the platform that fails",
    { input: '[[tool:get_time {"timezone":"Mars/Base"}]]' },
    {
      status: "completed",
      output: [
        {
          type: "mcp_call",
          name: "get_time",
          status: "failed",
          output: null,
          error: expect.stringContaining("Mars"),
        },
        { type: "message" },
      ],
    },
  ],
  [
    "a function of the client",
    { input: '[[think:It is shut.]][[tool:open_gate {"gate":"north"}]]', tools: [openGate] },
    {
      status: "completed",
      output: [
        thought("It is shut."),
        { type: "function_call", status: "completed", name: "open_gate", arguments: '{"gate":"north"}' },
      ],
    },
  ],
  [
    "a picture and a file of the user",
    { input: withFiles },
    { status: "completed", output: [text("You said: What is in these?")] },
  ],
  [
    "a file that a tool makes",
    { input: '[[tool:draw_badge {"colour":"#00ff00"}]]' },
    { status: "completed", output: [called("draw_badge", "The badge is drawn."), { type: "message" }] },
  ],
  [
    "a run that fails",
    { input: "[[tokens:2]][[fail:the model is broken]]" },
    { status: "failed", error: { code: "server_error", message: "the model is broken" } },
  ],
];

/** Without what differs between two runs, and between a stream and what is read later. */
const shownIn = ({ output }: Response) => output.map(({ type }) => type);

describe("OpenAI's client for JavaScript has", () => {
  test.each(cases)("%s, by create and by stream", async (_what, asked, wanted) => {
    const client = clientFor();
    const made = await client.responses.create({ model, ...asked });
    expect(made).toMatchObject(wanted);
    const stream = client.responses.stream({ model, ...asked });
    const events: ResponseStreamEvent[] = [];
    for await (const event of stream) events.push(event);
    const whole = await stream.finalResponse();
    expect(whole).toMatchObject(wanted);
    const read = await client.responses.retrieve(whole.id);
    expect(read).toMatchObject(wanted);
    expect(read.usage).toEqual(whole.usage);
    if (whole.status === "failed") return;
    expect(shownIn(whole)).toEqual(shownIn(made));
    expect(shownIn(read)).toEqual(shownIn(made));
  });

  test("what a failed run has said before, and the text of a run that is cancelled while it streams", async () => {
    const client = clientFor();
    const failed = await client.responses
      .stream({ model, input: "[[tokens:2]][[fail:broken]]" })
      .finalResponse();
    expect(failed.output).toMatchObject([{ ...text("word1 word2"), status: "incomplete" }]);
    const stream = client.responses.stream({ model, input: "[[tokens:2]][[sleep:20000]]" });
    const events: ResponseStreamEvent[] = [];
    let id = "";
    for await (const event of stream) {
      events.push(event);
      if (event.type === "response.created") id = event.response.id;
      if (event.type === "response.output_text.delta" && event.delta === " word2")
        await client.responses.cancel(id);
    }
    expect(events.at(-1)).toMatchObject({
      type: "response.incomplete",
      response: { id, status: "cancelled" },
    });
    const cancelled = await stream.finalResponse();
    expect(cancelled).toMatchObject({ id, status: "cancelled", error: null, output: [text("word1 word2")] });
    expect((await client.responses.retrieve(id)).status).toBe("cancelled");
  });

  test("a run that is cancelled while create waits for it", async () => {
    const client = clientFor();
    const { conversation } = await client.responses.create({ model, input: "Hello" });
    const waits = client.responses.create({
      model,
      input: "[[sleep:20000]] long",
      ...(conversation && { conversation }),
    });
    const maria = clientOf(platform.url, platform.token("maria", scopes));
    const running = async () => {
      const { json } = await maria.get(`/agents/assistant/runs?session_id=${conversation?.id}`);
      return (json.data ?? json).find(({ status }: { status: string }) => status === "RUNNING")?.run_id;
    };
    await expect.poll(running).toBeDefined();
    await maria.post(`/agents/assistant/runs/${await running()}/cancel?session_id=${conversation?.id}`);
    expect(await waits).toMatchObject({ status: "cancelled", error: null });
  });
});

/** It comes from PyPI: tests use it, and never install it. */
const python = isInstalled()
  ? await pythonWithOpenai()
  : console.warn("OpenAI's client for Python is not run: `npm run conformance:openai` installs it");

test.skipIf(!python)("OpenAI's client for Python has the same", async () => {
  const env = {
    ...process.env,
    OPENAI_BASE_URL: `${platform.url}/v1`,
    OPENAI_API_KEY: platform.token("maria", scopes),
    PYTHONDONTWRITEBYTECODE: "1",
  };
  const { stdout } = await promisify(execFile)(python ?? "", [clientScript], { env });
  expect(stdout).toMatch(/for Python: (\d+) of \1\b/);
});
