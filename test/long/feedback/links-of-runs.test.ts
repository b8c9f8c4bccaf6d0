import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sealLink } from "../../../shared/outbound/index.ts";
import { type Client, clientOf, framesOf } from "../../support/client.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";

/** Runs whose requests name keys of feedback come with a link for each. */
let platform: TestPlatform;
let admin: Client;
let maria: Client;
const dataDir = mkdtempSync(join(tmpdir(), "platform-"));
beforeAll(async () => {
  const FEEDBACK_KEYS = JSON.stringify({ tone: { type: "category", categories: ["kind", "rude"] } });
  platform = await startPlatform({ dataDir, env: { FEEDBACK_LINKS: "on", FEEDBACK_KEYS } });
  admin = clientOf(platform.url, platform.adminToken);
  maria = clientOf(platform.url, platform.token("maria", scopes));
});
afterAll(async () => {
  await platform?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const scopes = [
  "agents:read",
  "agents:run",
  "teams:run",
  "workflows:run",
  "feedback:read",
  "sessions:delete",
];
const keys = { feedback_keys: "thumb, tone" };
const links = { thumb: expect.stringMatching(/\/f\/[\w-]+$/), tone: expect.stringMatching(/\/f\/[\w-]+$/) };
const ask = (form: Record<string, string>, path = "/agents/assistant/runs", client = maria) =>
  client.post(path, { form: { message: "hello", stream: "false", ...form } });
const saidOf = async ({ run_id, session_id }: Record<string, string>) =>
  (await admin.get(`/runs/${run_id}/feedback?session_id=${session_id}`)).json.data;
const at = ({ run_id, session_id }: Record<string, string>, path = "/agents/assistant/runs") =>
  `${path}/${run_id}?session_id=${session_id}`;

/** The frames of a stream, with the place of the links and of the end. */
async function streamed(client: Client, path: string, form: Record<string, string>) {
  const { text } = await client.post(path, { form });
  const frames = framesOf(text);
  const events = frames.map(({ event }) => event);
  const found = frames.filter(({ data }) => data.name === "feedback_links").map(({ data }) => data);
  return { frames, found, events };
}

describe("a run that names keys", () => {
  test("has links in its answer and when it is polled, by which feedback is given in its user's name", async () => {
    const { status, json: run } = await ask(keys);
    expect([status, run.feedback]).toEqual([200, links]);
    const polled = (await maria.get(at(run))).json.feedback;
    expect(polled).toEqual(links);
    for (const [link, score] of [
      [run.feedback.thumb, 0],
      [polled.thumb, 1],
    ] as const) {
      const body = new URLSearchParams({ score: String(score) });
      expect((await fetch(link, { method: "POST", body })).status).toBe(200);
    }
    expect(await saidOf(run)).toMatchObject([
      { key: "thumb", score: 1, author: "maria", role: "user", source: "link" },
    ]);
  });

  test("in the queue has them when it is polled", async () => {
    const { json: accepted } = await ask({ ...keys, background: "true" });
    const read = async () => (await maria.get(at(accepted))).json;
    await expect.poll(read).toMatchObject({ status: "COMPLETED", feedback: links });
  });

  test.each([
    ["/agents/assistant/runs", "RunCompleted", "agent_id"],
    ["/teams/support-team/runs", "TeamRunCompleted", "team_id"],
    ["/workflows/publish-report/runs", "WorkflowPaused", "workflow_id"],
  ])("streamed by %s has them in an event before its %s", async (path, end, id) => {
    for (const background of ["false", "true"]) {
      const { found, events } = await streamed(maria, path, { message: "hello", background, ...keys });
      expect(found).toMatchObject([{ event: "CustomEvent", feedback: links, [id]: expect.any(String) }]);
      expect(events.indexOf("CustomEvent")).toBe(events.indexOf(end) - 1);
    }
  });

  test("resumed has them again, and its other events keep their indices", async () => {
    const { frames } = await streamed(maria, "/agents/assistant/runs", {
      ...{ message: "hello", background: "true" },
      ...keys,
    });
    const { run_id, session_id } = frames[0]?.data ?? {};
    const resumed = await streamed(maria, `/agents/assistant/runs/${run_id}/resume`, {
      session_id: String(session_id),
    });
    expect(resumed.found).toMatchObject([{ name: "feedback_links", feedback: links }]);
    const indices = resumed.frames.flatMap(({ data }) => data.event_index ?? []);
    expect(indices).toEqual(indices.map((_, i) => i));
  });

  test("continued after a pause has them at its end", async () => {
    const message = '[[tool:issue_refund {"order_id":"o-1","amount":5}]]';
    const path = "/agents/refund-desk/runs";
    const paused = (await ask({ message, ...keys }, path)).json;
    expect(paused.status).toBe("PAUSED");
    const tools = paused.tools.map((tool: object) => ({ ...tool, confirmed: true }));
    const { found } = await streamed(maria, `${path}/${paused.run_id}/continue`, {
      ...{ session_id: paused.session_id, tools: JSON.stringify(tools), stream: "true" },
    });
    expect(found).toMatchObject([{ feedback: links }]);
  });
});

describe("a link, as a page of another origin uses it", () => {
  const origin = "https://shop.example";
  const send = (link: string, said: Record<string, string>) =>
    fetch(link, { method: "POST", body: new URLSearchParams(said), headers: { origin } });
  const opened = async (link: string) => {
    const { status, headers } = await fetch(link);
    return [status, headers.get("content-type")];
  };
  /** The status, and which pages may read the answer. */
  const answered = async (link: string, said: Record<string, string>) => {
    const { status, headers } = await send(link, said);
    return [status, headers.get("access-control-allow-origin")];
  };
  const linksTo = ({ run_id, session_id }: Record<string, string>, more: object = {}) =>
    maria.post(`/runs/${run_id}/feedback-links`, { json: { session_id, keys: ["thumb", "tone"], ...more } });
  const gone = [410, "*"];

  test("records what it takes, says what it does not take, and is used up after 20 changes", async () => {
    const { json: run } = await ask({});
    const { thumb, tone } = (await linksTo(run)).json;
    expect(await opened(thumb)).toEqual([200, "text/html; charset=utf-8"]);
    expect(await saidOf(run)).toEqual([]);
    expect(await answered(tone, { value: "rude" })).toEqual([200, "*"]);
    for (const said of [{ value: "loud" }, { value: "x".repeat(501) }, {}])
      expect(await answered(tone, said)).toEqual([422, "*"]);
    expect(await answered(thumb, { score: "NaN" })).toEqual([422, "*"]);
    expect(await answered(thumb, { score: "1", comment: "x".repeat(8_193) })).toEqual([413, "*"]);
    for (let n = 0; n < 20; n += 1) expect((await send(thumb, { score: String(n % 2) })).status).toBe(200);
    expect(await answered(thumb, { score: "0" })).toEqual(gone);
    expect(await saidOf(run)).toMatchObject([
      { key: "thumb", score: 1, source: "link" },
      { key: "tone", value: "rude", source: "link" },
    ]);
  });

  test("is answered 410 alike when it is forged, has expired, or its session was removed", async () => {
    const { json: run } = await ask({});
    const { run_id, session_id } = run;
    const { thumb } = (await linksTo(run)).json;
    const secret = readFileSync(join(dataDir, "secrets", "agent-platform-local-webhooks-local"), "utf8");
    const sealed = { run_id, session_id, key: "thumb", author: "maria" };
    const sealedUntil = (expires_at: number) =>
      `${platform.url}/f/${sealLink([JSON.parse(secret).current], { ...sealed, expires_at })}`;
    const now = Math.floor(Date.now() / 1000);
    expect((await fetch(sealedUntil(now + 60))).status).toBe(200);
    for (const link of [sealedUntil(now - 1), `${thumb}A`, `${platform.url}/f/none`]) {
      expect(await opened(link)).toEqual([410, "application/json"]);
      expect(await answered(link, { score: "1" })).toEqual(gone);
    }
    expect((await maria.call("DELETE", `/sessions/${session_id}`)).status).toBe(204);
    expect(await answered(thumb, { score: "1" })).toEqual(gone);
  });

  test("is good for 90 days at most, for keys of the instance, and for a run of the caller's", async () => {
    const { json: run } = await ask({});
    const most = 90 * 86_400;
    expect((await linksTo(run, { expires_in_seconds: most })).status).toBe(200);
    for (const wrong of [{ expires_in_seconds: most + 1 }, { keys: ["pace"] }, { keys: [] }])
      expect((await linksTo(run, wrong)).status).toBe(422);
    expect((await linksTo({ ...run, run_id: "none" })).status).toBe(404);
  });
});

test("closed keys refuse what they do not take, and record what they do", async () => {
  const { json: run } = await ask({});
  const { run_id, session_id, messages } = run;
  const give = (said: object) =>
    maria.post(`/runs/${run_id}/feedback`, { json: { session_id, ...said } }).then(({ status }) => status);
  for (const said of [
    { key: "pace", score: 1 },
    { key: "tone", value: "loud" },
    { key: "tone", score: 1 },
    { key: "thumb", score: 2 },
    { key: "thumb", score: "NaN" },
    { key: "rating", score: 5.1 },
    { key: "tone", value: "x".repeat(501) },
    { key: "tone", value: "kind", message_id: "none" },
  ])
    expect([said, await give(said)]).toEqual([said, 422]);
  const nan = { body: `{"session_id":"${session_id}","key":"thumb","score":NaN}` };
  const headers = { "content-type": "application/json" };
  expect((await maria.post(`/runs/${run_id}/feedback`, { ...nan, headers })).status).toBe(422);
  expect(await saidOf(run)).toEqual([]);
  const { id: message_id } = messages.at(-1);
  expect(await give({ key: "tone", value: "kind", message_id })).toBe(201);
  expect(await saidOf(run)).toMatchObject([{ key: "tone", value: "kind", message_id }]);
});

describe("links", () => {
  test("that an admin reads are in the name of the run's user; others do not see the run", async () => {
    const { json: run } = await ask(keys);
    const { feedback } = (await admin.get(at(run))).json;
    expect(feedback).toEqual(links);
    const body = new URLSearchParams({ value: "kind" });
    expect((await fetch(feedback.tone, { method: "POST", body })).status).toBe(200);
    expect(await saidOf(run)).toMatchObject([{ key: "tone", value: "kind", author: "maria", role: "user" }]);
    const paul = clientOf(platform.url, platform.token("paul", scopes));
    expect((await paul.get(at(run))).status).toBe(404);
  });

  test("cost no write more", async () => {
    let writes = 0;
    platform.faults.set(({ service, operation, caller }) => {
      const isOfRuns = caller.label === "RunsStream" && service === "dynamodb";
      if (isOfRuns && /^(Put|Update|Delete|Transact|BatchWrite)/.test(operation)) writes += 1;
      return undefined;
    });
    /** Of some runs the fewest: now and then the function writes what belongs to no single one. */
    const writesOf = async (form: Record<string, string>): Promise<number> => {
      const counts: number[] = [];
      for (let i = 0; i < 4; i += 1) {
        writes = 0;
        expect((await ask(form)).status).toBe(200);
        counts.push(writes);
      }
      return Math.min(...counts);
    };
    // The first one finds the platform's calls watched.
    await ask({});
    const without = await writesOf({});
    expect(without).toBeGreaterThan(0);
    expect(await writesOf(keys)).toBe(without);
    platform.faults.clear();
  });

  test("are not there for a run that names no keys, and a key that is none is refused before the run", async () => {
    const { json } = await ask({});
    expect(json).not.toHaveProperty("feedback");
    const { events } = await streamed(maria, "/agents/assistant/runs", { message: "hello" });
    expect(events).not.toContain("CustomEvent");
    expect((await ask({ feedback_keys: "pace" })).status).toBe(422);
    expect((await ask({ feedback_keys: "Not A Key" })).status).toBe(422);
    expect((await ask({ feedback_keys: "" })).json).not.toHaveProperty("feedback");
  });
});
