import { Role } from "@a2a-js/sdk";
import {
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "@a2a-js/sdk/client";
import * as legacy from "a2a-sdk-03/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { assistant, begin, REFUND, refundDesk, rest, rpc, send, settled } from "../../support/a2a-world.ts";
import { type Client, clientOf } from "../../support/client.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";
import { answering, type Receiver, startReceiver } from "../../support/receiver.ts";

let platform: TestPlatform;
let receiver: Receiver;
let maria: Client;
const scopes = ["agents:read", "agents:run", "sessions:delete"];

beforeAll(async () => {
  receiver = await startReceiver();
  platform = await startPlatform({ env: { FETCH_ALLOWED_HOSTS: receiver.host } });
  maria = clientOf(platform.url, platform.token("maria", scopes));
});
afterAll(async () => {
  await platform?.stop();
  await receiver?.stop();
});

/** An address of its own, so that a test sees its own messages. */
const place = () => `/${crypto.randomUUID()}`;
const at = (path: string) => new URL(path, receiver.url).href;
const arrived = (
  path: string,
  isIt: (body: { task?: { status: { state: string } } }) => boolean = () => true,
) => receiver.until((one) => one.path === path && isIt(one.body));
const stateIs = (state: string) => (body: { task?: { status: { state: string } } }) =>
  body.task?.status.state === `TASK_STATE_${state}`;

const fetchImpl: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  headers.set("authorization", `Bearer ${platform.token("maria", scopes)}`);
  return fetch(input, { ...init, headers });
};
const message = (text: string) => ({
  messageId: crypto.randomUUID(),
  role: Role.ROLE_USER,
  parts: [
    { content: { $case: "text" as const, value: text }, metadata: undefined, filename: "", mediaType: "" },
  ],
  ...{ contextId: "", taskId: "", metadata: undefined, extensions: [], referenceTaskIds: [] },
});

describe.each(["JSONRPC", "HTTP+JSON"] as const)("by %s", (transport) => {
  test("the official client 1.3 is notified of its task, with its token and credentials", async () => {
    const factory = new ClientFactory(
      ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
        transports: [new JsonRpcTransportFactory({ fetchImpl }), new RestTransportFactory({ fetchImpl })],
        preferredTransports: [transport],
        cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
      }),
    );
    const client = await factory.createFromUrl(`${platform.url}${assistant}/`);
    const path = place();
    const asked = {
      ...{ tenant: "", id: "", taskId: "", url: at(path), token: "token-of-maria" },
      authentication: { scheme: "Bearer", credentials: "credential-of-maria" },
    };
    const task = await client.sendMessage({
      ...{ tenant: "", metadata: undefined, message: message("[[sleep:1500]]hello") },
      configuration: { acceptedOutputModes: [], taskPushNotificationConfig: asked, returnImmediately: true },
    });
    if (!("status" in task)) throw new Error("a message and no task");
    const pushed = await arrived(path);
    expect(pushed.headers).toMatchObject({
      "content-type": "application/a2a+json",
      "a2a-version": "1.0",
      "x-a2a-notification-token": "token-of-maria",
      authorization: "Bearer credential-of-maria",
    });
    expect(pushed.body.task).toMatchObject({ id: task.id, status: { state: "TASK_STATE_COMPLETED" } });
    expect(JSON.stringify(pushed.body.task.artifacts)).toContain("hello");
    const second = { ...asked, taskId: task.id, id: "second" };
    expect(await client.createTaskPushNotificationConfig(second)).toMatchObject({
      id: "second",
      url: asked.url,
    });
    const ofTask = { tenant: "", taskId: task.id };
    const listed = await client.listTaskPushNotificationConfig({ ...ofTask, pageSize: 0, pageToken: "" });
    expect(listed.configs.map(({ id }) => id)).toEqual([task.id, "second"]);
    expect(JSON.stringify(listed)).not.toContain("credential-of-maria");
    const found = await client.getTaskPushNotificationConfig({ ...ofTask, id: "second" });
    expect(found).toMatchObject({ token: "token-of-maria", authentication: { scheme: "Bearer" } });
    await client.deleteTaskPushNotificationConfig({ ...ofTask, id: "second" });
    await expect(client.getTaskPushNotificationConfig({ ...ofTask, id: "second" })).rejects.toThrow();
  });

  test("the official client 0.3 is notified in its own form", async () => {
    const factory = new legacy.ClientFactory({
      transports: [
        new legacy.JsonRpcTransportFactory({ fetchImpl }),
        new legacy.RestTransportFactory({ fetchImpl }),
      ],
      preferredTransports: [transport],
      cardResolver: new legacy.DefaultAgentCardResolver({ fetchImpl }),
    });
    const client = await factory.createFromUrl(`${platform.url}${assistant}/`);
    const path = place();
    const task = await client.sendMessage({
      message: {
        ...{ kind: "message", messageId: crypto.randomUUID(), role: "user" },
        parts: [{ kind: "text", text: "[[sleep:1500]]hello" }],
      },
      configuration: { blocking: false },
    });
    if (task.kind !== "task") throw new Error("a message and no task");
    const pushNotificationConfig = {
      ...{ id: "mine", url: at(path), token: "t" },
      authentication: { schemes: ["Basic"], credentials: "bTpt" },
    };
    await client.setTaskPushNotificationConfig({ taskId: task.id, pushNotificationConfig });
    const pushed = await arrived(path);
    expect(pushed.headers).toMatchObject({ authorization: "Basic bTpt", "x-a2a-notification-token": "t" });
    expect(pushed.body).toMatchObject({ kind: "task", id: task.id, status: { state: "completed" } });
    const [listed] = await client.listTaskPushNotificationConfig({ id: task.id });
    expect(listed).toMatchObject({ taskId: task.id, pushNotificationConfig: { id: "mine", url: at(path) } });
    const one = { id: task.id, pushNotificationConfigId: "mine" };
    expect(await client.getTaskPushNotificationConfig(one)).toMatchObject({ taskId: task.id });
    await client.deleteTaskPushNotificationConfig(one);
    expect(await client.listTaskPushNotificationConfig({ id: task.id })).toEqual([]);
  });
});

test("a task is sent when it asks, when it is cancelled, and again when a receiver was away", async () => {
  const path = place();
  const configuration = { taskPushNotificationConfig: { url: at(path) }, returnImmediately: true };
  const { id } = (await send(maria, refundDesk, REFUND, { configuration })).json.task;
  const asks = await arrived(path, stateIs("INPUT_REQUIRED"));
  expect(asks.body.task.status.message.parts.length).toBeGreaterThan(0);
  receiver.decide(answering(503));
  await rest(maria, "POST", `${refundDesk}/v1/tasks/${id}:cancel`);
  await arrived(path, stateIs("CANCELED"));
  receiver.decide();
  await expect
    .poll(() => receiver.received.filter((one) => one.path === path && stateIs("CANCELED")(one.body)).length)
    .toBeGreaterThan(1);
});

test("no other user reads or sets where a client is notified, and what is no task of A2A has no such place", async () => {
  const path = place();
  const task = await begin(maria, assistant, "[[sleep:60000]]");
  const configs = `${assistant}/v1/tasks/${task.id}/pushNotificationConfigs`;
  const made = await rest(maria, "POST", configs, { json: { id: "c", url: at(path), token: "t" } });
  expect(made).toMatchObject({ status: 200, json: { taskId: task.id, id: "c" } });
  const otto = clientOf(platform.url, platform.token("otto", scopes));
  for (const [method, to, json] of [
    ["GET", configs, undefined],
    ["GET", `${configs}/c`, undefined],
    ["POST", configs, { url: at(path) }],
    ["DELETE", `${configs}/c`, undefined],
  ] as const) {
    expect((await rest(otto, method, to, json && { json })).status).toBe(404);
  }
  const reader = clientOf(platform.url, platform.token("maria", ["agents:read"]));
  expect((await rest(reader, "GET", configs)).status).toBe(403);
  const tooMany = [];
  for (let i = 0; i < 10; i += 1) {
    tooMany.push((await rest(maria, "POST", configs, { json: { id: `n${i}`, url: at(path) } })).status);
  }
  expect(tooMany).toEqual([...Array(9).fill(200), 400]);
  // The request of the protocol buffers of 0.3, in their spelling; it replaces one that is there.
  const buffers = {
    parent: `tasks/${task.id}`,
    config_id: "c",
    config: { push_notification_config: { id: "c", url: at(path), authentication: {} } },
  };
  const replaced = await maria.call("POST", configs, { json: buffers });
  expect(replaced).toMatchObject({
    status: 200,
    json: { pushNotificationConfig: { id: "c", url: at(path) } },
  });
  const bad = await rpc(maria, assistant, "CreateTaskPushNotificationConfig", {
    taskId: task.id,
    url: "https://169.254.169.254/latest",
  });
  expect(bad.json.error.code).toBe(-32602);
  await rest(maria, "POST", `${assistant}/v1/tasks/${task.id}:cancel`);
  const run = await maria.submit("[[sleep:60000]]");
  const ofRun = `${assistant}/v1/tasks/${run.run_id}/pushNotificationConfigs`;
  expect((await rest(maria, "POST", ofRun, { json: { url: at(path) } })).status).toBe(400);
  await maria.post(`/agents/assistant/runs/${run.run_id}/cancel?session_id=${run.session_id}`, {});
});

test("after its session is deleted nothing is sent and nothing is kept", async () => {
  const path = place();
  const task = await begin(maria, assistant, "hello");
  await settled(maria, assistant, task.id);
  const configs = `${assistant}/v1/tasks/${task.id}/pushNotificationConfigs`;
  expect((await rest(maria, "POST", configs, { json: { url: at(path) } })).status).toBe(200);
  const context = (await rest(maria, "GET", `${assistant}/v1/tasks/${task.id}`)).json.contextId;
  await maria.call("DELETE", `/sessions/${context}`, {});
  expect((await rest(maria, "GET", configs)).status).toBe(404);
  expect(receiver.received.filter((one) => one.path === path)).toEqual([]);
});
