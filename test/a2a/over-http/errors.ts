import { describe, expect, test } from "vitest";
import { type A2aWorld, assistant, messageOf, rest, rpc, send } from "../../support/a2a-world.ts";

export function errorChecks(world: () => A2aWorld): void {
  const raw = (path: string, body: string, headers: Record<string, string>) =>
    fetch(world().url + path, {
      method: "POST",
      headers: { authorization: `Bearer ${world().token("maria")}`, ...headers },
      body,
    }).then(async (response) => ({
      status: response.status,
      headers: response.headers,
      json: await response.json(),
    }));

  describe("a message that is none", () => {
    test.each([
      ["no parts", { parts: [] }],
      ["a part of two kinds", { parts: [{ text: "a", url: "https://example.com" }] }],
      ["a part of no kind", { parts: [{}] }],
      ["a part that is nothing", { parts: [null] }],
      ["bytes that are no text", { parts: [{ raw: { a: 1 } }] }],
      ["bytes that are not base64", { parts: [{ raw: "#!", mediaType: "image/png" }] }],
      ["a text that is none", { parts: [{ text: {} }] }],
      ["a context that is no text", { contextId: {} }],
      ["no id", { messageId: undefined }],
      ["the role of an agent", { role: "ROLE_AGENT" }],
      ["a link that is none", { parts: [{ url: "file:///etc/passwd" }] }],
      ["an empty file", { parts: [{ raw: "", mediaType: "text/plain", filename: "a.txt" }] }],
    ])("is refused by both bindings: %s", async (_what, changed) => {
      const contextId = crypto.randomUUID();
      const message = { ...messageOf("hello", { contextId }), ...changed };
      const { maria } = world();
      const byHttp = await rest(maria, "POST", `${assistant}/v1/message:send`, { json: { message } });
      expect(byHttp).toMatchObject({
        status: 400,
        json: { error: { details: [{ reason: "INVALID_PARAMS" }] } },
      });
      const byCall = await rpc(maria, assistant, "SendMessage", { message });
      expect(byCall).toMatchObject({
        status: 200,
        json: { error: { code: -32602, data: [{ reason: "INVALID_PARAMS" }] } },
      });
      expect((await maria.get(`/agents/assistant/runs?session_id=${contextId}`)).status).toBe(404);
    });
  });

  test.each([{}, { id: 7 }, { id: "" }, { id: null }, undefined])(
    "a task that is asked for by %j is a call with invalid parameters",
    async (params) => {
      for (const method of ["tasks/get", "tasks/cancel", "tasks/resubscribe", "GetTask", "CancelTask"]) {
        const { status, json } = await rpc(world().maria, assistant, method, params);
        expect([method, status, json.error?.code]).toEqual([method, 200, -32602]);
      }
    },
  );

  test("the HTTP binding of 0.3 reads the names of JSON and of protocol buffers", async () => {
    const { maria } = world();
    const say = (message: object) =>
      maria.post(`${assistant}/v1/message:send`, {
        json: { message: { role: "ROLE_USER", content: [{ text: "hello" }], ...message } },
      });
    const first = await say({ message_id: "m-1", context_id: "spelled" });
    expect([first.status, first.json.task.contextId]).toEqual([200, "spelled"]);
    // A task that has ended takes no message: the id was read.
    const second = await say({ messageId: "m-2", task_id: first.json.task.id });
    expect(second.status).not.toBe(200);
  });

  const file = (bytes: string) => ({ kind: "file", file: { bytes, mimeType: "image/png" } });
  test.each([
    ["bytes that are not base64", [file("###")]],
    ["a text that is not there", [{ kind: "text" }]],
  ])("a message of 0.3 or of the envelope with %s is refused", async (_what, parts) => {
    const { maria } = world();
    const message = { messageId: "m", role: "user", kind: "message", parts };
    expect((await rpc(maria, assistant, "message/send", { message })).json.error?.code).toBe(-32602);
    const json = { id: "q", params: { message } };
    expect((await maria.post(`${assistant}/v1/message:send`, { json })).status).toBe(400);
  });

  test("bytes that are not base64 are refused by the HTTP binding of 0.3", async () => {
    const content = [{ file: { fileWithBytes: "#!", mimeType: "image/png" } }];
    const json = { message: { messageId: "m", role: "ROLE_USER", content } };
    expect((await world().maria.post(`${assistant}/v1/message:send`, { json })).status).toBe(400);
  });

  test("a client that takes none of the media types of the answer gets an error, and nothing runs", async () => {
    const { maria } = world();
    const contextId = crypto.randomUUID();
    const asked = (acceptedOutputModes: string[]) =>
      send(maria, assistant, "hi", { message: { contextId }, configuration: { acceptedOutputModes } });
    const refused = await asked(["image/png"]);
    expect(refused).toMatchObject({
      status: 415,
      json: { error: { details: [{ reason: "CONTENT_TYPE_NOT_SUPPORTED" }] } },
    });
    expect((await maria.get(`/agents/assistant/runs?session_id=${contextId}`)).status).toBe(404);
    expect((await asked(["image/png", "text/*"])).status).toBe(200);
  });

  test("a message of 0.3 that its codecs fail at is refused in our words", async () => {
    const parts = [{ kind: "file", file: null }];
    const message = { kind: "message", messageId: "m", role: "user", parts };
    const { json } = await rpc(world().maria, assistant, "message/send", { message });
    expect(json.error).toMatchObject({ code: -32602, message: "the parameters cannot be read" });
  });

  describe("the versions", () => {
    test("are compared by their first two numbers", async () => {
      const patched = await send(world().maria, assistant, "hi", { headers: { "a2a-version": "1.0.1" } });
      expect(patched.status).toBe(200);
      const future = await send(world().maria, assistant, "hi", { headers: { "a2a-version": "9.9" } });
      expect(future).toMatchObject({
        status: 400,
        json: { error: { details: [{ reason: "VERSION_NOT_SUPPORTED" }] } },
      });
      const called = (version: string) =>
        world().maria.post(assistant, {
          json: { jsonrpc: "2.0", id: 1, method: "GetTask", params: { id: "x" } },
          headers: { "a2a-version": version },
        });
      expect(await called("1.0.1")).toMatchObject({ status: 200, json: { error: { code: -32001 } } });
      expect(await called("9.9")).toMatchObject({ status: 200, json: { error: { code: -32009 } } });
    });
  });

  describe("content types", () => {
    const reason = "CONTENT_TYPE_NOT_SUPPORTED";
    test.each([
      ["/v1/message:send", { error: { code: 415, details: [{ reason }] } }],
      ["", { jsonrpc: "2.0", id: null, error: { code: -32005, data: [{ reason }] } }],
    ])("other than JSON are refused in the words of the binding at %j", async (path, json) => {
      const body = JSON.stringify({ message: messageOf("hi") });
      const headers = { "content-type": "text/plain", "a2a-version": "1.0" };
      expect(await raw(assistant + path, body, headers)).toMatchObject({ status: 415, json });
    });

    test("are those that the reader asks for", async () => {
      const type = async (accept: string) =>
        (
          await send(world().maria, assistant, "hi", {
            headers: { accept, "content-type": "application/a2a+json" },
          })
        ).headers.get("content-type");
      expect(await type("application/a2a+json, application/json")).toBe("application/a2a+json");
      expect(await type("*/*")).toBe("application/json");
    });
  });

  describe("a call of JSON-RPC", () => {
    test.each([
      ["no JSON", '{"jsonrpc":', -32700, null],
      ["several calls at once", "[]", -32600, null],
      ["another version of JSON-RPC", '{"jsonrpc":"1.0","id":4,"method":"GetTask"}', -32600, 4],
      ["an id that is an object", '{"jsonrpc":"2.0","id":{},"method":"GetTask"}', -32600, null],
      ["an unknown method", '{"jsonrpc":"2.0","id":"a","method":"DoIt","params":{}}', -32601, "a"],
      ["an unknown method without parameters", '{"jsonrpc":"2.0","id":"a","method":"tasks/do"}', -32601, "a"],
      ["no parameters", '{"jsonrpc":"2.0","id":"a","method":"GetTask"}', -32602, "a"],
    ])("with %s is refused inside a 200", async (_what, body, code, id) => {
      const answer = await raw(assistant, body, { "content-type": "application/json" });
      expect(answer).toMatchObject({ status: 200, json: { jsonrpc: "2.0", id, error: { code } } });
    });

    test("names its reason in a list", async () => {
      const { json } = await rpc(world().maria, assistant, "GetTask", { id: "unknown" });
      expect(json.error).toEqual({
        code: -32001,
        message: expect.any(String),
        data: [
          {
            "@type": "type.googleapis.com/google.rpc.ErrorInfo",
            reason: "TASK_NOT_FOUND",
            domain: "a2a-protocol.org",
          },
        ],
      });
    });
  });

  describe("where a client wants to be notified", () => {
    const config = { id: "c", url: "https://example.com/hook" };
    test.each([
      ["POST", "/v1/tasks/x/pushNotificationConfigs", config],
      ["GET", "/v1/tasks/x/pushNotificationConfigs", undefined],
      ["GET", "/v1/tasks/x/pushNotificationConfigs/c", undefined],
      ["DELETE", "/v1/tasks/x/pushNotificationConfigs/c", undefined],
    ])("is about a task that is there: %s %s", async (method, path, json) => {
      const answer = await rest(world().maria, method, assistant + path, json && { json });
      expect(answer).toMatchObject({
        status: 404,
        json: { error: { code: 404, details: [{ reason: "TASK_NOT_FOUND" }] } },
      });
    });

    test.each([
      ["inside", { url: "http://127.0.0.1:9/hook" }],
      ["without TLS", { url: "http://example.com/hook" }],
      ["no address", { url: "hook" }],
      ["with a credential in it", { url: "https://a:b@example.com/hook" }],
      ["and a token that no header holds", { ...config, token: "a\nb" }],
      ["and a scheme that is none", { ...config, authentication: { scheme: "a b", credentials: "c" } }],
    ])("is refused before anything runs: %s", async (_what, taskPushNotificationConfig) => {
      const sent = await send(world().maria, assistant, "hi", {
        configuration: { taskPushNotificationConfig },
      });
      expect(sent.status).toBe(400);
    });
  });
}
