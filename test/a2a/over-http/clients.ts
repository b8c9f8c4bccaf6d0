import { Role, TaskState } from "@a2a-js/sdk";
import {
  ClientFactory,
  ClientFactoryOptions,
  type Client as CurrentClient,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "@a2a-js/sdk/client";
import * as legacy from "a2a-sdk-03/client";
import { describe, expect, test } from "vitest";
import { type A2aWorld, assistant, REFUND, refundDesk, team, workflow } from "../../support/a2a-world.ts";
import { legacyClientChecks } from "./legacy-clients.ts";

const roots = [
  ["an agent", assistant],
  ["a team", team],
  ["a workflow", workflow],
] as const;

const messageOf = (text: string, taskId = "") => ({
  messageId: crypto.randomUUID(),
  role: Role.ROLE_USER,
  parts: [
    { content: { $case: "text" as const, value: text }, metadata: undefined, filename: "", mediaType: "" },
  ],
  contextId: "",
  taskId,
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
});
const sendOf = (text: string, { taskId = "", returnImmediately = false } = {}) => ({
  tenant: "",
  metadata: undefined,
  message: messageOf(text, taskId),
  configuration: { acceptedOutputModes: [], taskPushNotificationConfig: undefined, returnImmediately },
});
const idOf = (id: string) => ({ id, tenant: "", metadata: undefined });

/** The official client, as its users set it up: it finds everything by the card. */
async function clientOf(
  { url, token }: A2aWorld,
  root: string,
  transport: "JSONRPC" | "HTTP+JSON",
): Promise<CurrentClient> {
  const fetchImpl: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("authorization", `Bearer ${token("maria")}`);
    return fetch(input, { ...init, headers });
  };
  const factory = new ClientFactory(
    ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      transports: [new JsonRpcTransportFactory({ fetchImpl }), new RestTransportFactory({ fetchImpl })],
      preferredTransports: [transport],
      cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
    }),
  );
  return factory.createFromUrl(`${url}${root}/`);
}

async function sentTask(client: CurrentClient, asked: ReturnType<typeof sendOf>) {
  const task = await client.sendMessage(asked);
  if (!("status" in task)) throw new Error("a message and no task");
  return task;
}

export function clientChecks(world: () => A2aWorld): void {
  describe.each(["JSONRPC", "HTTP+JSON"] as const)("the official client 1.3 by %s", (transport) => {
    test.each(roots)(
      "sends to %s, follows, shows, lists and continues what it began",
      async (_what, root) => {
        const client = await clientOf(world(), root, transport);
        const text = root === workflow ? "lights" : "hello";
        const ended =
          root === workflow ? TaskState.TASK_STATE_INPUT_REQUIRED : TaskState.TASK_STATE_COMPLETED;
        const task = await sentTask(client, sendOf(text));
        expect(task.status?.state).toBe(ended);
        expect((await client.getTask(idOf(task.id))).id).toBe(task.id);
        const kinds: string[] = [];
        for await (const { payload } of client.sendMessageStream(sendOf(text)))
          kinds.push(payload?.$case ?? "");
        expect(kinds[0]).toBe("task");
        expect(kinds.at(-1)).toBe("statusUpdate");
        const listed = {
          contextId: "",
          status: 0,
          pageToken: "",
          tenant: "",
          statusTimestampAfter: undefined,
        };
        await expect
          .poll(async () => (await client.listTasks(listed)).tasks.map(({ id }) => id))
          .toContain(task.id);
        const live = await sentTask(client, sendOf("[[sleep:20000]]", { returnImmediately: true }));
        const following = (async () => {
          const states: (TaskState | undefined)[] = [];
          for await (const { payload } of client.resubscribeTask({ id: live.id, tenant: "" })) {
            if (payload?.$case === "statusUpdate") states.push(payload.value.status?.state);
          }
          return states.at(-1);
        })();
        await client.cancelTask(idOf(live.id));
        expect(await following).toBe(TaskState.TASK_STATE_CANCELED);
        if (root !== workflow) return;
        const answered = await sentTask(client, sendOf("yes", { taskId: task.id }));
        expect(answered).toMatchObject({ id: task.id, status: { state: TaskState.TASK_STATE_COMPLETED } });
      },
    );

    test("answers what an agent asks for", async () => {
      const client = await clientOf(world(), refundDesk, transport);
      const paused = await sentTask(client, sendOf(REFUND));
      expect(paused.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
      const answered = await sentTask(client, sendOf("yes", { taskId: paused.id }));
      expect(answered).toMatchObject({ id: paused.id, status: { state: TaskState.TASK_STATE_COMPLETED } });
    });

    test("knows our refusals by their class", async () => {
      const client = await clientOf(world(), assistant, transport);
      const { id } = await sentTask(client, sendOf("hello"));
      const nameOf = (refused: Promise<unknown>) =>
        refused.then(
          () => "no error",
          (error: Error) => error.name,
        );
      const firstOf = async (events: AsyncGenerator<unknown>) => (await events.next()).value;
      expect(
        await Promise.all([
          nameOf(client.getTask(idOf("unknown"))),
          nameOf(client.cancelTask(idOf(id))),
          nameOf(client.sendMessage(sendOf("more", { taskId: id }))),
          nameOf(firstOf(client.resubscribeTask({ id, tenant: "" }))),
          nameOf(client.sendMessage({ ...sendOf("hi"), message: { ...messageOf("hi"), parts: [] } })),
        ]),
      ).toEqual([
        expect.stringContaining("TaskNotFoundError"),
        expect.stringContaining("TaskNotCancelableError"),
        expect.stringContaining("UnsupportedOperationError"),
        expect.stringContaining("UnsupportedOperationError"),
        expect.stringContaining("RequestMalformedError"),
      ]);
    });
  });
  legacyClientChecks(world, legacy);
}
