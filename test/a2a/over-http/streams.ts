import { describe, expect, test } from "vitest";
import {
  type A2aWorld,
  assistant,
  begin,
  dataOf,
  messageOf,
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

const stream = async (client: Client, root: string, text: string) =>
  dataOf(
    (await rest(client, "POST", `${root}/v1/message:stream`, { json: { message: messageOf(text) } })).text,
  );

const subscribe = async (client: Client, root: string, id: string) =>
  dataOf((await rest(client, "POST", `${root}/v1/tasks/${id}:subscribe`)).text);

// biome-ignore lint/suspicious/noExplicitAny: a test asserts the shape itself
const idIn = (event: any) => event.task?.id ?? event.statusUpdate?.taskId ?? event.artifactUpdate?.taskId;

export function streamChecks(world: () => A2aWorld): void {
  describe("a stream of version 1.0", () => {
    test("begins with the task, appends the answer, and ends with how it ended", async () => {
      const { maria } = world();
      const events = await stream(maria, assistant, "[[tokens:40]]");
      expect(events[0].task.status.state).toMatch(/SUBMITTED|WORKING/);
      expect(new Set(events.map(idIn)).size).toBe(1);
      expect(events.at(-1).statusUpdate.status.state).toBe("TASK_STATE_COMPLETED");
      const pieces = events.flatMap(({ artifactUpdate }) => (artifactUpdate ? [artifactUpdate] : []));
      expect(pieces.length).toBeGreaterThan(1);
      expect(pieces.map(({ append = false }) => append)).toEqual(pieces.map((_, i) => i > 0));
      expect(pieces.map(({ lastChunk = false }) => lastChunk)).toEqual(
        pieces.map((_, i) => i === pieces.length - 1),
      );
      const { artifacts } = (await rest(maria, "GET", `${assistant}/v1/tasks/${events[0].task.id}`)).json;
      expect(pieces.map(({ artifact }) => artifact.parts[0].text).join("")).toBe(artifacts[0].parts[0].text);
      expect(new Set(pieces.map(({ artifact }) => artifact.artifactId))).toEqual(
        new Set([artifacts[0].artifactId]),
      );
    });

    test("carries the id of its request in the envelope of JSON-RPC", async () => {
      const { text, headers } = await rpc(
        world().maria,
        assistant,
        "SendStreamingMessage",
        { message: messageOf("hi") },
        42,
      );
      expect(headers.get("content-type")).toMatch(/^text\/event-stream/);
      expect(dataOf(text).every(({ id, jsonrpc, result }) => id === 42 && jsonrpc === "2.0" && result)).toBe(
        true,
      );
    });

    test.each([team, workflow])("keeps one task id for %s", async (root) => {
      const events = await stream(world().maria, root, "hello");
      expect(new Set(events.map(idIn)).size).toBe(1);
    });

    test("ends where the task asks for something", async () => {
      const events = await stream(world().maria, refundDesk, REFUND);
      expect(events.at(-1).statusUpdate.status).toMatchObject({
        state: "TASK_STATE_INPUT_REQUIRED",
        message: {
          parts: [{ text: expect.stringContaining("yes or no") }, { data: { requirements: [{}] } }],
        },
      });
    });

    test("sends a failure as the last state", async () => {
      const events = await stream(world().maria, assistant, "[[fail:no light]]");
      expect(events.at(-1).statusUpdate.status.state).toBe("TASK_STATE_FAILED");
    });

    test("may be left: the task goes on to its end", async () => {
      const { maria, url } = world();
      const left = new AbortController();
      const response = await fetch(`${url}${assistant}/v1/message:stream`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${world().token("maria")}`,
          "a2a-version": "1.0",
          "content-type": "application/json",
        },
        body: JSON.stringify({ message: messageOf("[[sleep:600]] done") }),
        signal: left.signal,
      });
      const reader = response.body?.getReader();
      const { value } = (await reader?.read()) ?? {};
      const [first] = dataOf(new TextDecoder().decode(value));
      left.abort();
      expect((await settled(maria, assistant, first.task.id)).status.state).toBe("TASK_STATE_COMPLETED");
    });
  });

  describe("following a task", () => {
    test("sends every reader the same, from its beginning to its end", async () => {
      const { maria } = world();
      const { id } = await begin(maria, assistant, "[[sleep:500]] [[tokens:20]]");
      const [one, two] = await Promise.all([
        subscribe(maria, assistant, id),
        subscribe(maria, assistant, id),
      ]);
      expect(one[0]).toHaveProperty("task");
      expect(one.at(-1).statusUpdate.status.state).toBe("TASK_STATE_COMPLETED");
      // When each of them came may differ in whether the task was at work yet.
      expect(two.slice(1)).toEqual(one.slice(1));
    });

    test("goes on through a pause, also where another reader has left", async () => {
      const { maria, url } = world();
      const { id } = (await send(maria, refundDesk, REFUND)).json.task;
      const left = new AbortController();
      const leaving = fetch(`${url}${refundDesk}/v1/tasks/${id}:subscribe`, {
        headers: { authorization: `Bearer ${world().token("maria")}`, "a2a-version": "1.0" },
        signal: left.signal,
      });
      const staying = subscribe(maria, refundDesk, id);
      expect((await leaving).status).toBe(200);
      left.abort();
      await send(maria, refundDesk, "yes", { message: { taskId: id } });
      const states = (await staying).flatMap(({ statusUpdate }) => statusUpdate?.status.state ?? []);
      expect(states).toContain("TASK_STATE_INPUT_REQUIRED");
      expect(states.at(-1)).toBe("TASK_STATE_COMPLETED");
    });

    test("is refused as an ordinary answer where the task has ended or is not there", async () => {
      const { maria, otto } = world();
      const { id } = (await send(maria, assistant, "hello")).json.task;
      const reasonFor = async (client: Client, task: string, method: string) => {
        const answer = await rest(client, method, `${assistant}/v1/tasks/${task}:subscribe`);
        expect(answer.headers.get("content-type")).toBe("application/json");
        return answer.json.error.details[0].reason;
      };
      expect(await reasonFor(maria, id, "POST")).toBe("UNSUPPORTED_OPERATION");
      expect(await reasonFor(maria, "unknown", "GET")).toBe("TASK_NOT_FOUND");
      expect(await reasonFor(otto, id, "GET")).toBe("TASK_NOT_FOUND");
      const called = await rpc(maria, assistant, "SubscribeToTask", { id });
      expect(called.json.error.code).toBe(-32004);
    });
  });
}
