import { describe, expect } from "vitest";
import { type Client, clientOf } from "../support/client.ts";
import type { RunningPlatform } from "../support/platform.ts";
import { test } from "../support/shared-platform.ts";

let platform: RunningPlatform;
let maria: Client;
const scopes = ["agents:read", "agents:run", "sessions:read", "sessions:delete"];
test.beforeAll(({ platform: shared }) => {
  platform = shared;
  maria = clientOf(platform.url, platform.token("maria", scopes));
});

type Shown = { readonly role: string; readonly content: string; readonly from_history: boolean };

const compact = (session_id: string, client = maria, agent = "assistant") =>
  client.post(`/agents/${agent}/sessions/${session_id}/compact`);
/** A session with runs that say these things. @returns its id */
async function sessionWith(...said: readonly string[]): Promise<string> {
  const [first = "", ...rest] = said;
  const { session_id } = (await maria.run(first)).json;
  for (const text of rest) await maria.run(text, { session_id });
  return session_id;
}
/** What the model is shown of the session before its next message. */
async function shownHistory(session_id: string): Promise<Shown[]> {
  const { json } = await maria.run("what now?", { session_id });
  return json.messages.filter((message: Shown) => message.from_history);
}
const listed = async (session_id: string): Promise<unknown> =>
  (await maria.get(`/sessions/${session_id}/runs`)).json;

describe("compacting a session", () => {
  test("has the next run be shown a summary of the older runs, and leaves the stored runs as they are", async () => {
    const session_id = await sessionWith("the pump leaks", "its seal is worn", "which seal?", "the red one");
    const before = await listed(session_id);
    const { status, json } = await compact(session_id);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      status: "compacted",
      compacted: true,
      message: expect.stringContaining("4 messages"),
      record: { messages_compacted: 4, summary: expect.stringContaining("the pump leaks") },
    });
    expect(json.record.tokens_after).toBeLessThan(json.record.tokens_before);
    expect(await listed(session_id)).toEqual(before);
    const history = await shownHistory(session_id);
    expect(history.map(({ content }) => content)).toEqual([
      `Summary of the conversation before:\n${json.record.summary}`,
      "which seal?",
      "You said: which seal?",
      "the red one",
      "You said: the red one",
    ]);
    const { chat_history } = (await maria.get(`/sessions/${session_id}`)).json;
    expect(chat_history.map(({ content }: Shown) => content)).toContain("its seal is worn");
    expect(JSON.stringify(chat_history)).not.toContain("Summary of the conversation");
  });

  test("once more takes the earlier summary along", async () => {
    const session_id = await sessionWith("one", "two", "three", "four");
    const first = (await compact(session_id)).json.record;
    expect((await compact(session_id)).json).toMatchObject({ compacted: false, status: "already_compacted" });
    await maria.run("five", { session_id });
    const second = (await compact(session_id)).json;
    expect(second).toMatchObject({ compacted: expect.any(Boolean) });
    await maria.run("six", { session_id });
    const third = (await compact(session_id)).json;
    const latest = [third, second].find(({ compacted }) => compacted);
    expect(latest.record.messages_compacted).toBeGreaterThan(first.messages_compacted);
    expect(latest.record.summary).toContain(first.summary);
  });

  test("in a queued run, too", async () => {
    const session_id = await sessionWith("alpha", "beta", "gamma");
    expect((await compact(session_id)).json.compacted).toBe(true);
    const run = await maria.settled(await maria.submit("and now?", { session_id }));
    const shown = run.messages?.filter(({ from_history }) => from_history) ?? [];
    expect(shown[0]?.content).toMatch(/^Summary of the conversation before:/);
    expect(shown).toHaveLength(5);
  });
});

describe("a decline is said", () => {
  test("where the latest runs are all there is", async () => {
    const session_id = await sessionWith("one", "two");
    expect(await compact(session_id)).toMatchObject({
      status: 200,
      json: { compacted: false, status: "nothing_to_fold", record: null, message: expect.any(String) },
    });
  });

  test("where no run has completed", async () => {
    const { json } = await maria.run("[[fail:boom]]");
    expect((await compact(json.session_id)).json).toMatchObject({ compacted: false, status: "no_history" });
  });

  test("where the agent is shown no history", async () => {
    const { json } = await maria.post("/agents/concierge/runs", { form: { message: "hi", stream: "false" } });
    expect((await compact(json.session_id, maria, "concierge")).json.status).toBe("not_enabled");
  });
});

test("is for the owner of the session, its own agent and whoever may run it", async () => {
  const session_id = await sessionWith("one", "two", "three");
  const otto = clientOf(platform.url, platform.token("otto", scopes));
  expect((await compact(session_id, otto)).status).toBe(404);
  expect((await compact(session_id, maria, "refund-desk")).status).toBe(404);
  expect((await compact(session_id, maria, "no-such-agent")).status).toBe(404);
  expect((await compact("no-such-session")).status).toBe(404);
  const reader = clientOf(platform.url, platform.token("maria", ["agents:read", "sessions:read"]));
  expect((await compact(session_id, reader)).status).toBe(403);
});

test("a copy of the session begins without the summary: its runs have other ids", async () => {
  const session_id = await sessionWith("one", "two", "three");
  expect((await compact(session_id)).json.compacted).toBe(true);
  const { json } = await maria.post(`/agents/assistant/sessions/${session_id}/fork`);
  const history = await shownHistory(json.session_id);
  expect(history[0]?.content).toBe("one");
});
