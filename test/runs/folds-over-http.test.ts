import { describe, expect } from "vitest";
import type { RunOutput } from "../../shared/schemas/runs/run.ts";
import { type Client, clientOf, framesOf, orderOf } from "../support/client.ts";
import { createComponent } from "../support/create-component.ts";
import { test } from "../support/shared-platform.ts";

let admin: Client;
let agent: string;
test.beforeAll(async ({ platform }) => {
  admin = clientOf(platform.url, platform.token("folds-admin", ["platform:admin"]));
  agent = await createComponent(admin, {
    stage: "published",
    config: {
      model: "scripted:scripted-1",
      tools: ["get_time"],
      add_history_to_context: true,
      compaction: { compact_at_tokens: 1_000 },
    },
  });
});

const LONG = `The pump in the cellar is crimson. ${"All is well. ".repeat(700)}`;

const said = async (message: string, session_id?: string): Promise<RunOutput> => {
  const form = { message, stream: "false", ...(session_id !== undefined && { session_id }) };
  const { status, json, text } = await admin.post(`/agents/${agent}/runs`, { form });
  if (status !== 200) throw new Error(`${status} ${text}`);
  return json;
};

/** The events of a run in a session whose history is too long. */
async function streamed(stream_events: boolean) {
  const { session_id } = await said(LONG);
  const form = { message: "what now?", session_id, stream: "true", stream_events: String(stream_events) };
  const { text } = await admin.post(`/agents/${agent}/runs`, { form });
  return { session_id, frames: framesOf(text) };
}

/** What stands in a later run for what was folded. */
const foldIn = ({ messages = [] }: RunOutput) =>
  messages.find(({ from_history, content = "" }) => from_history && /^\[The beginning of/.test(content))
    ?.content;

const search = `[[tool:search_result ${JSON.stringify({ result_id: "res_0000000000", pattern: "crimson" })}]]`;
const searchFor = (fold: string) =>
  search.replace("res_0000000000", /res_[0-9a-f]{10}/.exec(fold)?.[0] ?? "");

test("a component whose keys of compaction contradict each other is refused", async () => {
  const refused = async (compaction: object) => {
    const config = { model: "scripted:scripted-1", compaction };
    const fields = { name: "Bot", component_type: "agent", component_id: "contradicts", config };
    const { status, text } = await admin.post("/components", { json: { ...fields, stage: "published" } });
    expect(text).toContain("compaction is not usable");
    return status;
  };
  expect(await refused({ uncompacted_runs: 5, uncompacted_tokens: 100 })).toBe(422);
  expect(await refused({ store_compacted_messages: false, search_compacted_messages: true })).toBe(422);
});

describe("what was folded", () => {
  test("is in the events unless a client wants none, and the run has its record", async () => {
    const { session_id, frames } = await streamed(true);
    const order = orderOf(frames).filter((event) => /^Comp/.test(event));
    expect(order).toEqual(["CompactionStarted", "CompactionCompleted"]);
    const completed = frames.find(({ event }) => event === "CompactionCompleted")?.data;
    const { json: run } = await admin.get(
      `/agents/${agent}/runs/${String(completed?.run_id)}?session_id=${session_id}`,
    );
    expect(run.compaction).toMatchObject({
      run_id: run.run_id,
      summary: expect.stringMatching(/^\[The beginning of this conversation, 2 messages, is left out/),
      first_kept_message_id: expect.any(String),
      archived: true,
      messages_compacted: completed?.messages_compacted,
      tokens_before: completed?.tokens_before,
      tokens_after: completed?.tokens_after,
    });
    const { frames: content } = await streamed(false);
    expect(orderOf(content).some((event) => /^Comp/.test(event))).toBe(false);
    expect(content.length).toBeGreaterThan(0);
  });

  test("stands in the next run, in one that is made again, and in a copy of the session, and is found there", async () => {
    const { session_id } = await said(LONG);
    const folded = await said("what now?", session_id);
    expect(folded.compaction).toBeDefined();
    const next = await said("and then?", session_id);
    const fold = foldIn(next);
    expect(fold).toContain(folded.compaction?.summary);
    expect(JSON.stringify(next.messages)).not.toContain("All is well. All is well. All is well. All");

    const regenerate = { session_id, regenerate: "true", replace_original: "false", stream: "false" };
    const again = await admin.post(`/agents/${agent}/runs/${folded.run_id}/continue`, { form: regenerate });
    expect(again.status).toBe(200);
    expect(again.json.compaction).toEqual(folded.compaction);

    const forked = await admin.post(`/agents/${agent}/sessions/${session_id}/fork`);
    expect(forked.status).toBe(200);
    expect((await admin.send("DELETE", `/sessions/${session_id}`)).status).toBe(204);
    const { session_id: copy } = forked.json;
    const inCopy = await said(searchFor(fold ?? ""), copy);
    expect(foldIn(inCopy)).toBe(fold);
    expect(inCopy.tools?.[0]?.result).toContain("crimson");
  });
});
