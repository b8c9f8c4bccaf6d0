import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "../../client/index.ts";
import { type Client, clientOf } from "../support/client.ts";
import { startPlatform, type TestPlatform } from "../support/platform.ts";

let platform: TestPlatform;
let maria: Client;
let otto: Client;
let admin: Client;
beforeAll(async () => {
  platform = await startPlatform();
  const scopes = ["agents:read", "agents:run", "sessions:read", "sessions:delete"];
  maria = clientOf(platform.url, platform.token("maria", scopes));
  otto = clientOf(platform.url, platform.token("otto", scopes));
  admin = clientOf(platform.url, platform.adminToken);
});
afterAll(() => platform.stop());

/** A run that waits for its user to confirm a letter. */
async function paused(client = maria) {
  const message = '[[tool:send_letter {"to":"Ann","text":"hello"}]]';
  const { json } = await client.post("/agents/front-desk/runs", { form: { message, stream: "false" } });
  expect(json.status).toBe("PAUSED");
  const path = `/agents/front-desk/runs/${json.run_id}`;
  const say = (form: Record<string, string>, by = client, headers: Record<string, string> = {}) =>
    by.post(`${path}/messages`, { form: { session_id: json.session_id, ...form }, headers });
  const states = async () => {
    const { json: body } = await client.get(`${path}/messages?session_id=${json.session_id}`);
    return body.messages.map(
      (one: { message_id: string; state: string }) => `${one.message_id} ${one.state}`,
    );
  };
  const withdraw = (id: string, by = client) =>
    by.call("DELETE", `${path}/messages/${id}?session_id=${json.session_id}`);
  const continued = () =>
    client.post(`${path}/continue`, {
      form: {
        session_id: json.session_id,
        stream: "false",
        tools: JSON.stringify([{ tool_call_id: json.tools[0].tool_call_id, confirmed: true }]),
      },
    });
  return { run: json, path, say, states, withdraw, continued };
}

test("what is said to a paused run stands behind the result of its tool once it is continued", async () => {
  const { run, say, states, continued } = await paused();
  const said = await say({ message: "To Bob as well", message_id: "bob" });
  expect(said.status).toBe(202);
  const { run_id, session_id } = run;
  expect(said.json).toEqual({ message_id: "bob", run_id, session_id, delivery: "steered" });
  expect(await states()).toEqual(["bob unread"]);
  const { json } = await continued();
  expect(json.status).toBe("COMPLETED");
  const roles = json.messages.filter(({ from_history }: { from_history: boolean }) => !from_history);
  expect(
    roles.map(({ role, content }: { role: string; content: string }) => [role, content]).slice(-3),
  ).toEqual([
    ["tool", expect.any(String)],
    ["user", "To Bob as well"],
    ["assistant", "You said: To Bob as well"],
  ]);
  expect(json.messages.at(-2).steered).toEqual({ message_id: "bob" });
  expect(await states()).toEqual(["bob taken"]);
});

test("the same message again is answered the same and is there once; a key is its id where it names none", async () => {
  const { run, say, states } = await paused();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => say({ message: "again" }, maria, { "idempotency-key": "k1" })),
  );
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(answers[0]?.json).toMatchObject({ message_id: "k1", run_id: run.run_id, delivery: "steered" });
  expect(await states()).toEqual(["k1 unread"]);
});

test("to a run that has ended it is said as a new run of its session, once, or refused where that is wished", async () => {
  const { run, path, say } = await paused();
  await maria.post(`${path}/cancel?session_id=${run.session_id}`);
  const refused = await say({ message: "late", if_ended: "reject" });
  expect([refused.status, refused.json.detail]).toEqual([409, `run ${run.run_id} has ended`]);
  const [first, second] = [
    await say({ message: "late", message_id: "m" }),
    await say({ message: "late", message_id: "m" }),
  ];
  expect(first.json).toMatchObject({ delivery: "new_run", session_id: run.session_id });
  expect(first.json.run_id).not.toBe(run.run_id);
  expect(second.text).toBe(first.text);
});

test("a message is withdrawn once, and only while its run has not taken it; that of a cancelled run stays unread", async () => {
  const { run, path, say, states, withdraw } = await paused();
  await say({ message: "one", message_id: "one" });
  await say({ message: "two", message_id: "two" });
  expect((await withdraw("one")).status).toBe(204);
  expect((await withdraw("one")).status).toBe(409);
  expect((await withdraw("none")).status).toBe(404);
  await maria.post(`${path}/cancel?session_id=${run.session_id}`);
  expect(await states()).toEqual(["one withdrawn", "two unread"]);
});

test("of a withdrawal and the run that takes the message at the same moment one wins, and both say which", async () => {
  for (const id of ["first", "second", "third", "fourth"]) {
    const { say, states, withdraw, continued } = await paused();
    await say({ message: `Also ${id}`, message_id: id });
    const [withdrawn, { json }] = await Promise.all([withdraw(id), continued()]);
    expect([204, 409]).toContain(withdrawn.status);
    const isShown = json.messages.some(({ content }: { content: unknown }) => content === `Also ${id}`);
    expect([await states(), isShown]).toEqual(
      withdrawn.status === 204 ? [[`${id} withdrawn`], false] : [[`${id} taken`], true],
    );
  }
});

test("others get 404, a missing scope 403, too much 429, nothing 422", async () => {
  const { path, say, withdraw, run } = await paused();
  expect((await say({ message: "hello" }, otto)).status).toBe(404);
  expect((await withdraw("one", otto)).status).toBe(404);
  const reader = clientOf(platform.url, platform.token("maria", ["agents:read"]));
  expect((await say({ message: "hello" }, reader)).status).toBe(403);
  expect((await say({ message: "" })).status).toBe(422);
  expect((await maria.post(`${path}/messages`, { form: { message: "hello" } })).status).toBe(400);
  expect(
    (
      await maria.post(`${path.slice(0, -1)}x/messages`, {
        form: { message: "a", session_id: run.session_id },
      })
    ).status,
  ).toBe(404);
  const sent = await Promise.all(Array.from({ length: 20 }, (_, n) => say({ message: `m${n}` })));
  expect(sent.map(({ status }) => status)).toEqual(Array(20).fill(202));
  const full = await say({ message: "one more" });
  expect([full.status, full.headers.get("retry-after")]).toEqual([429, "5"]);
  expect((await say({ message: "as an admin" }, admin)).status).toBe(429);
});

test("the typed client says it, and sees that the run has it", async () => {
  const { run, states, continued } = await paused();
  const client = createClient({ baseUrl: platform.url, token: platform.token("maria", ["agents:run"]) });
  const address = { agent_id: "front-desk", run_id: run.run_id, session_id: run.session_id };
  const sent = await client.runs.send(address, { message: "To Bob as well" });
  expect(sent).toMatchObject({ run_id: run.run_id, delivery: "steered" });
  expect(await client.runs.send(address, { message: "To Bob as well", message_id: sent.message_id })).toEqual(
    sent,
  );
  await continued();
  expect(await states()).toEqual([`${sent.message_id} taken`]);
});

test("what was said is removed with the session", async () => {
  const { run, say, states } = await paused();
  await say({ message: "hello" });
  expect((await maria.call("DELETE", `/sessions/${run.session_id}?type=agent`)).status).toBe(204);
  await expect(states()).rejects.toThrow();
});
