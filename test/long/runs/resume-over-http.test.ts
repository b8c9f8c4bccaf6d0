import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AcceptedRun, RunOutput } from "../../../shared/schemas/runs/run.ts";
import { type Client, clientOf, framesOf } from "../../support/client.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";

const dataDir = mkdtempSync(join(tmpdir(), "resume-"));
let platform: TestPlatform;
let maria: Client;
let otto: Client;
let admin: Client;
const connect = async () => {
  platform = await startPlatform({ dataDir });
  maria = clientOf(platform.url, platform.token("maria", ["agents:read", "agents:run"]));
  otto = clientOf(platform.url, platform.token("otto", ["agents:read", "agents:run"]));
  admin = clientOf(platform.url, platform.adminToken);
};
beforeAll(connect);
afterAll(async () => {
  await platform.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const runs = "/agents/assistant/runs";
const resume = async ({ run_id, session_id }: AcceptedRun, last?: number, client = maria) => {
  const form = { session_id, ...(last !== undefined && { last_event_index: String(last) }) };
  return client.post(`${runs}/${run_id}/resume`, { form });
};
/** Frames of the run itself, without those that show how the connection stands. */
const eventsIn = (text: string) => framesOf(text).filter(({ data }) => data.event_index !== undefined);

describe("resuming a run that has ended", () => {
  test("after a cut at any index gives the rest of the same sequence", async () => {
    const whole = eventsIn(
      (await maria.post(runs, { form: { message: "[[tokens:4]]", background: "true" } })).text,
    );
    const run = whole[0]?.data as AcceptedRun;
    expect(whole.map(({ data }) => data.event_index)).toEqual(whole.map((_, i) => i));
    for (let cut = -1; cut < whole.length; cut += 1) {
      const frames = framesOf((await resume(run, cut)).text);
      expect(frames[0]).toMatchObject({
        event: "replay",
        data: {
          run_id: run.run_id,
          status: "COMPLETED",
          total_events: whole.length,
          last_event_index_requested: cut,
        },
      });
      expect(frames.slice(1)).toEqual(whole.slice(cut + 1));
    }
    expect(eventsIn((await resume(run)).text)).toEqual(whole);
  });

  test("that ran in the foreground replays it too", async () => {
    const run: RunOutput = (await maria.run("hello")).json;
    const frames = framesOf((await resume(run)).text);
    expect(frames.map(({ event }) => event).slice(0, 2)).toEqual(["replay", "RunStarted"]);
    expect(frames.at(-1)?.event).toBe("RunCompleted");
  });
});

test("resuming a live run sends what was missed, and then what happens", async () => {
  const run = await maria.submit("[[sleep:1500]]");
  await expect.poll(async () => (await maria.poll(run)).json.status).toBe("RUNNING");
  // Events reach the record a moment after they happen.
  const isStreamed = async () => eventsIn((await resume(await maria.settled(run))).text);
  const live = framesOf((await resume(run)).text);
  const subscribed = live.findIndex(({ event }) => event === "subscribed");
  expect(subscribed).toBeGreaterThanOrEqual(0);
  if (subscribed > 0) expect(live[0]?.event).toBe("catch_up");
  expect(live.at(-1)?.event).toBe("RunCompleted");
  expect(live.filter(({ data }) => data.event_index !== undefined)).toEqual(await isStreamed());
});

test("every cut of a live run's stream is healed by resuming there", async () => {
  const response = await maria.send("POST", runs, {
    form: { message: "[[sleep:600]] a b c", background: "true" },
  });
  const reader = response.body?.getReader();
  const first = framesOf(new TextDecoder().decode((await reader?.read())?.value));
  const run = first[0]?.data as AcceptedRun;
  await reader?.cancel();
  const rest = await Promise.all([-1, 0, 1].map(async (cut) => eventsIn((await resume(run, cut)).text)));
  const whole = rest[0] ?? [];
  expect(whole.at(-1)?.event).toBe("RunCompleted");
  expect(rest[1]).toEqual(whole.slice(1));
  expect(rest[2]).toEqual(whole.slice(2));
});

describe("who may resume", () => {
  test("its owner, who names the session; no other user learns that it is there", async () => {
    const run: RunOutput = (await maria.run("hello")).json;
    expect((await maria.post(`${runs}/${run.run_id}/resume`)).status).toBe(400);
    expect((await resume(run, 0, otto)).status).toBe(404);
    expect((await resume({ ...run, run_id: "none" })).status).toBe(404);
    expect((await maria.post(`/agents/unknown/runs/${run.run_id}/resume`)).status).toBe(404);
    expect(
      (await maria.post(`${runs}/${run.run_id}/resume`, { form: { last_event_index: "x" } })).status,
    ).toBe(422);
  });

  test("an admin, who learns of an unknown run within the stream", async () => {
    const { status, text } = await admin.post(`${runs}/none/resume`);
    expect(status).toBe(200);
    expect(framesOf(text)).toMatchObject([{ event: "error", data: { error: expect.any(String) } }]);
    const run = await maria.submit("hello");
    await maria.settled(run);
    expect(eventsIn((await admin.post(`${runs}/${run.run_id}/resume`)).text).length).toBeGreaterThan(3);
  });
});

describe("checkpoints", () => {
  test("are the places after each step of the run; each shows the run as it was there", async () => {
    const run: RunOutput = (await maria.run('[[tool:add_numbers {"a":2,"b":3}]]')).json;
    const path = `${runs}/${run.run_id}/checkpoints`;
    const { json } = await maria.get(`${path}?session_id=${run.session_id}`);
    const count = run.messages?.length ?? 0;
    expect(json).toMatchObject({ run_id: run.run_id, session_id: run.session_id });
    const places = json.checkpoints.map(({ message_role }: { message_role: string }) => message_role);
    expect(places).toEqual(["user", "tool", "assistant"]);
    expect(json.checkpoints.at(-1)).toMatchObject({
      checkpoint_id: "3",
      message_index: count,
      continue_from: count,
      status: "COMPLETED",
      reason: "end",
      is_latest: true,
      message_preview: "5",
    });
    expect(json.checkpoints[0]).toMatchObject({ reason: "checkpoint", is_latest: false });
    const at = json.checkpoints[1];
    const one = await maria.get(`${path}/${at.message_index}?session_id=${run.session_id}`);
    expect(one.json.checkpoint).toEqual(at);
    expect(one.json.snapshot.messages).toEqual(run.messages?.slice(0, at.message_index));
    expect((await maria.get(`${path}/0?session_id=${run.session_id}`)).json.snapshot.messages).toEqual([]);
    const from = String(at.continue_from);
    const forked = await maria.post(`${runs}/${run.run_id}/continue`, {
      form: { session_id: run.session_id, stream: "false", fork: "true", continue_from: from },
    });
    expect(forked.json).toMatchObject({
      status: "COMPLETED",
      content: "5",
      forked_from_message_index: at.message_index,
    });
    for (const index of [String(count + 1), "-1", "x"]) {
      expect((await maria.get(`${path}/${index}?session_id=${run.session_id}`)).status).toBe(400);
    }
    expect((await otto.get(`${path}?session_id=${run.session_id}`)).status).toBe(404);
  });
});

describe("forking a session", () => {
  const fork = (session: string, client = maria) => client.post(`/agents/assistant/sessions/${session}/fork`);

  test("copies its completed runs; what is said there is not said here", async () => {
    const first: RunOutput = (await maria.run("one", { session_state: '{"step":1}' })).json;
    const { session_id } = first;
    await maria.run("two", { session_id });
    await maria.run("[[fail:boom]]", { session_id });
    const { status, json } = await fork(session_id);
    expect(status).toBe(200);
    expect(json).toEqual({ session_id: expect.any(String), forked_from_session_id: session_id });
    const list = async (id: string) => (await maria.get(`${runs}?session_id=${id}`)).json;
    const copied = await list(json.session_id);
    expect(copied.map(({ content }: RunOutput) => content)).toEqual(["You said: one", "You said: two"]);
    const copy = await maria.get(`${runs}/${copied[0].run_id}?session_id=${json.session_id}`);
    expect(copy.json).toMatchObject({ forked_from_run_id: first.run_id, forked_from_session_id: session_id });
    const next = await maria.run("three", { session_id: json.session_id });
    expect(next.json.session_state).toEqual({ step: 1 });
    expect(
      next.json.messages.filter(({ from_history }: { from_history: boolean }) => from_history),
    ).toHaveLength(4);
    expect(await list(session_id)).toHaveLength(3);
  });

  test("that is unknown, empty or another user's is 400", async () => {
    const failed: RunOutput = (await maria.run("[[fail:boom]]")).json;
    const other: RunOutput = (await otto.run("mine")).json;
    for (const session of ["none", failed.session_id, other.session_id]) {
      expect(await fork(session)).toMatchObject({ status: 400, json: { error_code: "BAD_REQUEST" } });
    }
  });
});

test("a run is resumed after the platform has been restarted", async () => {
  const whole = eventsIn((await maria.post(runs, { form: { message: "before", background: "true" } })).text);
  const run = whole[0]?.data as AcceptedRun;
  await platform.stop();
  await connect();
  expect(eventsIn((await resume(run, 1)).text)).toEqual(whole.slice(2));
});
