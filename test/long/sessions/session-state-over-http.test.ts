import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AcceptedRun, RunOutput } from "../../../shared/schemas/runs/run.ts";
import { type Client, clientOf, framesOf } from "../../support/client.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";
import { allBut, specialRegistry } from "../../support/test-registry.ts";

/** What becomes of a session's state when several runs, people and clients change it. */
let platform: TestPlatform;
let admin: Client;
beforeAll(async () => {
  platform = await startPlatform({
    registry: specialRegistry,
    without: allBut("runs", "sessions", "worker"),
  });
  admin = clientOf(platform.url, platform.adminToken);
});
afterAll(() => platform?.stop());

type Kind = "agents" | "teams" | "workflows";
type Ref = Pick<AcceptedRun, "run_id" | "session_id">;

/** The runs of one component in one session. */
function inSession(component: `${Kind}/${string}`) {
  const session_id = crypto.randomUUID();
  const runs = `/${component}/runs`;
  const form = (message: string, more: Record<string, string>) => ({
    message,
    session_id,
    stream: "false",
    ...more,
  });
  const get = async ({ run_id }: Ref) =>
    (await admin.get(`${runs}/${run_id}?session_id=${session_id}`)).json as RunOutput;
  return {
    get,
    submit: async (message: string, more: Record<string, string> = {}): Promise<Ref> => {
      const sent = await admin.post(runs, { form: form(message, { background: "true", ...more }) });
      expect(sent).toMatchObject({ status: 202 });
      return sent.json;
    },
    wait: async (message: string, more: Record<string, string> = {}) =>
      (await admin.post(runs, { form: form(message, more) })).json as RunOutput,
    stream: async (message: string) =>
      framesOf((await admin.post(runs, { form: form(message, { stream: "true" }) })).text),
    rested: async (run: Ref): Promise<RunOutput> => {
      await expect.poll(async () => (await get(run)).status).not.toMatch(/PENDING|RUNNING/);
      return get(run);
    },
    resume: (run: RunOutput, background: boolean) =>
      admin.post(`${runs}/${run.run_id}/continue`, {
        form: {
          session_id,
          stream: "false",
          background: String(background),
          tools: JSON.stringify(run.tools?.map((tool) => ({ ...tool, confirmed: true }))),
        },
      }),
    events: async ({ run_id }: Ref) =>
      framesOf((await admin.post(`${runs}/${run_id}/resume`, { form: { session_id } })).text)
        .map(({ data }) => data)
        .filter(({ event_index }) => event_index !== undefined),
    state: async () => (await admin.get(`/sessions/${session_id}`)).json.session_state,
    patch: async (session_state: Record<string, unknown>) => {
      const sent = await admin.call("PATCH", `/sessions/${session_id}`, { json: { session_state } });
      expect(sent.status).toBe(200);
    },
  };
}

const BUMP = "[[tool:bump {}]]";
const together = { session_policy: "parallel" };

describe("runs in order", () => {
  test("each find what the one before has left", async () => {
    const session = inSession("agents/counter");
    const runs = [];
    for (let n = 1; n <= 4; n += 1) runs.push(await session.submit(BUMP));
    const ended = [];
    for (const run of runs) ended.push(await session.rested(run));
    expect(ended.map(({ session_state }) => session_state?.n)).toEqual([1, 2, 3, 4]);
    expect(await session.state()).toMatchObject({ n: 4 });
  });

  test("of a workflow count every branch, and the agent of a step", async () => {
    const session = inSession("workflows/counting-flow");
    for (let n = 1; n <= 2; n += 1) await session.rested(await session.submit("count"));
    expect(await session.state()).toMatchObject({ n: 6 });
  });

  test("of a team count what its member does", async () => {
    const session = inSession("teams/counting-team");
    const task = { member_id: "counter", task: BUMP };
    const message = `[[tool:delegate_task_to_member ${JSON.stringify(task)}]]`;
    for (let n = 1; n <= 3; n += 1) await session.rested(await session.submit(message));
    expect(await session.state()).toEqual({ n: 3, log: ["anyone", "anyone", "anyone"] });
  });
});

describe.each([
  ["in the queue", true],
  ["in the foreground", false],
])("a paused run that resumes %s", (_, background) => {
  test("finds what others have done since, and takes nothing of it back", async () => {
    const session = inSession("agents/counter");
    const start = background ? session.submit : session.wait;
    const waiting = await session.rested(
      await start(`${BUMP}[[tool:bump_confirmed {}]]`, { session_state: '{"asked":"a"}' }),
    );
    expect(waiting.status).toBe("PAUSED");
    expect(await session.state()).toMatchObject({ n: 1, asked: "a" });
    await session.rested(await session.submit(`${BUMP}[[tool:put {"key":"other","chars":3}]]`));
    await session.patch({ ...(await session.state()), asked: "b" });
    await session.resume(waiting, background);
    const ended = await session.rested(waiting);
    expect(ended).toMatchObject({ status: "COMPLETED", session_state: { n: 3, other: "xxx", asked: "b" } });
    expect(await session.state()).toMatchObject({ n: 3, other: "xxx", asked: "b" });
  });
});

test("a paused run that resumes in the queue while another is executed counts on from it", async () => {
  const session = inSession("agents/counter");
  const waiting = await session.rested(await session.submit("[[tool:bump_confirmed {}]]"));
  const others = [await session.submit('[[tool:bump {"ms":1500}]]'), await session.submit(BUMP)];
  await expect.poll(async () => (await session.get(others[0] as Ref)).status).toBe("RUNNING");
  expect((await session.resume(waiting, true)).status).toBe(202);
  const last = await session.submit(BUMP);
  for (const run of [...others, waiting, last]) await session.rested(run);
  expect(await session.state()).toMatchObject({ n: 4 });
  expect((await session.get(waiting)).session_state?.n).toBe(3);
});

describe("runs at the same time", () => {
  test("are summed where their component says so, from what its sessions begin with", async () => {
    const session = inSession("agents/summing");
    await session.wait("hello");
    const runs = [];
    for (const as of ["a", "b", "c", "d", "e"])
      runs.push(await session.submit(`[[tool:bump {"as":"${as}","ms":400}]]`, together));
    for (const run of runs) await session.rested(run);
    const state = await session.state();
    expect(state.n).toBe(105);
    expect([...state.log].sort()).toEqual(["a", "b", "c", "d", "e"]);
    const events = await Promise.all(runs.map(session.events));
    expect(events.flat().filter(({ event }) => event === "SessionStateConflict")).toEqual([]);
  });

  test("keep every key, and say which value they have replaced", async () => {
    const session = inSession("agents/counter");
    await session.wait("hello");
    const runs = [];
    for (const key of ["a", "b", "c"]) {
      const put = `[[tool:put ${JSON.stringify({ key, chars: 1, ms: 400 })}]]`;
      runs.push(await session.submit(`${put}[[tool:bump {"ms":400}]]`, together));
    }
    for (const run of runs) await session.rested(run);
    expect(await session.state()).toMatchObject({ n: 1, a: "x", b: "x", c: "x" });
    const streams = await Promise.all(runs.map(session.events));
    for (const events of streams) {
      expect(events.map(({ event_index }) => event_index)).toEqual(events.map((_event, index) => index));
      expect(events.at(-1)?.event).toBe("RunCompleted");
    }
    const conflicts = streams.flat().filter(({ event }) => event === "SessionStateConflict");
    expect(conflicts).toHaveLength(2);
    expect(conflicts[0]).toMatchObject({ keys: ["log", "n"], nested_depth: 0, agent_id: "counter" });
  });

  test("a client who waits for the stream is shown that, too", async () => {
    const session = inSession("agents/counter");
    await session.wait("hello");
    const streams = await Promise.all(["a", "b"].map(() => session.stream('[[tool:bump {"ms":600}]]')));
    const names = streams.map((frames) => frames.map(({ event }) => event));
    expect(names.flat().filter((event) => event === "SessionStateConflict")).toHaveLength(1);
    expect(names.map((events) => events.at(-1))).toEqual(["RunCompleted", "RunCompleted"]);
    expect(await session.state()).toMatchObject({ n: 1 });
  });

  test("lose nothing of a state that has no room in its item", async () => {
    const session = inSession("agents/counter");
    await session.wait("hello");
    await session.patch({ book: "y".repeat(200_000), n: 7 });
    const keys = ["a", "b", "c", "d"];
    const runs = [];
    for (const key of keys)
      runs.push(
        await session.submit(`[[tool:put ${JSON.stringify({ key, chars: 30_000, ms: 300 })}]]`, together),
      );
    for (const run of runs) await session.rested(run);
    const state = await session.state();
    expect(Object.keys(state).sort()).toEqual([...keys, "book", "n"].sort());
    expect(state.n).toBe(7);
    expect(state.d).toHaveLength(30_000);
  });

  test("a person's change of the state stays, but for the keys that the run has changed", async () => {
    const session = inSession("agents/counter");
    await session.wait("hello", { session_state: '{"colour":"red","old":1}' });
    const run = await session.submit('[[tool:bump {"ms":1500}]]');
    await expect.poll(async () => (await session.get(run)).status).toBe("RUNNING");
    await session.patch({ colour: "blue", n: 40 });
    await session.rested(run);
    expect(await session.state()).toEqual({ colour: "blue", n: 1, log: ["anyone"] });
    expect(await session.events(run)).toContainEqual(
      expect.objectContaining({ event: "SessionStateConflict", keys: ["n"] }),
    );
  });
});

describe("a failed run", () => {
  test("that is queued again counts once what it does again", async () => {
    const session = inSession("agents/summing");
    const run = await session.submit(`${BUMP}[[fail:broken]]`);
    expect((await session.rested(run)).status).toBe("ERROR");
    expect(await session.state()).toMatchObject({ n: 101, log: ["anyone"] });
    expect((await admin.post(`/queue/jobs/${run.run_id}/requeue?force=true`)).status).toBe(200);
    await expect.poll(async () => (await session.get(run)).status).toBe("ERROR");
    await session.rested(run);
    expect(await session.state()).toMatchObject({ n: 101, log: ["anyone"] });
  });
});
