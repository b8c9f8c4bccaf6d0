import { describe, expect } from "vitest";
import { type Answer, type Client, clientOf } from "../support/client.ts";
import type { RunningPlatform } from "../support/platform.ts";
import { test } from "../support/shared-platform.ts";

let platform: RunningPlatform;
let admin: Client;
test.beforeAll(async ({ platform: shared }) => {
  platform = shared;
  admin = clientOf(platform.url, platform.adminToken);
});

const ordinary = ["agents:read", "agents:run", "sessions:delete", "feedback:read"];
let users = 0;
/** A user whom no other test knows. */
function newUser(scopes: readonly string[] = ordinary) {
  users += 1;
  const name = `judge-${users}`;
  return { name, ...clientOf(platform.url, platform.token(name, scopes)) };
}
const as = (name: string, scopes: readonly string[]) => clientOf(platform.url, platform.token(name, scopes));

type Run = { readonly run_id: string; readonly session_id: string };
const aRun = async (client: Client): Promise<Run> => (await client.run("Where is my order?")).json;
const give = (client: Client, { run_id, session_id }: Run, said: object): Promise<Answer> =>
  client.post(`/runs/${run_id}/feedback`, { json: { session_id, ...said } });
const at = ({ run_id, session_id }: Run, id?: string): string =>
  `/runs/${run_id}/feedback${id ? `/${id}` : ""}?session_id=${session_id}`;

describe("a vote", () => {
  test("is created, changed and repeated: 201, 200, 200, and one record each time", async () => {
    const user = newUser();
    const run = await aRun(user);
    const first = await give(user, run, { key: "thumb", score: 0, comment: "Too slow" });
    expect(first).toMatchObject({
      status: 201,
      json: {
        feedback_id: expect.stringMatching(/^fb_[0-9a-f]{20}$/),
        ...onlyIds(run),
        component: { type: "agent", id: "assistant" },
        user_id: user.name,
        author: user.name,
        role: "user",
        source: "api",
        review_status: "new",
        key: "thumb",
        score: 0,
        comment: "Too slow",
      },
    });
    const changed = await give(user, run, { key: "thumb", score: 1 });
    expect([changed.status, changed.json.score, changed.json.comment]).toEqual([200, 1, undefined]);
    expect(changed.json.feedback_id).toBe(first.json.feedback_id);
    expect(await give(user, run, { key: "thumb", score: 1 })).toMatchObject({
      status: 200,
      json: changed.json,
    });
    const { json } = await user.get(at(run));
    expect(json).toEqual({
      data: [changed.json],
      summary: { thumb: { count: 1, sum: 1, scores: { 1: 1 } } },
    });
  });

  test("is taken back by its author, and by whoever has feedback:delete", async () => {
    const user = newUser();
    const run = await aRun(user);
    const { feedback_id } = (await give(user, run, { key: "rating", score: 4 })).json;
    const operator = as(user.name, [...ordinary, "feedback:write"]);
    const reviewed = await operator.call("PATCH", at(run, feedback_id), {
      json: { review_status: "reviewed" },
    });
    expect(reviewed).toMatchObject({ status: 200, json: { review_status: "reviewed", score: 4 } });
    const patch = { json: { review_status: "dismissed" } };
    expect((await user.call("PATCH", at(run, feedback_id), patch)).status).toBe(403);
    const stranger = newUser(["agents:run", "feedback:everybody"]);
    expect((await stranger.call("DELETE", at(run, feedback_id))).status).toBe(403);
    expect((await user.call("DELETE", at(run, feedback_id))).status).toBe(204);
    expect((await user.call("DELETE", at(run, feedback_id))).status).toBe(404);
    const again = (await give(user, run, { key: "rating", score: 2 })).json;
    const remover = newUser(["agents:run", "feedback:everybody", "feedback:delete"]);
    expect((await remover.call("DELETE", at(run, again.feedback_id))).status).toBe(204);
    expect((await admin.get(at(run))).json).toEqual({ data: [], summary: {} });
  });

  test("is about a message that the run has, or refused with 422", async () => {
    const user = newUser();
    const { messages, ...run } = (await user.run("Where is my order?")).json;
    const [{ id: message_id }] = messages.slice(-1);
    expect((await give(user, run, { key: "thumb", score: 1, message_id })).status).toBe(201);
    expect((await give(user, run, { key: "thumb", score: 1 })).status).toBe(201);
    const unknown = await give(user, run, { key: "thumb", score: 1, message_id: "none" });
    expect([unknown.status, unknown.json.detail]).toEqual([422, "the run has no message none"]);
    expect((await give(user, run, { key: "thumb", score: 3 })).status).toBe(422);
    expect((await user.get(at(run))).json.summary.thumb.count).toBe(2);
  });

  test("may be given while the run is under way", async () => {
    const user = newUser();
    const run = await user.submit("[[wait:200]] Where is my order?");
    expect((await give(user, run, { key: "thumb", score: 1 })).status).toBe(201);
    await user.settled(run);
  });
});

describe("whose run it is", () => {
  test("another user's is not found, one of a component without its scope is refused", async () => {
    const user = newUser();
    const run = await aRun(user);
    const other = newUser();
    const vote = { key: "thumb", score: 1 };
    expect((await give(other, run, vote)).status).toBe(404);
    expect((await other.get(at(run))).status).toBe(404);
    expect((await give(as(user.name, ["agents:refunds:run"]), run, vote)).status).toBe(403);
    expect((await give(as(user.name, ["agents:assistant:run"]), run, vote)).status).toBe(201);
    expect((await give(clientOf(platform.url), run, vote)).status).toBe(401);
  });

  test("others' take feedback:write, and another author takes feedback:everybody", async () => {
    const user = newUser();
    const run = await aRun(user);
    const vote = { key: "thumb", score: 1 };
    expect((await give(user, run, { ...vote, author: "colleague" })).status).toBe(403);
    const reader = newUser(["agents:run", "feedback:everybody"]);
    expect((await give(reader, run, vote)).status).toBe(403);
    const operator = newUser(["agents:run", "feedback:everybody", "feedback:write"]);
    expect(await give(operator, run, vote)).toMatchObject({
      status: 201,
      json: { author: operator.name, role: "operator", user_id: user.name },
    });
    const named = { ...vote, author: "colleague" };
    expect((await give(operator, run, named)).json).toMatchObject({
      author: "colleague",
      role: "participant",
    });
    const itself = { ...vote, score: 0, author: user.name };
    expect((await give(operator, run, itself)).json).toMatchObject({ author: user.name, role: "user" });
    expect((await admin.get(at(run))).json.summary.thumb).toEqual({
      count: 3,
      sum: 2,
      scores: { 0: 1, 1: 2 },
    });
  });
});

describe("the list of all", () => {
  test("shows a user its own, and others to an admin, filtered, by pages and as lines", async () => {
    const user = newUser();
    const run = await aRun(user);
    await give(user, run, { key: "rating", score: 5 });
    await give(user, run, { key: "thumb", score: 0 });
    await give(admin, run, { key: "tone", value: "rude" });
    const keysOf = ({ json }: Answer): string[] => json.data.map(({ key }: { key: string }) => key).sort();
    expect(keysOf(await user.get("/feedback"))).toEqual(["rating", "thumb", "tone"]);
    expect(keysOf(await newUser().get(`/feedback?user_id=${user.name}`))).toEqual([]);
    const of = (query: string) => admin.get(`/feedback?user_id=${user.name}&component_id=assistant${query}`);
    expect(keysOf(await of("&role=user"))).toEqual(["rating", "thumb"]);
    expect(keysOf(await of("&score_min=0.5"))).toEqual(["rating"]);
    expect(keysOf(await of("&key=thumb&score_max=0&source=api&review_status=new"))).toEqual(["thumb"]);
    expect(keysOf(await of("&component_type=team"))).toEqual([]);
    const first = await of("&limit=2");
    const rest = await of(`&limit=2&cursor=${first.json.next_cursor}`);
    expect([...keysOf(first), ...keysOf(rest)].sort()).toEqual(["rating", "thumb", "tone"]);
    expect(rest.json.next_cursor).toBeNull();
    expect((await of(`&key=thumb&cursor=${first.json.next_cursor}`)).status).toBe(400);
    const lines = await of("&format=jsonl&limit=2");
    expect(lines.headers.get("x-next-cursor")).toBe(first.json.next_cursor);
    expect(
      lines.text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(first.json.data);
    expect((await newUser(["agents:run"]).get("/feedback")).status).toBe(403);
  });
});

test("the list of runs shows those that were judged so", async () => {
  const user = newUser();
  const [good, bad] = [await aRun(user), await aRun(user)];
  await aRun(user);
  await give(user, good, { key: "thumb", score: 1 });
  await give(user, bad, { key: "thumb", score: 0 });
  await give(user, bad, { key: "rating", score: 2.5 });
  const idsOf = async (feedback: string): Promise<string[]> =>
    (await user.get(`/runs?feedback=${feedback}`)).json.data.map(({ run_id }: Run) => run_id);
  expect(await idsOf("thumb:0")).toEqual([bad.run_id]);
  expect(await idsOf("thumb")).toEqual([bad.run_id, good.run_id]);
  expect(await idsOf("rating:2.5")).toEqual([bad.run_id]);
  expect(await idsOf("rating:2")).toEqual([]);
  expect(await idsOf("")).toHaveLength(3);
  expect((await user.get("/runs?feedback=Thumb")).status).toBe(422);
});

test("what was said about a run goes with its session", async () => {
  const user = newUser();
  const run = await aRun(user);
  await give(user, run, { key: "correction", correction: "On Tuesday" });
  expect((await user.call("DELETE", `/sessions/${run.session_id}`)).status).toBe(204);
  expect((await give(user, run, { key: "thumb", score: 1 })).status).toBe(404);
  await expect.poll(async () => (await admin.get(`/feedback?user_id=${user.name}`)).json.data).toEqual([]);
});

const onlyIds = ({ run_id, session_id }: Run): Run => ({ run_id, session_id });
