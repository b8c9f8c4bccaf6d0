import { describe, expect, test } from "vitest";
import {
  type A2aWorld,
  assistant,
  envelopeOf,
  REFUND,
  refundDesk,
  team,
  workflow,
} from "../../support/a2a-world.ts";
import { type Client, framesOf } from "../../support/client.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const send = (client: Client, root: string, json: unknown) =>
  client.post(`${root}/v1/message:send`, { json });

async function streamed(client: Client, root: string, json: unknown) {
  const answer = await client.post(`${root}/v1/message:stream`, { json });
  expect(answer.status).toBe(200);
  const frames = framesIn(answer.text);
  return { answer, frames, results: frames.map(({ result }) => result) };
}

const framesIn = (text: string): Frame[] =>
  framesOf(text).map(({ event, data }) => ({ event, ...data }) as unknown as Frame); // as asserted below
// biome-ignore lint/suspicious/noExplicitAny: a test asserts the shape itself
type Frame = { event: string; id: unknown; jsonrpc: string; result: any };

export function envelopeChecks(world: () => A2aWorld): void {
  describe("the envelope dialect", () => {
    test.each(["q-7", 7])(
      "answers a message with its task, under the id %j that it came with",
      async (id) => {
        const { maria } = world();
        const answer = await send(maria, assistant, { ...envelopeOf("hello"), id });
        expect(answer.status).toBe(200);
        expect(answer.json).toEqual({
          id,
          jsonrpc: "2.0",
          result: {
            kind: "task",
            id: expect.stringMatching(uuid),
            contextId: expect.stringMatching(uuid),
            status: { state: "completed" },
            history: [
              {
                kind: "message",
                messageId: expect.any(String),
                role: "agent",
                contextId: answer.json.result.contextId,
                taskId: answer.json.result.id,
                parts: [{ kind: "text", text: "You said: hello" }],
                metadata: { userId: "maria" },
              },
            ],
          },
        });
        expect(answer.text).not.toContain("null");
      },
    );

    test("keeps a conversation in one context, and its tasks are runs", async () => {
      const { maria } = world();
      const contextId = `desk-${crypto.randomUUID()}`;
      const first = await send(maria, assistant, envelopeOf("one", { contextId }));
      const second = await send(maria, assistant, envelopeOf("two", { contextId }));
      expect([first, second].map(({ json }) => json.result.contextId)).toEqual([contextId, contextId]);
      const runs = await maria.get(`/agents/assistant/runs?session_id=${contextId}`);
      const ids = runs.json.map(({ run_id }: { run_id: string }) => run_id);
      expect(ids.sort()).toEqual([first, second].map(({ json }) => json.result.id).sort());
      const run = await maria.get(`/agents/assistant/runs/${second.json.result.id}?session_id=${contextId}`);
      const contents = run.json.messages.map(({ content }: { content: string }) => content);
      expect(contents).toContain("one");
    });

    test.each([
      ["no id", { id: undefined }],
      ["a method that is another's", { method: "message/stream" }],
      ["another version of the envelope", { jsonrpc: "1.0" }],
      ["no message", { params: {} }],
      ["no message id", envelopeOf("x", { messageId: undefined })],
      ["no parts", envelopeOf("x", { parts: undefined })],
      ["the role of an agent", envelopeOf("x", { role: "agent" })],
      ["a file that is neither here nor there", envelopeOf("x", { parts: [{ kind: "file", file: {} }] })],
    ])("refuses an envelope with %s by 400", async (_what, changed) => {
      const answer = await send(world().maria, assistant, { ...envelopeOf("hello"), ...changed });
      expect(answer.status).toBe(400);
      expect(answer.json).toEqual({ detail: expect.any(String), error_code: "BAD_REQUEST" });
    });

    test("refuses what is no JSON, or nested beyond reason, by 400", async () => {
      const headers = {
        authorization: `Bearer ${world().token("maria")}`,
        "content-type": "application/json",
      };
      const url = `${world().url}${assistant}/v1/message:send`;
      for (const body of ['{"id":', `{"id":${"[".repeat(20_000)}${"]".repeat(20_000)}}`]) {
        expect((await fetch(url, { method: "POST", headers, body })).status).toBe(400);
      }
    });

    test("hands texts, data and files to the run, in order and by their kind", async () => {
      const { maria } = world();
      const parts = [
        { kind: "text", text: "first" },
        { kind: "data", data: { a: 1 } },
        { kind: "text", text: "last" },
        { kind: "file", file: { uri: "https://example.com/a.png", mimeType: "image/png" } },
        {
          kind: "file",
          file: { bytes: Buffer.from("note").toString("base64"), mimeType: "text/plain", name: "n.txt" },
        },
      ];
      const { json } = await send(maria, assistant, envelopeOf("", { parts }));
      const { id, contextId } = json.result;
      const run = await maria.get(`/agents/assistant/runs/${id}?session_id=${contextId}`);
      expect(run.json.input).toMatchObject({
        input_content: 'first\n{"a":1}\nlast',
        images: [{ url: "https://example.com/a.png", mime_type: "image/png" }],
        files: [{ mime_type: "text/plain", filename: "n.txt" }],
      });
    });

    test("takes a message without parts as an empty input", async () => {
      const answer = await send(world().maria, assistant, envelopeOf("", { parts: [] }));
      expect(answer.status).toBe(200);
      expect(answer.json.result.status.state).toBe("completed");
    });

    test("answers 202 when it is not to wait, and the task is polled to its end", async () => {
      const { maria } = world();
      const asked = envelopeOf("[[sleep:400]] hello", {}, { configuration: { blocking: false } });
      const { status, json } = await send(maria, assistant, asked);
      expect(status).toBe(202);
      expect(["submitted", "working"]).toContain(json.result.status.state);
      const { id, contextId } = json.result;
      const poll = () =>
        maria.post(`${assistant}/v1/tasks:get`, { json: { id: 1, params: { id, contextId } } });
      await expect.poll(async () => (await poll()).json.result.status.state).toBe("completed");
      const polls = [await poll(), await poll()];
      expect(polls[0]?.json.result.history[0].parts).toEqual([{ kind: "text", text: "You said: hello" }]);
      expect(polls[1]?.json).toEqual(polls[0]?.json);
    });

    test("waits for a workflow in any case", async () => {
      const asked = envelopeOf("lights", {}, { configuration: { blocking: false } });
      const { status, json } = await send(world().maria, workflow, asked);
      // It waits for consent then, for which the dialect has no word.
      expect({ status, state: json.result.status.state }).toEqual({ status: 200, state: "working" });
    });

    test("shows a task to whom it belongs, of its component and in its context", async () => {
      const { maria, otto, admin } = world();
      const { id, contextId } = (await send(maria, assistant, envelopeOf("mine"))).json.result;
      const get = (client: Client, params: object, root = assistant) =>
        client.post(`${root}/v1/tasks:get`, { json: { params } });
      expect((await get(maria, { id, contextId })).json).toMatchObject({ id: "unknown", result: { id } });
      const statuses = await Promise.all([
        get(maria, { contextId }),
        get(maria, { id }),
        get(maria, { id: crypto.randomUUID(), contextId }),
        get(maria, { id, contextId: "elsewhere" }),
        get(maria, { id, contextId }, refundDesk),
        get(admin, { id, contextId }, team),
        get(otto, { id, contextId }),
      ]);
      expect(statuses.map(({ status }) => status)).toEqual([400, 400, 404, 404, 404, 404, 404]);
    });

    test("cancels a task, and says so", async () => {
      const { maria, otto } = world();
      const asked = envelopeOf("[[sleep:20000]]", {}, { configuration: { blocking: false } });
      const { id, contextId } = (await send(maria, assistant, asked)).json.result;
      const cancel = (client: Client, params: object) =>
        client.post(`${assistant}/v1/tasks:cancel`, { json: { id: 5, params } });
      expect((await cancel(otto, { id, contextId })).status).toBe(404);
      const untouched = await maria.poll({ run_id: id, session_id: contextId });
      expect(untouched.json.status).toMatch(/PENDING|RUNNING/);
      expect((await cancel(maria, { id })).status).toBe(400);
      expect((await cancel(maria, { id: crypto.randomUUID(), contextId })).status).toBe(404);
      expect((await cancel(maria, { id, contextId })).json).toEqual({
        id: 5,
        jsonrpc: "2.0",
        result: { kind: "task", id, contextId, status: { state: "canceled" } },
      });
      const run = await maria.settled({ run_id: id, session_id: contextId });
      expect(run.status).toBe("CANCELLED");
      const done = (await send(maria, assistant, envelopeOf("done"))).json.result;
      const late = await cancel(maria, { id: done.id, contextId: done.contextId });
      expect(late.json.result.status.state).toBe("completed");
    });

    test("sends a failed task as failed, by both ways", async () => {
      const { maria } = world();
      const { status, json } = await send(maria, assistant, envelopeOf("[[fail:no light]]"));
      expect({ status, state: json.result.status.state }).toEqual({ status: 200, state: "failed" });
      expect(json.result.history[0].parts[0].text).toContain("no light");
      const { results } = await streamed(maria, assistant, envelopeOf("[[fail:no light]]"));
      const [final, task] = results.slice(-2);
      expect(final).toMatchObject({ kind: "status-update", final: true, status: { state: "failed" } });
      expect(task).toMatchObject({ kind: "task", id: results[0].taskId, status: { state: "failed" } });
    });

    test("streams a task: at work, the answer in pieces, one final status, the task", async () => {
      const { answer, frames, results } = await streamed(
        world().maria,
        assistant,
        envelopeOf("[[tokens:40]]"),
      );
      expect(answer.headers.get("content-type")).toMatch(/^text\/event-stream/);
      expect(answer.headers.get("cache-control")).toBe("no-cache");
      expect(frames.every(({ id, jsonrpc }) => id === "q-1" && jsonrpc === "2.0")).toBe(true);
      expect(frames[0]).toMatchObject({
        event: "TaskStatusUpdateEvent",
        result: { kind: "status-update", status: { state: "working" }, final: false },
      });
      const chunks = frames.filter(({ event }) => event === "Message").map(({ result }) => result);
      expect(chunks.length).toBeGreaterThan(1);
      expect(new Set(chunks.map(({ messageId }) => messageId)).size).toBe(1);
      expect(chunks.every(({ metadata }) => metadata.agno_content_category === "content")).toBe(true);
      const finals = results.filter(({ final }) => final === true);
      expect(finals).toMatchObject([{ status: { state: "completed" } }]);
      expect(results.at(-2)).toBe(finals[0]);
      const text = chunks.map(({ parts }) => parts[0].text).join("");
      expect(frames.at(-1)).toMatchObject({
        event: "Task",
        result: {
          kind: "task",
          status: { state: "completed" },
          history: [{ parts: [{ text }], metadata: { metrics: { output_tokens: 40 } } }],
        },
      });
    });

    test("sends tool calls on the way, with their arguments as text", async () => {
      const { results } = await streamed(
        world().maria,
        assistant,
        envelopeOf('[[tool:add_numbers {"a":1,"b":2}]]'),
      );
      const eventResults = results.map(({ metadata }) => metadata).filter((one) => one?.agno_event_type);
      expect(eventResults).toEqual([
        {
          agno_event_type: "tool_call_started",
          tool_name: "add_numbers",
          tool_call_id: expect.any(String),
          tool_args: '{"a":1,"b":2}',
        },
        expect.objectContaining({ agno_event_type: "tool_call_completed", tool_args: '{"a":1,"b":2}' }),
      ]);
    });

    test("sends a cancellation during a stream, with its reason and what was said before", async () => {
      const { maria } = world();
      const response = await fetch(`${world().url}${assistant}/v1/message:stream`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${world().token("maria")}`,
          "content-type": "application/json",
        },
        body: JSON.stringify(envelopeOf("[[tokens:5]] [[sleep:20000]]")),
      });
      let streamedText = "";
      let isAsked = false;
      for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        streamedText += chunk;
        if (isAsked || !streamedText.includes("event: Message")) continue;
        isAsked = true;
        const { taskId: id, contextId } =
          framesIn(streamedText.slice(0, streamedText.indexOf("\n\n")))[0]?.result ?? {};
        await maria.post(`${assistant}/v1/tasks:cancel`, { json: { params: { id, contextId } } });
      }
      const results = framesIn(streamedText).map(({ result }) => result);
      expect(results.at(-2)).toMatchObject({
        final: true,
        status: { state: "canceled" },
        metadata: { agno_event_type: "run_cancelled", reason: expect.any(String) },
      });
      expect(results.at(-1).status.state).toBe("canceled");
      const parts = results.at(-1).history[0].parts.map(({ text }: { text: string }) => text);
      expect(parts).toEqual([expect.stringMatching(/^word1/), expect.stringMatching(/cancelled/)]);
    });

    test("never sends a paused task as completed", async () => {
      const { results } = await streamed(world().maria, refundDesk, envelopeOf(REFUND));
      expect(results.map(({ status }) => status?.state)).not.toContain("completed");
      expect(results.filter(({ final }) => final === true)).toHaveLength(1);
    });

    test.each([team, workflow])("keeps one task id through the stream of %s", async (root) => {
      const { results } = await streamed(world().maria, root, envelopeOf("hello"));
      expect(new Set(results.map((result) => result.taskId ?? result.id)).size).toBe(1);
    });

    test("lets no caller name another owner", async () => {
      const { maria, admin } = world();
      for (const [client, owner] of [
        [maria, "maria"],
        [admin, "admin"],
      ] as const) {
        const { json } = await client.post(`${assistant}/v1/message:send`, {
          json: envelopeOf("hello", { metadata: { userId: "otto" } }),
          headers: { "x-user-id": "otto" },
        });
        expect(json.result.history[0].metadata.userId).toBe(owner);
      }
    });
  });

  describe("the deprecated routes", () => {
    test("run what the body names before what the header names, and say that they are deprecated", async () => {
      const answer = await world().maria.post("/a2a/message/send", {
        json: envelopeOf("hello", { agentId: "support-team" }),
        headers: { "x-agent-id": "assistant" },
      });
      expect({ status: answer.status, deprecated: answer.headers.get("deprecation") }).toEqual({
        status: 200,
        deprecated: "true",
      });
      const { id, contextId } = answer.json.result;
      const path = `${team}/v1/tasks:get`;
      expect((await world().maria.post(path, { json: { params: { id, contextId } } })).status).toBe(200);
      const streamed = await world().maria.post("/a2a/message/stream", {
        json: envelopeOf("hello"),
        headers: { "x-agent-id": "assistant" },
      });
      expect(framesOf(streamed.text).at(-1)?.event).toBe("Task");
    });

    test("ask for the scope of what they run", async () => {
      const json = envelopeOf("hello", { agentId: "support-team" });
      const statusFor = async (...scopes: string[]) =>
        (
          await world()
            .as("ann", ...scopes)
            .post("/a2a/message/send", { json })
        ).status;
      expect(await statusFor("agents:run")).toBe(403);
      expect(await statusFor("agents:run", "teams:run")).toBe(200);
      expect(await statusFor("agents:assistant:run")).toBe(403);
    });

    test("refuse a message without a target, and one whose target is unknown", async () => {
      const post = (message: object) =>
        world().maria.post("/a2a/message/send", { json: envelopeOf("hello", message) });
      expect((await post({})).status).toBe(400);
      expect((await post({ agentId: "unknown" })).status).toBe(404);
    });
  });
}
