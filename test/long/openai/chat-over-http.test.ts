import OpenAI, {
  APIError,
  AuthenticationError,
  BadRequestError,
  NotFoundError,
  PermissionDeniedError,
} from "openai";
import type { ChatCompletionMessageParam, ChatCompletionTool } from "openai/resources";
import { describe, expect } from "vitest";
import { clientOf } from "../../support/client.ts";
import type { RunningPlatform } from "../../support/platform.ts";
import { test } from "../../support/shared-platform.ts";

let platform: RunningPlatform;
test.beforeAll(({ platform: shared }) => {
  platform = shared;
});

const everyRun = ["agents:read", "agents:run", "teams:run", "workflows:run"];
const clientFor = (scopes: readonly string[] = everyRun, maxRetries = 0) =>
  new OpenAI({ apiKey: platform.token("maria", scopes), baseURL: `${platform.url}/v1`, maxRetries });
const inSession = () => ({ headers: { "X-Session-Id": `openai-${crypto.randomUUID()}` } });
const user = (content: string): ChatCompletionMessageParam => ({ role: "user", content });
const ask = (content: string, model = "agent:assistant") => ({ model, messages: [user(content)] });
const openGate: ChatCompletionTool = {
  type: "function",
  function: { name: "open_gate", parameters: { type: "object", properties: { gate: { type: "string" } } } },
};
const CALL = '[[tool:open_gate {"gate":"north"}]]';

describe("a completion", () => {
  test("is waited for, with what it used", async () => {
    const answer = await clientFor().chat.completions.create(ask("Hello there"), inSession());
    expect(answer).toMatchObject({
      object: "chat.completion",
      model: "agent:assistant",
      choices: [
        {
          finish_reason: "stop",
          message: { role: "assistant", content: expect.stringContaining("Hello there") },
        },
      ],
    });
    const { usage } = answer;
    expect(usage?.total_tokens).toBe((usage?.prompt_tokens ?? 0) + (usage?.completion_tokens ?? 0));
    expect(usage?.completion_tokens).toBeGreaterThan(0);
  });

  test("is streamed: the same text in several chunks, and what it used last", async () => {
    const request = {
      ...ask("Hello there, in words"),
      stream: true,
      stream_options: { include_usage: true },
    } as const;
    const chunks = [];
    for await (const chunk of await clientFor().chat.completions.create(request, inSession()))
      chunks.push(chunk);
    const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("");
    expect(text).toContain("Hello there, in words");
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe("stop");
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: expect.any(Number) } });
  });

  test("has the whole that the helper of the client puts together", async () => {
    const stream = clientFor().chat.completions.stream(ask("Hello helper"), inSession());
    expect(await stream.finalContent()).toContain("Hello helper");
  });

  test("runs teams and workflows too, by their names or by an id alone", async () => {
    for (const model of ["team:support-team", "workflow:publish-report", "support-team"]) {
      const { choices } = await clientFor().chat.completions.create(ask("sea level", model), inSession());
      expect(choices[0]?.message.content).not.toBe("");
    }
  });

  test("has a tool of the agent executed here, and not shown", async () => {
    const request = ask('[[tool:add_numbers {"a":2,"b":3}]]');
    const { choices } = await clientFor().chat.completions.create(request, inSession());
    expect(choices[0]).toMatchObject({
      finish_reason: "stop",
      message: { content: expect.stringContaining("5") },
    });
    expect(choices[0]?.message.tool_calls).toBeUndefined();
  });

  test("fits a schema", async () => {
    const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
    const { choices } = await clientFor().chat.completions.create(
      {
        ...ask('[[answer:{"city":"Bern"}]]'),
        response_format: { type: "json_schema", json_schema: { name: "place", schema } },
      },
      inSession(),
    );
    expect(JSON.parse(choices[0]?.message.content ?? "")).toEqual({ city: "Bern" });
  });
});

describe("a function of the client", () => {
  test.each([false, true])(
    "is called, and its result continues the same run (streamed: %s)",
    async (isStreamed) => {
      const client = clientFor();
      const session = inSession();
      const completed = async (messages: ChatCompletionMessageParam[]) => {
        const request = { model: "agent:assistant", messages, tools: [openGate] };
        if (!isStreamed) return client.chat.completions.create(request, session);
        return client.chat.completions.stream(request, session).finalChatCompletion();
      };
      const first = await completed([user(CALL)]);
      expect(first.choices[0]?.finish_reason).toBe("tool_calls");
      const message = first.choices[0]?.message;
      const [call] = message?.tool_calls ?? [];
      if (!message || call?.type !== "function") throw new Error("there is no call of a function");
      expect(call.function).toMatchObject({ name: "open_gate" });
      expect(JSON.parse(call.function.arguments)).toEqual({ gate: "north" });
      const result = { role: "tool", tool_call_id: call.id, content: "it is open" } as const;
      const second = await completed([user(CALL), message, result]);
      expect(second.choices[0]).toMatchObject({
        finish_reason: "stop",
        message: { content: expect.stringContaining("it is open") },
      });
      expect(second.id).toBe(first.id);
      // Sent again, nothing waits for the result any more: it is a part of what was said.
      const third = await completed([
        user(CALL),
        message,
        result,
        second.choices[0]?.message ?? user(""),
        user("Thanks"),
      ]);
      expect(third.choices[0]?.message.content).toContain("Thanks");
      expect(third.id).not.toBe(first.id);
    },
  );

  test("of one user is not answered by another", async () => {
    const client = clientFor();
    const session = inSession();
    const request = { model: "agent:assistant", tools: [openGate] };
    const first = await client.chat.completions.create({ ...request, messages: [user(CALL)] }, session);
    const message = first.choices[0]?.message;
    const [call] = message?.tool_calls ?? [];
    if (!message || !call) throw new Error("there is no call");
    const result = { role: "tool", tool_call_id: call.id, content: "x" } as const;
    const anna = new OpenAI({
      ...{ apiKey: platform.token("anna", everyRun), baseURL: `${platform.url}/v1`, maxRetries: 0 },
    });
    // Another user's call is none: the list is asked anew, in a session of that user.
    const foreign = await anna.chat.completions.create({
      ...request,
      messages: [user(CALL), message, result, user("Hello from Anna")],
    });
    expect(foreign.choices[0]?.message.content).toContain("Hello from Anna");
    const mine = await client.chat.completions.create(
      { ...request, messages: [user(CALL), message, result] },
      session,
    );
    expect(mine.id).toBe(first.id);
  });
});

describe("the client's list", () => {
  test("is what the model sees, edited or not; system messages are instructions", async () => {
    const client = clientFor();
    const session = { headers: { "X-Session-Id": `openai-${crypto.randomUUID()}` } };
    await client.chat.completions.create(ask("the first question"), session);
    const edited: ChatCompletionMessageParam[] = [
      { role: "system", content: "Speak like a sailor." },
      user("an edited question"),
      { role: "assistant", content: "an edited answer" },
      user("the second question"),
    ];
    await client.chat.completions.create({ model: "agent:assistant", messages: edited }, session);
    const maria = clientOf(platform.url, platform.token("maria", everyRun));
    const { json } = await maria.get(`/agents/assistant/runs?session_id=${session.headers["X-Session-Id"]}`);
    const runs: { messages: { role: string; content?: string }[] }[] = json.data ?? json;
    const second = runs.find(({ messages }) =>
      messages.some(({ content }) => content === "the second question"),
    );
    const said = second?.messages.map(({ role, content }) => [role, content]) ?? [];
    expect(said[0]?.[0]).toBe("system");
    expect(said[0]?.[1]).toContain("Speak like a sailor.");
    expect(said.slice(1, -1)).toEqual([
      ["user", "an edited question"],
      ["assistant", "an edited answer"],
      ["user", "the second question"],
    ]);
  });

  test("is one session where it begins alike and names none", async () => {
    const client = clientFor();
    const begun = user(`begins ${crypto.randomUUID()}`);
    const first = await client.chat.completions.create({ model: "agent:assistant", messages: [begun] });
    const answer = first.choices[0]?.message;
    if (!answer) throw new Error("there is no answer");
    const second = await client.chat.completions.create({
      model: "agent:assistant",
      messages: [begun, answer, user("and then?")],
    });
    const sessionOf = ({ id }: { id: string }) =>
      JSON.parse(Buffer.from(id.slice("chatcmpl-".length), "base64url").toString())[2];
    expect(sessionOf(second)).toBe(sessionOf(first));
  });
});

describe("a pause for a person", () => {
  test.each([false, true])(
    "is said with the place where it is answered (streamed: %s)",
    async (isStreamed) => {
      const request = ask('[[tool:issue_refund {"order_id":"7","amount":3}]]', "agent:refund-desk");
      const client = clientFor();
      const answer = isStreamed
        ? await client.chat.completions.stream(request, inSession()).finalChatCompletion()
        : await client.chat.completions.create(request, inSession());
      expect(answer.choices[0]?.finish_reason).toBe("stop");
      expect(answer.choices[0]?.message.content).toContain("issue_refund");
      expect(answer.choices[0]?.message.content).toContain("/console");
    },
  );
});

describe("a refusal", () => {
  const refused = async (body: object, scopes?: readonly string[]) => {
    const request = { ...ask("Hello"), ...body } as OpenAI.ChatCompletionCreateParamsNonStreaming;
    const error = await clientFor(scopes)
      .chat.completions.create(request, inSession())
      .then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
    if (!(error instanceof APIError)) throw new Error("it was not refused as the interface does");
    return error;
  };

  test.each([
    ["n", { n: 2 }],
    ["logprobs", { logprobs: true }],
    ["audio", { audio: { voice: "a", format: "mp3" } }],
    ["modalities", { modalities: ["text", "audio"] }],
    ["tool_choice", { tool_choice: "required" }],
    ["tools[0].type", { tools: [{ type: "custom", custom: { name: "x" } }] }],
    ["functions", { functions: [{ name: "f" }] }],
    ["response_format", { response_format: { type: "grammar" } }],
    ["messages", { messages: [{ role: "system", content: "no question" }] }],
    ["messages[0].role", { messages: [{ role: "critic", content: "x" }] }],
  ])("names the parameter %s", async (param, body) => {
    const error = await refused(body);
    expect(error).toBeInstanceOf(BadRequestError);
    expect(error).toMatchObject({ status: 400, param, type: "invalid_request_error" });
  });

  test("is not made for what changes nothing", async () => {
    const tolerated = {
      ...{
        temperature: 0.2,
        top_p: 0.9,
        max_tokens: 5,
        stop: ["x"],
        user: "u",
        presence_penalty: 1,
        seed: 3,
      },
      ...{ frequency_penalty: 1, max_completion_tokens: 9, n: 1, parallel_tool_calls: true, store: true },
      ...{ metadata: { tenant: "a" }, service_tier: "auto", whatever: { is: "new" } },
    };
    const { choices } = await clientFor().chat.completions.create(
      { ...ask("Hello"), ...tolerated } as never,
      inSession(),
    );
    expect(choices[0]).toMatchObject({ message: { content: expect.stringContaining("Hello") } });
  });

  test("of a credential, of a scope and of a model has the classes of the client", async () => {
    const stranger = new OpenAI({ apiKey: "none", baseURL: `${platform.url}/v1`, maxRetries: 0 });
    await expect(stranger.chat.completions.create(ask("Hello"))).rejects.toBeInstanceOf(AuthenticationError);
    expect(await refused({}, ["teams:run"])).toBeInstanceOf(PermissionDeniedError);
    const unknown = await refused({ model: "agent:none-such" });
    expect(unknown).toBeInstanceOf(NotFoundError);
    expect(unknown).toMatchObject({ code: "model_not_found", param: "model", requestID: expect.any(String) });
    expect(await refused({ model: "none-such" })).toMatchObject({ code: "model_not_found" });
  });

  test("of a run that failed is not repeated by the client, streamed or not", async () => {
    const client = clientFor(everyRun, 2);
    const session = inSession();
    const request = ask("[[fail:the model is broken]]");
    const failed = await client.chat.completions.create(request, session).catch((error: unknown) => error);
    expect(failed).toMatchObject({ status: 500, type: "server_error" });
    const maria = clientOf(platform.url, platform.token("maria", everyRun));
    const { json } = await maria.get(`/agents/assistant/runs?session_id=${session.headers["X-Session-Id"]}`);
    expect(json.data ?? json).toHaveLength(1);
    const streamed = client.chat.completions.stream(request, inSession()).finalContent();
    await expect(streamed).rejects.toBeInstanceOf(APIError);
  });

  test("of another user's session is that of one that is not there", async () => {
    const session = inSession();
    await clientFor().chat.completions.create(ask("mine"), session);
    const anna = new OpenAI({
      apiKey: platform.token("anna", everyRun),
      baseURL: `${platform.url}/v1`,
      maxRetries: 0,
    });
    await expect(anna.chat.completions.create(ask("not mine"), session)).rejects.toBeInstanceOf(
      NotFoundError,
    );
  });
});

describe("the models", () => {
  test("are what the caller may run", async () => {
    const all = await clientFor().models.list();
    const ids = all.data.map(({ id }) => id);
    expect(ids).toEqual(
      expect.arrayContaining(["agent:assistant", "team:support-team", "workflow:publish-report"]),
    );
    const some = await clientFor(["agents:assistant:run"]).models.list();
    expect(some.data.map(({ id }) => id)).toEqual(["agent:assistant"]);
    const one = await clientFor().models.retrieve("agent:assistant");
    expect(one).toMatchObject({ id: "agent:assistant", object: "model" });
    expect(all.data[0]?.owned_by).toBe(one.owned_by);
    await expect(clientFor().models.retrieve("agent:none-such")).rejects.toBeInstanceOf(NotFoundError);
    await expect(clientFor(["teams:run"]).models.retrieve("agent:assistant")).rejects.toBeInstanceOf(
      PermissionDeniedError,
    );
  });
});
