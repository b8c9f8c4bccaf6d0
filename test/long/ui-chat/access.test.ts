import { describe, expect } from "vitest";
import { type Client, clientOf } from "../../support/client.ts";
import type { RunningPlatform } from "../../support/platform.ts";
import { test } from "../../support/shared-platform.ts";

let platform: RunningPlatform;
test.beforeAll(({ platform: shared }) => {
  platform = shared;
});
const clientFor = (user: string, scopes = ["agents:run"]) =>
  clientOf(platform.url, platform.token(user, scopes));

const said = (text: string) => [{ id: "m1", role: "user", parts: [{ type: "text", text }] }];
const chatOf = async (client: Client, text: string, of = "assistant") => {
  const id = crypto.randomUUID();
  const { status, text: stream } = await client.post(`/agents/${of}/chat`, {
    json: { id, messages: said(text) },
  });
  expect(status).toBe(200);
  return { id, stream, at: `/agents/${of}/chat/${id}` };
};

describe("a chat", () => {
  test("is a stream of the AI SDK, and idle afterwards", async () => {
    const maria = clientFor("maria");
    const response = await maria.send("POST", "/agents/assistant/chat", {
      json: { id: crypto.randomUUID(), messages: said("Hello") },
    });
    expect(response.headers.get("x-vercel-ai-ui-message-stream")).toBe("v1");
    expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
    expect((await response.text()).endsWith("data: [DONE]\n\n")).toBe(true);
    const { at } = await chatOf(maria, "Hello");
    expect((await maria.get(`${at}/stream`)).status).toBe(204);
    expect((await maria.get(`/agents/assistant/chat/${crypto.randomUUID()}/stream`)).status).toBe(204);
  });

  test("of another user is not found, whatever is asked of it", async () => {
    const { id, at, stream } = await chatOf(
      clientFor("maria"),
      '[[tool:issue_refund {"order_id":"7","amount":3}]]',
      "refund-desk",
    );
    const other = clientFor("paul");
    const [, approvalId] = /"approvalId":"([^"]+)"/.exec(stream) ?? [];
    const [, toolCallId] = /"toolCallId":"([^"]+)"/.exec(stream) ?? [];
    const part = { type: "dynamic-tool", toolName: "issue_refund", toolCallId, state: "approval-responded" };
    const parts = [{ ...part, approval: { id: approvalId, approved: true } }];
    const answers = [
      await other.get(at),
      await other.get(`${at}/stream`),
      await other.post(`${at}/stop`),
      await other.post("/agents/refund-desk/chat", { json: { id, messages: said("Hello") } }),
      await other.post("/agents/refund-desk/chat", {
        json: { id, messages: said("Hello"), trigger: "regenerate-message" },
      }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    for (const { text } of answers) expect(text).not.toContain("issue_refund");
    const decided = await other.post("/agents/refund-desk/chat", {
      json: { id, messages: [{ id: "a", role: "assistant", parts }] },
    });
    expect(decided.status).toBe(422);
    const [, waiting] = (await clientFor("maria").get(at)).json;
    expect(waiting.metadata.status).toBe("PAUSED");
  });

  test("is that of one component, and needs the scope to run it", async () => {
    const { id, at } = await chatOf(clientFor("maria"), "Hello");
    expect((await clientFor("maria").get(`/agents/refund-desk/chat/${id}`)).status).toBe(404);
    expect((await clientFor("maria", ["agents:read"]).get(at)).status).toBe(403);
    expect((await clientOf(platform.url).get(at)).status).toBe(401);
  });

  test("asks an approval of who may give it; others are shown that it waits", async () => {
    const text = '[[tool:close_account {"account":"K-7"}]]';
    const { stream, at } = await chatOf(clientFor("maria"), text, "account-desk");
    expect(stream).not.toContain("tool-approval-request");
    expect(stream).toContain('"type":"data-interrupt"');
    const [, shown] = (await clientFor("maria").get(at)).json;
    expect(shown.parts.at(-1)).toMatchObject({ type: "data-interrupt", data: { reason: "approval" } });
  });

  test("is answered once: a decision that comes again is refused", async () => {
    const maria = clientFor("maria");
    const text = '[[tool:issue_refund {"order_id":"7","amount":3}]]';
    const { id, at } = await chatOf(maria, text, "refund-desk");
    const [, waiting] = (await maria.get(at)).json;
    const parts = waiting.parts.map((part: { approval?: object }) =>
      part.approval
        ? { ...part, state: "approval-responded", approval: { ...part.approval, approved: true } }
        : part,
    );
    const json = { id, messages: [{ ...waiting, parts }] };
    const answers = await Promise.all([
      maria.post("/agents/refund-desk/chat", { json }),
      maria.post("/agents/refund-desk/chat", { json }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await maria.get(at)).json).toHaveLength(2);
  });

  test("refuses what it cannot do as asked", async () => {
    const maria = clientFor("maria");
    const { id } = await chatOf(maria, "Hello");
    const edited = { id, messages: said("Hello again"), messageId: "m1" };
    const empty = { id, messages: [{ id: "m2", role: "user", parts: [] }] };
    const nothing = { id, messages: [{ id: "m2", role: "assistant", parts: [{ type: "text", text: "a" }] }] };
    for (const json of [edited, empty, nothing, { id, messages: [] }])
      expect((await maria.post("/agents/assistant/chat", { json })).status).toBe(422);
  });

  test("that repeats a message in the background follows the run that it began", async () => {
    const maria = clientFor("maria");
    const json = { id: crypto.randomUUID(), messages: said("Hello background"), background: true };
    const [first, second] = [
      await maria.post("/agents/assistant/chat", { json }),
      await maria.post("/agents/assistant/chat", { json }),
    ];
    expect([first.status, second.status]).toEqual([200, 200]);
    const { json: messages } = await maria.get(`/agents/assistant/chat/${json.id}`);
    expect(messages).toHaveLength(2);
    expect(second.text).toContain(messages[1].id);
  });
});
