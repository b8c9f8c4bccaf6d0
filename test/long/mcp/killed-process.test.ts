import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import * as v from "valibot";
import { afterAll, beforeAll, expect, test } from "vitest";
import { taskIn } from "../../../shared/engine/tool/mcp/mcp-task.ts";
import { adapted } from "../../../shared/engine/tool/mcp/mcp-transport.ts";
import { HANGS_AFTER_MS } from "../../support/hangs-after.ts";
import { GRACE_SECONDS, untilLocksAreStale } from "../../support/kill-campaign.ts";
import { type KillablePlatform, killablePlatform } from "../../support/killable-platform.ts";
import { BY_ITSELF } from "../../support/mcp-in-process.ts";

const TIMEOUT_MS = 200_000;
let platform: KillablePlatform;
let client: Client;
beforeAll(async () => {
  platform = await killablePlatform({ LOCK_GRACE_SECONDS: String(GRACE_SECONDS), MAX_ATTEMPTS: "2" });
  await platform.start();
  client = await connected(platform);
}, TIMEOUT_MS);
afterAll(async () => {
  await client?.close();
  await platform?.end();
});

/** The official client in the newest version, which is connected once. */
async function connected({ url, maria }: KillablePlatform): Promise<Client> {
  const made = new Client(
    { name: "test", version: "1" },
    {
      versionNegotiation: { mode: { pin: BY_ITSELF } },
      capabilities: { extensions: { "io.modelcontextprotocol/tasks": {} } },
    },
  );
  const fetchAsMaria = (_: string | URL, { method = "GET", headers, body }: RequestInit = {}) =>
    maria.send(method, "/mcp", {
      headers: Object.fromEntries(new Headers(headers)),
      ...(typeof body === "string" && { body }),
    });
  // Its version knows tasks as no result of a call: ours has it receive them as agents of the platform do.
  await made.connect(
    adapted(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { fetch: fetchAsMaria })),
  );
  return made;
}

const run = (message: string, more: object = {}) =>
  client.callTool({ name: "run_agent", arguments: { agent_id: "assistant", message, ...more } });

/** The list of tools as the wire has it: the client's own method keeps it. */
const listed = () => client.request({ method: "tools/list", params: {} }, v.looseObject({}));

/** Kills the process and starts another one over its data, at the same address. */
async function restarted(): Promise<void> {
  await platform.kill();
  await untilLocksAreStale(Date.now());
  await platform.start();
}

test(
  "a client's next request is answered by another process, which completes the task that the killed one accepted",
  async () => {
    const { structuredContent: before } = await run("before the kill");
    expect(before).toMatchObject({ status: "COMPLETED" });
    const tools = await listed();
    const task = taskIn(await run("in the background [[sleep:1500]]", { background: true }));
    if (!task) throw new Error("the run is no task");
    await restarted();

    expect(tools).toMatchObject({
      ...{ ttlMs: 5_000, cacheScope: "private" },
      tools: expect.arrayContaining([expect.objectContaining({ name: "run_agent" })]),
    });
    expect(await listed()).toEqual(tools);
    expect((await run("after the kill")).structuredContent).toMatchObject({
      ...{ status: "COMPLETED", content: expect.stringContaining("after the kill") },
    });
    const { run_id, session_id } = Object(before);
    const named = { component_type: "agent", component_id: "assistant", run_id, session_id };
    const read = await client.callTool({ name: "get_run", arguments: named });
    expect(read.structuredContent).toEqual(before);

    const seen = () =>
      client.request({ method: "tasks/get", params: { taskId: task.task_id } }, v.looseObject({}));
    await expect
      .poll(seen, { timeout: HANGS_AFTER_MS, interval: 200 })
      .toMatchObject({ status: expect.not.stringMatching(/^working$/) });
    expect(await seen()).toMatchObject({
      status: "completed",
      result: {
        structuredContent: {
          ...{ status: "COMPLETED", content: expect.stringContaining("in the background") },
        },
      },
    });
  },
  TIMEOUT_MS,
);
