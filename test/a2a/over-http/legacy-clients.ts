import type * as Sdk from "a2a-sdk-03/client";
import { describe, expect, test } from "vitest";
import { type A2aWorld, assistant, team, workflow } from "../../support/a2a-world.ts";

const roots = [
  ["an agent", assistant],
  ["a team", team],
  ["a workflow", workflow],
] as const;

const sendOf = (text: string, { taskId, blocking = true }: { taskId?: string; blocking?: boolean } = {}) => ({
  message: {
    kind: "message" as const,
    messageId: crypto.randomUUID(),
    role: "user" as const,
    parts: [{ kind: "text" as const, text }],
    ...(taskId !== undefined && { taskId }),
  },
  configuration: { blocking },
});

async function clientOf(
  sdk: typeof Sdk,
  { url, token }: A2aWorld,
  root: string,
  transport: "JSONRPC" | "HTTP+JSON",
) {
  const fetchImpl: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("authorization", `Bearer ${token("maria")}`);
    return fetch(input, { ...init, headers });
  };
  const factory = new sdk.ClientFactory({
    transports: [new sdk.JsonRpcTransportFactory({ fetchImpl }), new sdk.RestTransportFactory({ fetchImpl })],
    preferredTransports: [transport],
    cardResolver: new sdk.DefaultAgentCardResolver({ fetchImpl }),
  });
  return factory.createFromUrl(`${url}${root}/`);
}

type Client = Awaited<ReturnType<typeof clientOf>>;

async function sentTask(client: Client, asked: ReturnType<typeof sendOf>) {
  const task = await client.sendMessage(asked);
  if (task.kind !== "task") throw new Error("a message and no task");
  return task;
}

/** @param sdk  the official client of version 0.3 */
export function legacyClientChecks(world: () => A2aWorld, sdk: typeof Sdk): void {
  describe.each(["JSONRPC", "HTTP+JSON"] as const)("the official client 0.3 by %s", (transport) => {
    test.each(roots)(
      "sends to %s, follows, shows, cancels and continues what it began",
      async (_what, root) => {
        const client = await clientOf(sdk, world(), root, transport);
        const text = root === workflow ? "lights" : "hello";
        const ended = root === workflow ? "input-required" : "completed";
        const task = await sentTask(client, sendOf(text));
        expect(task.status.state).toBe(ended);
        expect(await client.getTask({ id: task.id })).toMatchObject({
          id: task.id,
          status: { state: ended },
        });
        const events: { kind: string; final?: boolean }[] = [];
        for await (const event of client.sendMessageStream(sendOf(text))) events.push(event);
        expect(events[0]?.kind).toBe("task");
        expect(events.at(-1)).toMatchObject({
          kind: "status-update",
          final: true,
          status: { state: ended },
        });
        const live = await sentTask(client, sendOf("[[sleep:20000]]", { blocking: false }));
        const following = (async () => {
          const states: string[] = [];
          for await (const event of client.resubscribeTask({ id: live.id })) {
            if (event.kind === "status-update") states.push(event.status.state);
          }
          return states.at(-1);
        })();
        await client.cancelTask({ id: live.id });
        expect(await following).toBe("canceled");
        await expect(client.getTask({ id: "unknown" })).rejects.toThrow(/not found/i);
        await expect(client.resubscribeTask({ id: "unknown" }).next()).rejects.toThrow(/not found/i);
        await expect(client.cancelTask({ id: live.id })).resolves.toMatchObject({ id: live.id });
        if (root !== workflow) return;
        const answered = await sentTask(client, sendOf("yes", { taskId: task.id }));
        expect(answered).toMatchObject({ id: task.id, status: { state: "completed" } });
      },
    );
  });
}
