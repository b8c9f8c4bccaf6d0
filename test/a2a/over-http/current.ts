import { describe, expect, test } from "vitest";
import {
  type A2aWorld,
  assistant,
  begin,
  REFUND,
  refundDesk,
  rest,
  rpc,
  send,
  settled,
  team,
  workflow,
} from "../../support/a2a-world.ts";
import type { Client } from "../../support/client.ts";

const get = (client: Client, id: string, query = "") =>
  rest(client, "GET", `${assistant}/v1/tasks/${id}${query}`);

export function currentChecks(world: () => A2aWorld): void {
  describe("a task of version 1.0", () => {
    test("has its answer as an artifact, and both sides' messages in its history", async () => {
      const { status, json } = await send(world().maria, assistant, "hello", {
        message: { messageId: "m-1" },
      });
      expect(status).toBe(200);
      const { id, contextId } = json.task;
      expect(json).toEqual({
        task: {
          id,
          contextId,
          status: { state: "TASK_STATE_COMPLETED", timestamp: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) },
          artifacts: [
            { artifactId: `${id}:response`, name: "response", parts: [{ text: "You said: hello" }] },
          ],
          history: [
            { messageId: "m-1", contextId, taskId: id, role: "ROLE_USER", parts: [{ text: "hello" }] },
            {
              messageId: `${id}:out`,
              contextId,
              taskId: id,
              role: "ROLE_AGENT",
              parts: [{ text: "You said: hello" }],
            },
          ],
          metadata: {
            metrics: {
              inputTokens: expect.any(Number),
              outputTokens: expect.any(Number),
              totalTokens: expect.any(Number),
            },
          },
        },
      });
      const { inputTokens, outputTokens, totalTokens } = json.task.metadata.metrics;
      expect(totalTokens).toBe(inputTokens + outputTokens);
      expect(totalTokens).toBeGreaterThan(0);
    });

    test("shows in its history what was sent, as it was sent, and what it asked", async () => {
      const { maria } = world();
      const raw = Buffer.from("hello").toString("base64");
      const parts = [
        { text: "one\ntwo" },
        { data: { a: [1, "x"] } },
        { raw, mediaType: "text/plain", filename: "a.txt" },
        { url: "https://example.com/b.png", mediaType: "image/png" },
        { text: "three" },
      ];
      const { task } = (await send(maria, assistant, "", { message: { parts } })).json;
      expect(task.history[0].parts).toEqual(parts);
      const asked = (await send(maria, refundDesk, REFUND)).json.task;
      const [question] = asked.status.message.parts;
      await send(maria, refundDesk, "no", { message: { taskId: asked.id } });
      const answered = await settled(maria, refundDesk, asked.id);
      const said = answered.history.map(({ role, parts }: { role: string; parts: object[] }) => [
        role,
        parts,
      ]);
      expect(said.slice(0, 3)).toEqual([
        ["ROLE_USER", [{ text: REFUND }]],
        ["ROLE_AGENT", [question]],
        ["ROLE_USER", [{ text: "no" }]],
      ]);
    });

    test("is the same at each look, and shows as much history as asked", async () => {
      const { maria } = world();
      const { id } = (await send(maria, assistant, "hello")).json.task;
      const looks = await Promise.all([get(maria, id), get(maria, id)]);
      expect(looks[1]?.text).toBe(looks[0]?.text);
      expect(looks[0]?.json.history).toHaveLength(2);
      expect((await get(maria, id, "?historyLength=1")).json.history).toMatchObject([{ role: "ROLE_AGENT" }]);
      expect((await get(maria, id, "?historyLength=0")).json).not.toHaveProperty("history");
      expect((await get(maria, id, "?historyLength=-1")).status).toBe(400);
      const sent = await send(maria, assistant, "hello", { configuration: { historyLength: 0 } });
      expect(sent.json.task).not.toHaveProperty("history");
    });

    test("sends a failure as a state, with the reason", async () => {
      const { status, json } = await send(world().maria, assistant, "[[fail:no light]]");
      expect(status).toBe(200);
      expect(json.task.status).toMatchObject({ state: "TASK_STATE_FAILED", message: { role: "ROLE_AGENT" } });
      expect(json.task.status.message.parts[0].text).toContain("no light");
      expect(json.task).not.toHaveProperty("artifacts");
    });

    test("is a new one for each message, whatever the message calls itself", async () => {
      const again = () => send(world().maria, assistant, "hello", { message: { messageId: "same" } });
      const [one, two] = [await again(), await again()];
      expect(one.json.task.id).not.toBe(two.json.task.id);
    });

    test("is not waited for where the sender says so", async () => {
      const { maria } = world();
      const task = await begin(maria, assistant, "[[sleep:400]] hello");
      expect(task.status.state).toMatch(/SUBMITTED|WORKING/);
      expect((await settled(maria, assistant, task.id)).status.state).toBe("TASK_STATE_COMPLETED");
    });

    test("reads its parameters in either spelling, and passes over what it does not know", async () => {
      const { maria } = world();
      const message = {
        message_id: "m",
        role: "ROLE_USER",
        context_id: "snake",
        parts: [{ text: "hi" }],
        x: 1,
      };
      const sent = await rpc(maria, assistant, "SendMessage", { message, unknown: true });
      expect(sent.json.result.task.contextId).toBe("snake");
      const listed = await rpc(maria, assistant, "ListTasks", { context_id: "snake", page_size: 1 });
      expect(listed.json.result).toMatchObject({ pageSize: 1, totalSize: 1 });
    });
  });

  describe("a message that names its task", () => {
    const follow = (client: Client, root: string, text: string, message: object) =>
      send(client, root, text, { message });

    test("is refused where that has ended or is unowned, and said to one that is at work", async () => {
      const { maria, otto } = world();
      const { id, contextId } = (await send(maria, assistant, "hello")).json.task;
      const ended = await follow(maria, assistant, "more", { taskId: id });
      expect(ended.json.error).toMatchObject({ code: 400, details: [{ reason: "UNSUPPORTED_OPERATION" }] });
      const live = await begin(maria, assistant, "[[sleep:3000]]");
      const busy = await follow(maria, assistant, "more", { taskId: live.id });
      expect(busy.json.task).toMatchObject({ id: live.id, contextId: live.contextId });
      for (const [client, taskId] of [
        [maria, "unknown"],
        [otto, id],
      ] as const) {
        const answer = await follow(client, assistant, "more", { taskId });
        expect({ status: answer.status, reason: answer.json.error.details[0].reason }).toEqual({
          status: 404,
          reason: "TASK_NOT_FOUND",
        });
      }
      const elsewhere = await follow(maria, assistant, "more", { taskId: id, contextId: `not-${contextId}` });
      expect(elsewhere.json.error.details[0].reason).toBe("INVALID_PARAMS");
    });

    test("has a context whose id fits into a key, and finds nothing under what does not", async () => {
      const { maria } = world();
      const long = "x".repeat(3000);
      const begun = await send(maria, assistant, "hello", { message: { contextId: long } });
      expect(begun).toMatchObject({
        status: 400,
        json: { error: { message: expect.stringContaining("contextId") } },
      });
      expect((await follow(maria, assistant, "more", { taskId: long })).status).toBe(404);
    });

    test("begins nothing in another user's context", async () => {
      const { maria, otto } = world();
      const { contextId } = (await send(maria, assistant, "hello")).json.task;
      const answer = await send(otto, assistant, "hello", { message: { contextId } });
      expect(answer.status).toBe(404);
      expect(answer.json).toMatchObject({ detail: expect.any(String), error: { code: 404 } });
    });

    test.each([
      ["an agent", refundDesk, REFUND],
      ["a workflow", workflow, "lights"],
    ])("lets %s go on that waits for a yes, under the same id", async (_what, root, text) => {
      const { maria } = world();
      const { id, contextId, status } = (await send(maria, root, text)).json.task;
      expect(status.state).toBe("TASK_STATE_INPUT_REQUIRED");
      expect(status.message.parts[0].text).toMatch(/yes or no/);
      const unclear = await follow(maria, root, "perhaps", { taskId: id });
      expect(unclear.json.task).toMatchObject({ id, status: { state: "TASK_STATE_INPUT_REQUIRED" } });
      const answered = await follow(maria, root, "Yes.", { taskId: id, messageId: "m-yes" });
      expect(answered.json.task).toMatchObject({ id, contextId, status: { state: "TASK_STATE_COMPLETED" } });
      const said = answered.json.task.history.map(({ messageId }: { messageId: string }) => messageId);
      expect(said.slice(1)).toEqual([`${id}:question-0`, "m-yes", `${id}:out`]);
    });

    test("answers with data what no text can, and a no is a no", async () => {
      const { maria } = world();
      const paused = (await send(maria, refundDesk, REFUND)).json.task;
      const { requirements } = paused.status.message.parts[1].data;
      const data = { requirements: requirements.map((one: object) => ({ ...one, confirmation: true })) };
      const parts = [{ data }];
      const answered = await follow(maria, refundDesk, "", { taskId: paused.id, parts });
      expect(answered.json.task.artifacts[0].parts[0].text).toContain("Refunded 5");
      const other = (await send(maria, refundDesk, REFUND)).json.task;
      const refused = await follow(maria, refundDesk, "no", { taskId: other.id });
      expect(refused.json.task.status.state).toBe("TASK_STATE_COMPLETED");
      expect(JSON.stringify(refused.json.task.artifacts)).not.toContain("Refunded 5");
    });

    test("lets a team's task go on whose member waits", async () => {
      const { maria } = world();
      const ask = `[[tool:delegate_task_to_member ${JSON.stringify({ member_id: "refund-desk", task: REFUND })}]]`;
      const { id, status } = (await send(maria, team, ask)).json.task;
      expect(status.state).toBe("TASK_STATE_INPUT_REQUIRED");
      const answered = await follow(maria, team, "yes", { taskId: id });
      expect(answered.json.task).toMatchObject({ id, status: { state: "TASK_STATE_COMPLETED" } });
    });
  });

  describe("the list of tasks", () => {
    const list = (client: Client, query: string, root = assistant) =>
      rest(client, "GET", `${root}/v1/tasks?${query}`).then(({ json }) => json);
    const ids = ({ tasks }: { tasks: { id: string }[] }) => tasks.map(({ id }) => id);

    test("shows the caller's own of one component, the newest first, page by page", async () => {
      const ann = world().as(`ann-${crypto.randomUUID()}`);
      const made: string[] = [];
      for (const text of ["one", "two", "three"]) made.push((await send(ann, assistant, text)).json.task.id);
      await send(ann, refundDesk, "elsewhere");
      await send(world().otto, assistant, "another user's");
      const newest = made.toReversed();
      await expect.poll(async () => ids(await list(ann, ""))).toEqual(newest);
      const first = await list(ann, "pageSize=2");
      expect(first).toMatchObject({ pageSize: 2, totalSize: 3, nextPageToken: expect.stringMatching(/./) });
      expect(first.tasks[0]).not.toHaveProperty("artifacts");
      const second = await list(ann, `pageSize=2&pageToken=${first.nextPageToken}`);
      expect([...ids(first), ...ids(second)]).toEqual(newest);
      expect(second.nextPageToken).toBe("");
      const whole = await list(ann, "includeArtifacts=true&historyLength=0&pageSize=1");
      expect(whole.tasks[0].artifacts).toHaveLength(1);
      expect(whole.tasks[0]).not.toHaveProperty("history");
      expect(ids(await list(world().admin, "pageSize=100"))).toEqual(expect.arrayContaining(made));
      expect(await list(world().as("unknown-yet"), "")).toEqual({
        tasks: [],
        nextPageToken: "",
        pageSize: 50,
        totalSize: 0,
      });
    });

    test("is narrowed by context, state and time", async () => {
      const ann = world().as(`ann-${crypto.randomUUID()}`);
      const done = (await send(ann, assistant, "done")).json.task;
      const failed = (await send(ann, assistant, "[[fail:x]]")).json.task;
      const live = await begin(ann, assistant, "[[sleep:15000]]");
      await expect.poll(async () => (await list(ann, "")).totalSize).toBe(3);
      expect(ids(await list(ann, `contextId=${done.contextId}`))).toEqual([done.id]);
      expect(ids(await list(ann, "status=TASK_STATE_FAILED"))).toEqual([failed.id]);
      await expect
        .poll(async () => list(ann, "status=TASK_STATE_WORKING"))
        .toMatchObject({ tasks: [{ id: live.id }], totalSize: 1 });
      expect(ids(await list(ann, "status=TASK_STATE_REJECTED"))).toEqual([]);
      const { timestamp } = done.status;
      expect(ids(await list(ann, `statusTimestampAfter=${timestamp}`))).toContain(done.id);
      expect(ids(await list(ann, "statusTimestampAfter=2999-01-01T00:00:00Z"))).toEqual([]);
    });

    test.each(["pageSize=0", "pageSize=101", "pageToken=x", "status=DONE", "statusTimestampAfter=soon"])(
      "refuses %s",
      async (query) => {
        const { error } = await list(world().maria, query);
        expect(error).toMatchObject({ code: 400, details: [{ reason: "INVALID_PARAMS" }] });
      },
    );
  });

  describe("cancelling", () => {
    const cancel = (client: Client, id: string, body?: string, root = assistant) =>
      fetch(`${world().url}${root}/v1/tasks/${id}:cancel`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${world().token("maria")}`,
          "content-type": "application/json",
          "a2a-version": "1.0",
        },
        ...(body !== undefined && { body }),
      }).then(async (response) => ({
        client,
        status: response.status,
        json: JSON.parse(await response.text()),
      }));

    test.each([
      ["no body", undefined],
      ["the body null", "null"],
    ])("takes %s, ends what is at work, and may be repeated", async (_what, body) => {
      const { maria } = world();
      const { id } = await begin(maria, assistant, "[[sleep:20000]]");
      await cancel(maria, id, body);
      const ended = await settled(maria, assistant, id);
      expect(ended.status).toMatchObject({ state: "TASK_STATE_CANCELED", message: { role: "ROLE_AGENT" } });
      const again = await cancel(maria, id, body);
      expect({ status: again.status, state: again.json.status.state }).toEqual({
        status: 200,
        state: "TASK_STATE_CANCELED",
      });
    });

    test("ends what waits for an answer at once", async () => {
      const { maria } = world();
      const { id } = (await send(maria, refundDesk, REFUND)).json.task;
      expect((await cancel(maria, id, undefined, refundDesk)).json.status.state).toBe("TASK_STATE_CANCELED");
    });

    test("is refused for what has ended and what is not there", async () => {
      const { maria } = world();
      const { id } = (await send(maria, assistant, "hello")).json.task;
      const ended = await cancel(maria, id);
      expect({ status: ended.status, reason: ended.json.error.details[0].reason }).toEqual({
        status: 400,
        reason: "TASK_NOT_CANCELABLE",
      });
      const unknown = await cancel(maria, "unknown");
      expect({ status: unknown.status, reason: unknown.json.error.details[0].reason }).toEqual({
        status: 404,
        reason: "TASK_NOT_FOUND",
      });
    });
  });
}
