import type { Task } from "@a2a-js/sdk";
import { ServerCallContext } from "@a2a-js/sdk/server";
import * as v from "valibot";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requestHandler } from "../../functions/a2a/request-handler.ts";
import { runComponentAgui } from "../../functions/runs/agui/run-agui.ts";
import { readRequest } from "../../shared/a2a/sent-message.ts";
import { RunAgentInput } from "../../shared/schemas/agui/run-agent-input.ts";
import { jumpingClock } from "../support/chat-platforms/jumping-clock.ts";
import { queueWorld } from "../support/queue-world.ts";
import { registry } from "../support/registry/index.ts";
import { interruptedModels, MARIA, saidTo, statesOf } from "../support/steering.ts";
import { startStores, type TestStores } from "../support/stores.ts";

let stores: TestStores;
let world: ReturnType<typeof queueWorld>;
beforeAll(async () => {
  stores = await startStores();
  world = queueWorld(stores.db, {}, jumpingClock());
});
afterAll(() => stores.stop());

const asked = () => ({
  component: { kind: "agent" as const, id: "assistant" },
  ...{ params: {}, query: {}, headers: {}, principal: MARIA },
  signal: new AbortController().signal,
  invocation: {},
});

/** Sends a message of A2A. */
async function send(text: string, message: object = {}, configuration: object = { returnImmediately: true }) {
  const parts = [{ text }];
  const body = { message: { messageId: text, role: "ROLE_USER", parts, ...message }, configuration };
  const deps = { ...world, prefix: "/a2a", registry, discovery: [] };
  const handler = requestHandler(asked(), deps, { version: "1.0", params: body });
  const context = new ServerCallContext({ requestedVersion: "1.0" });
  return (await handler.sendMessage(readRequest(body), context)) as Task;
}
const runOf = ({ id, contextId }: Task) => ({ run_id: id, session_id: contextId });

test("a message to a task of A2A that waits or works is said to its run, once, and is in its history", async () => {
  const task = await send("[[tool:get_time {}]] hello");
  await send("at first", { taskId: task.id });
  await send("at first", { taskId: task.id });
  const models = interruptedModels(world.models, async (call) => {
    if (call === 1) await send("meanwhile", { taskId: task.id });
  });
  const waited = send("waited for", { taskId: task.id }, {});
  await expect.poll(async () => Object.keys(await statesOf(world, runOf(task)))).toContain("waited for");
  await world.deliver(task.id, { models });
  expect((await waited).artifacts[0]?.parts[0]?.content?.value).toContain("You said: ");
  expect(await statesOf(world, runOf(task))).toEqual({
    ...{ "at first": "taken", "waited for": "taken", meanwhile: "taken" },
  });
  const users = (await waited).history.filter(({ role }) => role === 1);
  expect(users.map(({ messageId }) => messageId).toSorted()).toEqual(
    ["[[tool:get_time {}]] hello", "at first", "waited for", "meanwhile"].toSorted(),
  );
  await expect(send("late", { taskId: task.id })).rejects.toThrow("send a message without its taskId");
});

/** Asks by AG-UI. @returns the frames of its stream, when it has ended */
async function ask(input: object): Promise<() => Promise<string>> {
  const body = v.parse(RunAgentInput, { threadId: "t-1", runId: "r-1", ...input });
  const stream = await runComponentAgui({ ...asked(), body }, world);
  return async () => {
    const frames: string[] = [];
    for await (const frame of stream.chunks) frames.push(String(frame));
    return frames.join("");
  };
}
const user = (id: string) => ({ id, role: "user" as const, content: `say ${id}` });

test("what is new in a thread of AG-UI is said to its live run where that is asked for, and the stream follows it", async () => {
  const steer = { steer: true, background: true };
  await ask({ messages: [user("u1")], forwardedProps: { ...steer, steer: false } });
  const second = await ask({ runId: "r-2", messages: ["u1", "u2"].map(user), forwardedProps: steer });
  await ask({ runId: "r-2", messages: ["u1", "u2"].map(user), forwardedProps: steer });
  await ask({ runId: "r-3", messages: ["u1", "u2", "u3"].map(user), forwardedProps: steer });
  const job = world.queue.sent.splice(0).at(-1);
  await world.deliver(job?.job_id ?? "");
  const frames = await second();
  expect(frames).toContain('"runId":"r-2"');
  expect(frames).toContain('"delta":" u3"');
  expect(frames).toContain("RUN_FINISHED");
  const run = await world.run({ run_id: job?.job_id ?? "", session_id: "t-1" });
  expect(saidTo(run)).toEqual([
    ...["user: say u1", "user: say u2", "user: say u3"],
    "assistant: You said: say u3",
  ]);
  expect(world.queue.sent).toEqual([]);
});
