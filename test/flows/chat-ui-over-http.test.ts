import { describe, expect } from "vitest";
import { openChatUi } from "../support/chat-ui.ts";
import { type Client, clientOf } from "../support/client.ts";
import { test } from "../support/shared-platform.ts";

let maria: Client;
const scopes = ["agents:read", "agents:run", "teams:run", "workflows:run", "sessions:read", "sessions:write"];
test.beforeAll(({ platform }) => {
  maria = clientOf(platform.url, platform.token("maria", scopes));
});

const runs = "/agents/assistant/runs";
const adding = '[[tool:add_numbers {"a":2,"b":3}]]';
const listed = async (session_id: string, query = "") => maria.get(`/sessions/${session_id}/runs${query}`);

/** Starts a streamed run whose session it names itself, and leaves it going on. */
function streamed(message: string, session_id: string = crypto.randomUUID(), path = runs) {
  const ended = maria.post(path, { form: { message, session_id } });
  return { session_id, ended };
}

/** Cancels the one run of a session that goes on, and waits until it has ended. */
async function stop({ session_id, ended }: ReturnType<typeof streamed>): Promise<void> {
  const [{ run_id }] = (await listed(session_id, "?status=RUNNING")).json;
  expect((await maria.post(`${runs}/${run_id}/cancel?session_id=${session_id}`)).status).toBe(200);
  await ended;
}

describe("the peer's chat UI", () => {
  test("keeps the tool call and the text of a first message whose list is asked for while it streams", async () => {
    const ui = openChatUi(maria, ["ToolCallStarted", "ToolCallCompleted", "RunContent"]);
    await ui.send(runs, `${adding} [[sleep:900]] [[tokens:30]]`);
    const blank = ui.listings.flatMap(({ rows }) => rows).filter((row) => !row.content && !row.tools);
    expect(blank).toEqual([]);
    expect(ui.shown()).toMatchObject([
      { role: "user" },
      {
        role: "agent",
        content: expect.stringContaining("word30"),
        tool_calls: [{ tool_name: "add_numbers", result: "5" }],
      },
    ]);
  });

  test("keeps the text of a long answer when the list is asked for at its start alone", async () => {
    const ui = openChatUi(maria);
    await ui.send(runs, "[[tokens:400]]");
    expect(ui.shown().at(-1)?.content).toMatch(/^word1 .* word400$/s);
  });

  test("that is loaded again in the middle of a stream shows what was said and done so far", async () => {
    const going = streamed(`${adding} [[tokens:3]] [[sleep:60000]]`);
    const { session_id } = going;
    await expect.poll(async () => (await listed(session_id)).json?.[0]?.content).toBe("word1 word2 word3");
    const again = openChatUi(maria);
    await again.load(session_id);
    expect(again.shown()).toMatchObject([
      { role: "user", content: expect.stringContaining("add_numbers") },
      { role: "agent", content: "word1 word2 word3", tool_calls: [{ result: "5" }] },
    ]);
    const one = (await listed(session_id)).json[0];
    expect(one).toMatchObject({ status: "RUNNING", tools: [{ tool_name: "add_numbers", result: "5" }] });
    const { json } = await maria.get(`/sessions/${session_id}/runs/${one.run_id}`);
    expect(json).toMatchObject({ status: "RUNNING", content: "word1 word2 word3" });
    await stop(going);
    await again.load(session_id);
    expect(again.shown().at(-1)).toMatchObject({
      content: "word1 word2 word3",
      tool_calls: [{ result: "5" }],
    });
  });

  test("sees a call that has no result yet", async () => {
    const { session_id, ended } = streamed(
      '[[tool:issue_refund {"order_id":"o-9","amount":5}]]',
      undefined,
      "/agents/refund-desk/runs",
    );
    await ended;
    const { json } = await listed(session_id);
    expect(json).toMatchObject([{ status: "PAUSED", tools: [{ tool_name: "issue_refund", result: null }] }]);
  });
});

describe("a run of which nothing is known yet", () => {
  test("leaves its session unknown while it is the only one, and is found by its status", async () => {
    const going = streamed("[[sleep:60000]]");
    const { session_id } = going;
    await expect.poll(async () => (await listed(session_id, "?status=RUNNING")).json?.length).toBe(1);
    expect((await listed(session_id)).status).toBe(404);
    expect((await maria.get(`/sessions/${session_id}/run-previews`)).status).toBe(404);
    expect((await maria.get(`/sessions/${session_id}`)).status).toBe(200);
    await stop(going);
    expect((await listed(session_id)).json).toMatchObject([{ status: "CANCELLED" }]);
  });

  test("is not listed beside those before it", async () => {
    const { json: first } = await maria.run("first");
    const going = streamed("[[sleep:60000]]", first.session_id);
    const { session_id } = going;
    await expect.poll(async () => (await listed(session_id, "?status=RUNNING")).json?.length).toBe(1);
    expect((await listed(session_id)).json.map(({ run_id }: { run_id: string }) => run_id)).toEqual([
      first.run_id,
    ]);
    await stop(going);
    expect((await listed(session_id)).json).toHaveLength(2);
  });

  test("is listed when it is in the queue: its client knows its id", async () => {
    const run = await maria.submit("[[sleep:1000]]");
    expect((await listed(run.session_id)).json).toMatchObject([{ run_id: run.run_id }]);
    await maria.settled(run);
  });
});

test("a team and a workflow that go on show what they have done so far", async () => {
  const team = streamed("[[tokens:3]] [[sleep:2000]]", undefined, "/teams/support-team/runs");
  await expect.poll(async () => (await listed(team.session_id)).json?.[0]?.content).toBe("word1 word2 word3");
  await team.ended;
  const { json } = await listed(team.session_id, "?status=COMPLETED");
  expect(json[0]).toMatchObject({ status: "COMPLETED", content: "word1 word2 word3" });
});

describe("runs by status", () => {
  test("are repeatable and in any case; an unknown one is 400", async () => {
    const { json: done } = await maria.run("done");
    const { session_id } = done;
    const { json: failed } = await maria.run("[[fail:boom]]", { session_id });
    const ids = async (query: string, route = "runs") =>
      (await maria.get(`/sessions/${session_id}/${route}?${query}`)).json.map(
        ({ run_id }: { run_id: string }) => run_id,
      );
    for (const route of ["runs", "run-previews"]) {
      expect(await ids("status=COMPLETED", route)).toEqual([done.run_id]);
      expect(await ids("status=error", route)).toEqual([failed.run_id]);
      expect(await ids("status=Completed&status=ERROR", route)).toEqual([done.run_id, failed.run_id]);
      expect(await ids("status=PENDING&status=paused&status=CANCELLED&status=REGENERATED", route)).toEqual(
        [],
      );
      expect(await maria.get(`/sessions/${session_id}/${route}?status=done`)).toMatchObject({
        status: 400,
        json: { error_code: "BAD_REQUEST" },
      });
    }
    expect(await ids(`status=completed&created_before=${1}`)).toEqual([]);
  });
});

test("previews show the beginning of input and answer, and nothing else", async () => {
  const { json } = await maria.run(`${"ä😀".repeat(200)}`);
  const { json: previews } = await maria.get(`/sessions/${json.session_id}/run-previews`);
  expect(previews).toEqual([
    {
      run_id: json.run_id,
      agent_id: "assistant",
      user_id: "maria",
      status: "COMPLETED",
      run_input: "ä😀".repeat(140),
      content_preview: expect.stringMatching(/^You said: ä😀/),
      created_at: expect.stringMatching(/Z$/),
    },
  ]);
  expect([...previews[0].content_preview]).toHaveLength(280);
});
