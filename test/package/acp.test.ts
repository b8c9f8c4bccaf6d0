import { spawn } from "node:child_process";
import { once } from "node:events";
import { Readable, Writable } from "node:stream";
import {
  type ClientContext,
  client,
  methods,
  ndJsonStream,
  type RequestPermissionRequest,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import { describe, expect } from "vitest";
import type { RunningPlatform } from "../support/platform.ts";
import { commandLine } from "../support/run-command.ts";
import { test } from "../support/shared-platform.ts";

let platform: RunningPlatform;
test.beforeAll(({ platform: shared }) => {
  platform = shared;
});

const adding = '[[tool:add_numbers {"a":2,"b":3}]]';
const refund = '[[tool:issue_refund {"order_id":"A1","amount":5}]]';

type Answer = "allow" | "reject" | "cancelled";
type Seen = { readonly updates: SessionUpdate[]; readonly asked: RequestPermissionRequest[] };

/** An editor, of the official package, that starts the command for an agent and answers what it is asked. */
async function editing(
  agent: string,
  work: (agent: ClientContext, seen: Seen) => Promise<void>,
  {
    answers = [],
    onUpdate = () => {},
  }: { answers?: Answer[]; onUpdate?: (update: SessionUpdate) => void } = {},
): Promise<void> {
  const token = platform.token("editing user", [
    "agents:read",
    "agents:run",
    "sessions:read",
    "teams:read",
    "workflows:read",
  ]);
  const child = spawn(process.execPath, [commandLine, "acp", "--url", platform.url, "--agent", agent], {
    env: { ...process.env, AGENT_PLATFORM_TOKEN: token },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const seen: Seen = { updates: [], asked: [] };
  const editor = client({ name: "editor" })
    .onNotification(methods.client.session.update, ({ params }) => {
      seen.updates.push(params.update);
      onUpdate(params.update);
    })
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      seen.asked.push(params);
      const answer = answers.shift() ?? "cancelled";
      return {
        outcome: answer === "cancelled" ? { outcome: answer } : { outcome: "selected", optionId: answer },
      };
    });
  const output = Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>;
  await editor.connectWith(ndJsonStream(Writable.toWeb(child.stdin), output), async (context) => {
    const hello = await context.request(methods.agent.initialize, {
      protocolVersion: 1,
      clientCapabilities: {},
    });
    expect(hello).toMatchObject({ protocolVersion: 1, agentCapabilities: { loadSession: true } });
    await work(context, seen);
  });
  child.stdin.end();
  if (child.exitCode === null) await once(child, "exit");
  expect(child.exitCode).toBe(0);
}

const begin = async (agent: ClientContext): Promise<string> =>
  (await agent.request(methods.agent.session.new, { cwd: "/", mcpServers: [] })).sessionId;
const prompt = (agent: ClientContext, sessionId: string, text: string) =>
  agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text }] });
const textIn = (updates: readonly SessionUpdate[], kind = "agent_message_chunk"): string =>
  updates
    .flatMap((one) => (one.sessionUpdate === kind && "content" in one ? [textOf(one.content)] : []))
    .join("");
const textOf = (content: unknown): string =>
  content && typeof content === "object" && "text" in content ? String(content.text) : "";

describe("an editor", () => {
  test("prompts an agent, sees its tools, stops a run, and loads the session again", async () => {
    let stop = () => {};
    const onUpdate = (update: SessionUpdate) => {
      if (update.sessionUpdate === "tool_call_update") stop();
    };
    await editing(
      "assistant",
      async (agent, { updates }) => {
        const sessionId = await begin(agent);
        expect(await prompt(agent, sessionId, adding)).toEqual({
          stopReason: "end_turn",
        });
        const calls = updates.filter(({ sessionUpdate }) => sessionUpdate.startsWith("tool_call"));
        expect(calls).toMatchObject([
          {
            sessionUpdate: "tool_call",
            title: "add_numbers",
            status: "in_progress",
            rawInput: { a: 2, b: 3 },
          },
          { sessionUpdate: "tool_call_update", status: "completed", rawOutput: "5" },
        ]);
        expect(textIn(updates)).toContain("5");

        stop = () => void agent.notify(methods.agent.session.cancel, { sessionId });
        expect(await prompt(agent, sessionId, `${adding}[[sleep:60000]]never said`)).toEqual({
          stopReason: "cancelled",
        });
        expect(textIn(updates)).not.toContain("never said");

        updates.length = 0;
        await agent.request(methods.agent.session.load, { sessionId, cwd: "/", mcpServers: [] });
        expect(textIn(updates, "user_message_chunk")).toContain("add_numbers");
        expect(textIn(updates)).toContain("5");
        const unknown = agent.request(methods.agent.session.load, {
          sessionId: "unknown",
          cwd: "/",
          mcpServers: [],
        });
        await expect(unknown).rejects.toMatchObject({ code: -32002 });
      },
      { onUpdate },
    );
  });

  test("is asked before a call that has to be confirmed, and what it answers is done", async () => {
    await editing(
      "refund-desk",
      async (agent, { updates, asked }) => {
        const sessionId = await begin(agent);
        expect(await prompt(agent, sessionId, refund)).toEqual({ stopReason: "end_turn" });
        expect(asked).toMatchObject([
          {
            sessionId,
            toolCall: { title: "issue_refund", rawInput: { order_id: "A1", amount: 5 } },
            options: [{ kind: "allow_once" }, { kind: "reject_once" }],
          },
        ]);
        expect(JSON.stringify(updates)).toContain("Refunded 5 for order A1.");

        updates.length = 0;
        expect(await prompt(agent, await begin(agent), refund)).toEqual({ stopReason: "end_turn" });
        expect(updates).toContainEqual(expect.objectContaining({ status: "failed" }));
        expect(JSON.stringify(updates)).not.toContain("Refunded 5");

        expect(await prompt(agent, await begin(agent), refund)).toEqual({ stopReason: "cancelled" });
        expect(asked).toHaveLength(3);
      },
      { answers: ["allow", "reject", "cancelled"] },
    );
  });
});
