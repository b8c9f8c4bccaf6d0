import { createHash, randomBytes } from "node:crypto";
import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { defineAgent } from "../../../shared/engine/define/agent.ts";
import { defineTool } from "../../../shared/engine/tool/tool.ts";
import { Reply } from "../../../shared/http/handler.ts";
import { createComponentRun } from "../../../shared/runs/index.ts";
import type { AcceptedRun, RunOutput } from "../../../shared/schemas/runs/run.ts";
import { showRunMedia } from "../../../shared/stores/objects/show-media.ts";
import { queueWorld } from "../../support/queue-world.ts";
import { startStores, type TestStores } from "../../support/stores.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
beforeEach(() => {
  stores.objects.isDown = false;
});
afterAll(() => stores.stop());

const LARGE = randomBytes(2_500_000).toString("hex");
const digest = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest("hex");

const fetchLarge = defineTool({
  name: "fetch_large",
  description: "Answer 5 MB.",
  parameters: v.object({}),
  effect: "safe",
  execute: () => LARGE,
});
const agent = defineAgent({
  id: "assistant",
  name: "Assistant",
  tools: [fetchLarge],
  add_history_to_context: true,
  // The whole result is in the run, its messages and its events, however large it is.
  offload_tool_results: false,
});
const findRunnable = async () => agent;

/** The service takes 400 KB an item; ours stay well below it. */
async function largestItem(): Promise<number> {
  const { client, tables } = stores.db;
  const pages = await Promise.all(
    Object.values(tables).map((TableName) => client.send(new ScanCommand({ TableName }))),
  );
  const items = pages.flatMap(({ Items = [] }) => Items);
  return Math.max(...items.map((item) => JSON.stringify(item, bytesAsText).length));
}
const bytesAsText = (_name: string, value: unknown): unknown =>
  value instanceof Uint8Array ? "x".repeat(value.length) : value;

describe("a tool result of 5 MB", () => {
  test("is kept and sent whole, and reaches the next run of the session", async () => {
    const world = queueWorld(stores.db);
    const first = await world.submit("[[tool:fetch_large {}]]");
    await world.deliver(first.run_id, { findRunnable });
    const run = await world.run(first);
    expect(run).toMatchObject({ status: "COMPLETED", output: { content: LARGE } });
    expect(run?.output.tools?.[0]?.result).toBe(LARGE);
    const events = await world.events(first.run_id);
    expect(events.at(-1)).toMatchObject({ event: "RunCompleted", content: LARGE });
    const indices = events.map(({ event_index }) => event_index);
    expect(indices).toEqual(indices.map((_, i) => i));

    const next = await world.submit("and now?", { session_id: first.session_id });
    await world.deliver(next.run_id, { findRunnable });
    const after = await world.run(next);
    const remembered = after?.output.messages?.find(({ role }) => role === "tool");
    expect(remembered).toMatchObject({ content: LARGE, from_history: true });
    expect(await largestItem()).toBeLessThan(300_000);
  });

  test("survives being handed from function to function", async () => {
    const world = queueWorld(stores.db, { SLICE_SECONDS: 1 });
    const accepted = await world.submit("[[tool:fetch_large {}]]");
    const impatient = { ...world.clock, now: () => world.clock.now() };
    // Each look at the time is a second later, so that every step is a slice.
    impatient.now = () => {
      world.clock.advance(1_000);
      return world.clock.now();
    };
    await world.deliver(accepted.run_id, { findRunnable, clock: impatient });
    for (
      let hop = world.queue.sent.find((sent) => sent.hop);
      hop;
      hop = world.queue.sent.find((sent) => sent.hop)
    ) {
      world.queue.sent.length = 0;
      await world.deliver(accepted.run_id, { findRunnable, clock: impatient }, hop.hop);
    }
    expect((await world.job(accepted.run_id))?.hops).toBeGreaterThan(0);
    expect(await world.run(accepted)).toMatchObject({ status: "COMPLETED", output: { content: LARGE } });
  });

  test("whose object is gone is an error, never an answer without it", async () => {
    const world = queueWorld(stores.db);
    const accepted = await world.submit("[[tool:fetch_large {}]]");
    await world.deliver(accepted.run_id, { findRunnable });
    const kept = new Map(stores.objects.held);
    stores.objects.held.clear();
    await expect(world.run(accepted)).rejects.toThrow("missing or damaged");
    for (const [key, bytes] of kept) stores.objects.held.set(key, bytes);
    expect(await world.run(accepted)).toMatchObject({ status: "COMPLETED" });
  });
});

describe("an upload of 5 MB", () => {
  const bytes = new Uint8Array(randomBytes(5_000_000));
  const files = [{ filename: "big.pdf", mime_type: "application/pdf", bytes }];

  test("is kept by reference, and comes back byte for byte", async () => {
    const world = queueWorld(stores.db);
    const accepted = await world.submit("look", { files });
    await world.deliverAll();
    const run = await world.run(accepted);
    expect(run?.output.input.files).toMatchObject([{ object: { sha256: digest(bytes), bytes: 5_000_000 } }]);
    const shown = run && (await showRunMedia(stores.db, run.output));
    const content = shown?.input.files?.[0]?.content ?? "";
    expect(digest(Buffer.from(content, "base64"))).toBe(digest(bytes));
    expect(await largestItem()).toBeLessThan(300_000);
  });

  test("of the same bytes, twice in a session, is one object", async () => {
    const world = queueWorld(stores.db);
    const first = await world.submit("look", { files });
    const objects = stores.objects.held.size;
    await world.submit("look again", { files, session_id: first.session_id });
    expect(stores.objects.held.size).toBe(objects);
  });

  test("is not accepted while the bucket is down", async () => {
    const world = queueWorld(stores.db);
    stores.objects.isDown = true;
    await expect(world.submit("look", { files, session_id: "down" })).rejects.toThrow("ECONNREFUSED");
    expect(world.queue.sent).toEqual([]);
    stores.objects.isDown = false;
    const answer = await createComponentRun(world.request("look", { files, session_id: "down" }), world);
    expect(answer).toBeInstanceOf(Reply);
  });
});

test("a run without large values never asks for an object", async () => {
  const world = queueWorld(stores.db);
  const { put, get } = stores.objects.asked;
  const accepted: AcceptedRun = await world.submit("hello");
  await world.deliverAll();
  const run = await world.run(accepted);
  await world.events(accepted.run_id);
  const output: RunOutput | undefined = run && (await showRunMedia(stores.db, run.output));
  expect(output).toMatchObject({ status: "COMPLETED" });
  expect(stores.objects.asked).toEqual({ put, get });
});
