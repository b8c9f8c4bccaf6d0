import OpenAI, { BadRequestError, ConflictError, NotFoundError, PermissionDeniedError } from "openai";
import type { ResponseInput, Tool } from "openai/resources/responses/responses";
import { describe, expect } from "vitest";
import { clientOf } from "../../support/client.ts";
import type { RunningPlatform } from "../../support/platform.ts";
import { test } from "../../support/shared-platform.ts";

let platform: RunningPlatform;
test.beforeAll(({ platform: shared }) => {
  platform = shared;
});

const everyRun = ["agents:read", "agents:run", "teams:run", "workflows:run"];
const clientFor = (user = "maria", scopes: readonly string[] = everyRun) =>
  new OpenAI({ apiKey: platform.token(user, scopes), baseURL: `${platform.url}/v1`, maxRetries: 0 });
const model = "agent:assistant";
const openGate: Tool = {
  ...{ type: "function", name: "open_gate", strict: false, description: "Opens a gate." },
  parameters: { type: "object", properties: { gate: { type: "string" } } },
};
const CALL = '[[tool:open_gate {"gate":"north"}]]';

async function ended(client: OpenAI, id: string) {
  const statusOf = async () => (await client.responses.retrieve(id)).status;
  await expect.poll(statusOf, { timeout: 20_000 }).not.toMatch(/queued|in_progress/);
  return client.responses.retrieve(id);
}

describe("a response", () => {
  test("is waited for, read again, and has what it used", async () => {
    const client = clientFor();
    const metadata = { tenant: "a" };
    const made = await client.responses.create({ model, input: "Hello there", metadata });
    expect(made).toMatchObject({ object: "response", status: "completed", error: null, metadata });
    expect(made.output_text).toContain("Hello there");
    expect(made.usage?.output_tokens).toBeGreaterThan(0);
    const again = await client.responses.retrieve(made.id);
    expect(again.output).toEqual(made.output);
  });

  test("in the background is queued, and completes without its client", async () => {
    const client = clientFor();
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const asked = { model, input: "Hello queue", background: true };
    const queued = await client.responses.create(asked, { headers });
    expect(queued).toMatchObject({ background: true, status: expect.stringMatching(/queued|in_progress/) });
    const same = await client.responses.create(asked, { headers });
    expect(same.id).toBe(queued.id);
    const done = await ended(client, queued.id);
    expect(done.status).toBe("completed");
    expect(done.output_text).toContain("Hello queue");
  });

  test("in the background is cancelled", async () => {
    const client = clientFor();
    const { id } = await client.responses.create({ model, input: "[[sleep:20000]] long", background: true });
    await client.responses.cancel(id);
    expect((await ended(client, id)).status).toBe("cancelled");
  });

  test("of a run that failed says why", async () => {
    const client = clientFor();
    const failed = await client.responses.create({ model, input: "[[fail:the model is broken]]" });
    expect(failed).toMatchObject({ status: "failed", error: { code: "server_error" } });
  });

  test("shows the tools that were called here", async () => {
    const { output, output_text } = await clientFor().responses.create({
      ...{ model, input: '[[tool:add_numbers {"a":2,"b":3}]]' },
    });
    const shown = { type: "mcp_call", name: "add_numbers", server_label: "assistant", output: "5" };
    expect(output[0]).toMatchObject(shown);
    expect(output_text).toContain("5");
  });

  test("is parsed by the client's schema", async () => {
    const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
    const { output_parsed } = await clientFor().responses.parse({
      model,
      input: '[[answer:{"city":"Bern"}]]',
      text: { format: { type: "json_schema", name: "place", strict: false, schema } },
    });
    expect(output_parsed).toEqual({ city: "Bern" });
  });
});

describe("a conversation", () => {
  const historyOf = async (id: string) => {
    const [kind, component, session, run] = JSON.parse(
      Buffer.from(id.slice("resp_".length), "base64url").toString(),
    );
    const maria = clientOf(platform.url, platform.token("maria", everyRun));
    const { json } = await maria.get(`/${kind}s/${component}/runs/${run}?session_id=${session}`);
    const messages: { role: string; content?: string }[] = json.messages;
    return { session, said: messages.map(({ role, content }) => [role, content]) };
  };

  test("goes further from its last response, and by its own id", async () => {
    const client = clientFor();
    const first = await client.responses.create({ model, input: "one" });
    const second = await client.responses.create({ model, input: "two", previous_response_id: first.id });
    expect(second.previous_response_id).toBe(first.id);
    const conversation = second.conversation?.id ?? "";
    const third = await client.responses.create({ model, input: "three", conversation });
    const { session } = await historyOf(third.id);
    expect(session).toBe(conversation);
    expect((await historyOf(first.id)).session).toBe(conversation);
  });

  test("is forked at an older response, and the first one stays as it is", async () => {
    const client = clientFor();
    const first = await client.responses.create({ model, input: "one" });
    const second = await client.responses.create({ model, input: "two", previous_response_id: first.id });
    const other = await client.responses.create({ model, input: "other", previous_response_id: first.id });
    expect(other.conversation?.id).not.toBe(first.conversation?.id);
    const further = await client.responses.create({ model, input: "three", previous_response_id: second.id });
    expect(further.conversation?.id).toBe(first.conversation?.id);
    const maria = clientOf(platform.url, platform.token("maria", everyRun));
    const inputsOf = async (session = "") => {
      const { json } = await maria.get(`/agents/assistant/runs?session_id=${session}`);
      return (json.data ?? json)
        .map(({ run_input }: { run_input: unknown }) => JSON.stringify(run_input))
        .sort();
    };
    expect(await inputsOf(other.conversation?.id)).toHaveLength(2);
    expect(await inputsOf(first.conversation?.id)).toHaveLength(3);
  });

  test("that the client keeps itself is what the model sees; instructions are its own", async () => {
    const { id, instructions } = await clientFor().responses.create({
      model,
      instructions: "Speak like a sailor.",
      input: [
        { role: "user", content: "an earlier question" },
        { role: "assistant", content: "an earlier answer" },
        { role: "user", content: "now" },
      ],
    });
    expect(instructions).toBe("Speak like a sailor.");
    const { said } = await historyOf(id);
    expect(said[0]?.[1]).toContain("Speak like a sailor.");
    expect(said.slice(1, 4)).toEqual([
      ["user", "an earlier question"],
      ["assistant", "an earlier answer"],
      ["user", "now"],
    ]);
  });
});

describe("a response that is there", () => {
  test("shows what it was asked, page by page", async () => {
    const client = clientFor();
    const url = "https://example.com/a.png";
    const { id } = await client.responses.create({
      model,
      input: [
        { role: "user", content: "an earlier question" },
        { role: "assistant", content: "an earlier answer" },
        {
          role: "user",
          content: [
            { type: "input_text", text: "now" },
            { type: "input_image", image_url: url, detail: "auto" },
          ],
        },
      ],
    });
    const items = [];
    for await (const item of client.responses.inputItems.list(id, { limit: 2, order: "asc" }))
      items.push(item);
    const said = (role: string, type: string, text: string) => ({ role, content: [{ type, text }] });
    expect(items).toMatchObject([
      said("user", "input_text", "an earlier question"),
      said("assistant", "output_text", "an earlier answer"),
      {
        ...{ type: "message", role: "user" },
        content: [
          { type: "input_text", text: "now" },
          { type: "input_image", image_url: url },
        ],
      },
    ]);
    const newest = await client.responses.inputItems.list(id, { limit: 1 });
    expect(newest.data).toEqual(items.slice(-1));
    const unknown = client.responses.inputItems.list(id, { after: "in_none" });
    await expect(unknown).rejects.toMatchObject({ status: 400, param: "after" });
    await expect(clientFor("anna").responses.inputItems.list(id)).rejects.toBeInstanceOf(NotFoundError);
  });

  test("is deleted where it is the whole of its conversation", async () => {
    const client = clientFor("maria", [...everyRun, "sessions:delete"]);
    const first = await client.responses.create({ model, input: "one" });
    await expect(clientFor().responses.delete(first.id)).rejects.toBeInstanceOf(PermissionDeniedError);
    const anna = clientFor("anna", [...everyRun, "sessions:delete"]);
    await expect(anna.responses.delete(first.id)).rejects.toBeInstanceOf(NotFoundError);
    const other = await client.responses.create({ model, input: "two" });
    await client.responses.create({ model, input: "three", previous_response_id: other.id });
    await expect(client.responses.delete(other.id)).rejects.toBeInstanceOf(ConflictError);
    await client.responses.delete(first.id);
    await expect(client.responses.retrieve(first.id)).rejects.toBeInstanceOf(NotFoundError);
    await expect(client.responses.delete(first.id)).rejects.toBeInstanceOf(NotFoundError);
    expect((await client.responses.retrieve(other.id)).status).toBe("completed");
  });
});

describe("what a run waits for", () => {
  test("is a function of the client: its result continues the run", async () => {
    const client = clientFor();
    const first = await client.responses.create({ model, input: CALL, tools: [openGate] });
    const [call] = first.output;
    if (call?.type !== "function_call") throw new Error("no function was called");
    expect(call).toMatchObject({ name: "open_gate", arguments: '{"gate":"north"}' });
    const answer = (call_id: string): ResponseInput => [
      { type: "function_call_output", call_id, output: "it is open" },
    ];
    const previous_response_id = first.id;
    const asked = { model, tools: [openGate], previous_response_id };
    const unanswered = client.responses.create({ ...asked, input: "something else" });
    await expect(unanswered).rejects.toBeInstanceOf(BadRequestError);
    const unknown = client.responses.create({ ...asked, input: answer("call_none") });
    await expect(unknown).rejects.toMatchObject({ status: 400, param: "input" });
    const second = await client.responses.create({ ...asked, input: answer(call.call_id) });
    expect(second.output_text).toContain("it is open");
    const again = client.responses.create({ ...asked, input: answer(call.call_id) });
    await expect(again).rejects.toBeInstanceOf(BadRequestError);
  });

  test.each([true, false])("is a confirmation, which the client gives (yes: %s)", async (approve) => {
    const client = clientFor();
    const desk = "agent:refund-desk";
    const input = '[[tool:issue_refund {"order_id":"7","amount":3}]]';
    const first = await client.responses.create({ model: desk, input, background: true });
    const asking = await ended(client, first.id);
    const [asked] = asking.output;
    if (asked?.type !== "mcp_approval_request") throw new Error("nothing was asked");
    expect(asked).toMatchObject({ name: "issue_refund", server_label: "refund-desk" });
    const continued = await client.responses.create({
      model: desk,
      previous_response_id: first.id,
      input: [{ type: "mcp_approval_response", approval_request_id: asked.id, approve, reason: "as agreed" }],
    });
    const second = await ended(client, continued.id);
    expect(second.status).toBe("completed");
    if (approve) expect(JSON.stringify(second.output)).toContain("Refunded 3 for order 7.");
    else expect(JSON.stringify(second.output)).not.toContain("Refunded 3");
  });

  test("is another person's decision: said with the place where it is made", async () => {
    const input = '[[tool:pay_invoice {"invoice_id":"7","amount":3}]]';
    const { output, output_text } = await clientFor().responses.create({ model: "agent:front-desk", input });
    expect(output.map(({ type }) => type)).toEqual(["message"]);
    expect(output_text).toContain("/console");
  });
});

describe("a refusal of a response", () => {
  test.each([
    ["store", { background: true, store: false }],
    ["prompt", { prompt: { id: "p" } }],
    ["conversation", { conversation: "c", previous_response_id: "resp_x" }],
    ["tool_choice", { tool_choice: "required" }],
    ["tools[0].type", { tools: [{ type: "web_search" }] }],
    ["tool_choice", { tool_choice: { type: "function", name: "open_gate" } }],
    [
      "tools[1].type",
      { tools: [openGate, { type: "mcp", server_label: "s", server_url: "https://a.example" }] },
    ],
    ["input", { input: [{ role: "user", content: [{ type: "input_image", file_id: "f" }] }] }],
  ])("names the parameter %s", async (param, body) => {
    const made = clientFor().responses.create({ model, input: "Hello", ...body } as never);
    await expect(made).rejects.toMatchObject({ status: 400, param });
  });

  test.each([
    ["temperature", 0.1],
    ["top_p", 0.5],
    ["max_output_tokens", 2],
    ["reasoning", { effort: "low", summary: "auto" }],
    ["truncation", "auto"],
    ["service_tier", "flex"],
    ["user", "u-1"],
    ["safety_identifier", "hashed-1"],
  ])("is not made for %s, which changes nothing and is said again", async (name, value) => {
    const client = clientFor();
    const asked = { model, input: "Hello there, in words", [name]: value };
    const made = await client.responses.create(asked as never);
    const said = { status: "completed", output_text: "You said: Hello there, in words", [name]: value };
    expect(made).toMatchObject({ ...said, metadata: {} });
    expect(await client.responses.retrieve((made as { id: string }).id)).toMatchObject(said);
  });

  test("is not made for what else a client sends, in no form at all either", async () => {
    const tolerated = {
      ...{ include: ["reasoning.encrypted_content"], store: false, tool_choice: "none", tools: [] },
      ...{ prompt_cache_key: "k", top_logprobs: 0, max_tool_calls: 3, stop: ["x"], presence_penalty: 1 },
      ...{ temperature: "hot", reasoning: "much", user: "u".repeat(1_000) },
    };
    const stream = clientFor().responses.stream({ model, input: "Hello", ...tolerated } as never);
    const made = await stream.finalResponse();
    expect(made).toMatchObject({ status: "completed", output_text: "You said: Hello", metadata: {} });
    for (const name of ["temperature", "reasoning", "user"]) expect(made).not.toHaveProperty(name);
  });

  test("of another user's response is that of one that is not there", async () => {
    const { id } = await clientFor().responses.create({ model, input: "mine" });
    const anna = clientFor("anna");
    await expect(anna.responses.retrieve(id)).rejects.toBeInstanceOf(NotFoundError);
    await expect(anna.responses.cancel(id)).rejects.toBeInstanceOf(NotFoundError);
    const further = anna.responses.create({ model, input: "x", previous_response_id: id });
    await expect(further).rejects.toBeInstanceOf(NotFoundError);
    await expect(anna.responses.retrieve("resp_none")).rejects.toBeInstanceOf(NotFoundError);
    const without = clientFor("maria", ["teams:run"]);
    await expect(without.responses.retrieve(id)).rejects.toBeInstanceOf(PermissionDeniedError);
  });
});
