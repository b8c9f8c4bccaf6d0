import { createOpenAI } from "@ai-sdk/openai";
import OpenAI from "openai";
import type { ResponseStreamEvent, Tool } from "openai/resources/responses/responses";
import { describe, expect } from "vitest";
import { clientOf } from "../../support/client.ts";
import type { RunningPlatform } from "../../support/platform.ts";
import { test } from "../../support/shared-platform.ts";

let platform: RunningPlatform;
test.beforeAll(({ platform: shared }) => {
  platform = shared;
});

const everyRun = ["agents:read", "agents:run", "teams:run", "workflows:read", "workflows:run"];
const clientFor = () =>
  new OpenAI({ apiKey: platform.token("maria", everyRun), baseURL: `${platform.url}/v1`, maxRetries: 0 });
const model = "agent:assistant";
const openGate: Tool = {
  ...{ type: "function", name: "open_gate", strict: false, description: "Opens a gate." },
  parameters: { type: "object", properties: { gate: { type: "string" } } },
};
const CALL = '[[tool:open_gate {"gate":"north"}]]';

type Streaming = AsyncIterable<ResponseStreamEvent>;
async function eventsOf(stream: Streaming): Promise<ResponseStreamEvent[]> {
  const events: ResponseStreamEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}
const typesOf = (events: readonly ResponseStreamEvent[]): string[] => [
  ...new Set(events.map(({ type }) => type)),
];
const begunIn = ([first]: readonly ResponseStreamEvent[]) => {
  if (first?.type === "response.created") return first.response;
  throw new Error(`a stream began with ${first?.type}`);
};
const endIn = (events: readonly ResponseStreamEvent[]) => {
  const last = events.at(-1);
  if (last && "response" in last) return last;
  throw new Error(`a stream ended with ${last?.type}`);
};

describe("a streamed response", () => {
  test("is put together by the client's own helper, and is the one that is read later", async () => {
    const client = clientFor();
    let said = "";
    const stream = client.responses
      .stream({ model, input: "Hello stream, in words", metadata: { tenant: "a" } })
      .on("response.output_text.delta", ({ delta }) => {
        said += delta;
      });
    const whole = await stream.finalResponse();
    expect(whole).toMatchObject({ status: "completed", metadata: { tenant: "a" } });
    expect(whole.output_text).toContain("Hello stream, in words");
    expect(said).toBe(whole.output_text);
    const read = await client.responses.retrieve(whole.id);
    expect(read.output_text).toBe(whole.output_text);
    expect(read.usage).toEqual(whole.usage);
  });

  test("has rising numbers, one place for each item, and the same items at its end", async () => {
    const input = '[[tool:add_numbers {"a":2,"b":3}]]';
    const events = await eventsOf(await clientFor().responses.create({ model, input, stream: true }));
    const numbers = events.map(({ sequence_number }) => sequence_number);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    const added = events.flatMap((event) => (event.type === "response.output_item.added" ? [event] : []));
    expect(added.map(({ output_index }) => output_index)).toEqual(added.map((_, i) => i));
    const end = endIn(events);
    expect(end.type).toBe("response.completed");
    expect(end.response.output.map(({ id }) => id)).toEqual(added.map(({ item }) => item.id));
    const call = { type: "mcp_call", name: "add_numbers", server_label: "assistant", output: "5" };
    expect(end.response.output).toContainEqual(expect.objectContaining(call));
    expect(typesOf(events)).toEqual(
      expect.arrayContaining(["response.mcp_call.in_progress", "response.mcp_call.completed"]),
    );
  });

  test("of a run that fails ends failed, and with why", async () => {
    const input = "[[fail:the model is broken]]";
    const events = await eventsOf(await clientFor().responses.create({ model, input, stream: true }));
    expect(endIn(events)).toMatchObject({
      type: "response.failed",
      response: { status: "failed", error: { code: "server_error" } },
    });
  });

  test("of a team ends with what it answered, and of a workflow with what it waits for", async () => {
    const answerOf = (component: string) =>
      clientFor().responses.stream({ model: component, input: "Hello" }).finalResponse();
    const team = await answerOf("team:support-team");
    expect([team.status, team.output_text !== ""]).toEqual(["completed", true]);
    const workflow = await answerOf("workflow:publish-report");
    expect(workflow.output_text).toContain("Publish it?");
    expect((await clientFor().responses.retrieve(workflow.id)).output_text).toBe(workflow.output_text);
  });
});

describe("a response in the background", () => {
  test("is followed, left, and followed again from there: nothing is missing, nothing comes twice", async () => {
    const client = clientFor();
    const asked = {
      model,
      input: '[[sleep:1500]] [[tool:add_numbers {"a":2,"b":3}]] then',
      background: true,
    };
    const stream = await client.responses.create({ ...asked, stream: true });
    const seen: ResponseStreamEvent[] = [];
    for await (const event of stream) {
      seen.push(event);
      if (seen.length === 2) break;
    }
    const { id } = begunIn(seen);
    const after = seen.at(-1)?.sequence_number ?? 0;
    const rest = await eventsOf(await client.responses.retrieve(id, { stream: true, starting_after: after }));
    expect(endIn(rest)).toMatchObject({ type: "response.completed", response: { id, status: "completed" } });
    const again = await eventsOf(await client.responses.retrieve(id, { stream: true }));
    expect(again.slice(seen.length)).toEqual(rest);
    expect(await eventsOf(await client.responses.retrieve(id, { stream: true }))).toEqual(again);
    const helped = await client.responses.stream({ response_id: id, starting_after: after }).finalResponse();
    expect(helped.output).toMatchObject(endIn(again).response.output);
  });

  test("that is cancelled ends its stream", async () => {
    const client = clientFor();
    const input = "[[sleep:20000]] long";
    const stream = await client.responses.create({ model, input, background: true, stream: true });
    const seen: ResponseStreamEvent[] = [];
    for await (const event of stream) {
      seen.push(event);
      if (seen.length === 2) await client.responses.cancel(begunIn(seen).id);
    }
    expect(endIn(seen)).toMatchObject({ type: "response.incomplete", response: { status: "cancelled" } });
  });
});

describe("what a streamed run waits for", () => {
  test("is a function of the client, whose result continues it in another stream", async () => {
    const client = clientFor();
    const tools = [openGate];
    const first = await client.responses.stream({ model, input: CALL, tools }).finalResponse();
    const [call] = first.output;
    if (call?.type !== "function_call") throw new Error("no function was called");
    expect(call).toMatchObject({ name: "open_gate", arguments: '{"gate":"north"}' });
    const second = await client.responses
      .stream({
        ...{ model, tools, previous_response_id: first.id },
        input: [{ type: "function_call_output", call_id: call.call_id, output: "it is open" }],
      })
      .finalResponse();
    expect(second.output_text).toContain("it is open");
    // Its id is the run's: what is followed is the part since it was continued.
    const followed = await eventsOf(await client.responses.retrieve(second.id, { stream: true }));
    expect(endIn(followed).response.output).toMatchObject([
      { type: "message", content: [{ text: second.output_text }] },
    ]);
    expect(typesOf(followed)).not.toContain("response.function_call_arguments.done");
  });

  test("is a confirmation", async () => {
    const input = '[[tool:issue_refund {"order_id":"7","amount":3}]]';
    const desk = "agent:refund-desk";
    const made = await clientFor().responses.stream({ model: desk, input }).finalResponse();
    expect(made.output).toMatchObject([{ type: "mcp_approval_request", name: "issue_refund" }]);
  });
});

/** The AI SDK's model for responses, which its function `openai(…)` gives. */
const aiModel = () =>
  createOpenAI({ baseURL: `${platform.url}/v1`, apiKey: platform.token("maria", ["agents:run"]) })(
    "agent:assistant",
  );
type Options = Parameters<ReturnType<typeof aiModel>["doGenerate"]>[0];
const user = (text: string): Options["prompt"][number] => ({
  role: "user",
  content: [{ type: "text", text }],
});

describe("the AI SDK's model of responses", () => {
  async function streamed(options: Options) {
    const { stream } = await aiModel().doStream(options);
    const parts = [];
    for await (const part of stream) parts.push(part);
    expect(parts.filter(({ type }) => type === "error")).toEqual([]);
    const text = parts.flatMap((part) => (part.type === "text-delta" ? [part.delta] : [])).join("");
    return { parts, text };
  }

  test("generates and streams a text", async () => {
    const { content, finishReason } = await aiModel().doGenerate({ prompt: [user("Hello there")] });
    expect(content).toMatchObject([{ type: "text", text: expect.stringContaining("Hello there") }]);
    expect(finishReason.unified).toBe("stop");
    const { parts, text } = await streamed({ prompt: [user("Hello stream, in words")] });
    expect(text).toContain("Hello stream, in words");
    expect(parts.at(-1)).toMatchObject({ type: "finish", finishReason: { unified: "stop" } });
  });

  test("has a function called and goes on; later it names by their ids what was said", async () => {
    const tools: Options["tools"] = [
      { type: "function", name: "open_gate", inputSchema: { type: "object", properties: {} } },
    ];
    const question = user(CALL);
    const { parts } = await streamed({ prompt: [question], tools });
    const call = parts.find((part) => part.type === "tool-call");
    if (call?.type !== "tool-call") throw new Error("no function was called");
    const { toolCallId, toolName, providerMetadata } = call;
    const called: Options["prompt"] = [
      question,
      {
        role: "assistant",
        content: [
          {
            ...{ type: "tool-call", toolCallId, toolName, input: JSON.parse(call.input) },
            ...(providerMetadata && { providerOptions: providerMetadata }),
          },
        ],
      },
      {
        role: "tool",
        content: [
          { type: "tool-result", toolCallId, toolName, output: { type: "text", value: "it is open" } },
        ],
      },
    ];
    const { content } = await aiModel().doGenerate({ prompt: called, tools });
    const [answer] = content;
    if (answer?.type !== "text") throw new Error("the run did not answer");
    expect(answer.text).toContain("it is open");
    const spoken: Options["prompt"] = [
      ...called,
      {
        role: "assistant",
        content: [
          {
            ...{ type: "text", text: answer.text },
            ...(answer.providerMetadata && { providerOptions: answer.providerMetadata }),
          },
        ],
      },
      user("and now?"),
    ];
    const last = await streamed({ prompt: spoken, tools });
    expect(last.text).toContain("and now?");
    const begun = last.parts.find((part) => part.type === "response-metadata");
    const [, , session_id, run_id] = JSON.parse(
      Buffer.from((begun?.id ?? "").slice("resp_".length), "base64url").toString(),
    );
    const maria = clientOf(platform.url, platform.token("maria", everyRun));
    const { json } = await maria.get(`/agents/assistant/runs/${run_id}?session_id=${session_id}`);
    const seen: { role: string; content: string }[] = json.messages;
    expect(seen.filter(({ role }) => role !== "system").map(({ role, content }) => [role, content])).toEqual([
      ["user", CALL],
      ["assistant", ""],
      ["tool", "it is open"],
      ["assistant", answer.text],
      ["user", "and now?"],
      ["assistant", last.text],
    ]);
  });
});
