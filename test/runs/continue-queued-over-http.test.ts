import { describe, expect } from "vitest";
import type { AcceptedRun, RunOutput } from "../../shared/schemas/runs/run.ts";
import { type Answer, type Client, clientOf, framesOf, orderOf } from "../support/client.ts";
import { confirmedOrder } from "../support/event-orders.ts";
import { faultLab } from "../support/fault-lab.ts";
import type { RunningPlatform } from "../support/platform.ts";
import { test } from "../support/shared-platform.ts";

let platform: RunningPlatform;
let maria: Client;
let admin: Client;
test.beforeAll(async ({ platform: shared }) => {
  platform = shared;
  maria = clientOf(platform.url, platform.token("maria", ["agents:read", "agents:run"]));
  admin = clientOf(platform.url, platform.adminToken);
});

type Form = Record<string, string>;
const agent = "/agents/refund-desk/runs";
const message = '[[tool:issue_refund {"order_id":"o-1","amount":5}]]';

const poll = async ({ run_id, session_id }: AcceptedRun): Promise<RunOutput> =>
  (await maria.get(`${agent}/${run_id}?session_id=${session_id}`)).json;
const job = async ({ run_id }: AcceptedRun) => (await admin.get(`/queue/jobs/${run_id}`)).json;
const events = async ({ run_id, session_id }: AcceptedRun) => {
  const { text } = await maria.post(`${agent}/${run_id}/resume`, { form: { session_id } });
  return framesOf(text).slice(1);
};
const goOn = ({ run_id, session_id }: AcceptedRun, form: Form = {}): Promise<Answer> =>
  maria.post(`${agent}/${run_id}/continue`, {
    form: { session_id, stream: "false", background: "true", ...form },
  });
const answers = ({ tools = [] }: RunOutput, confirmed: boolean, note?: string) =>
  JSON.stringify(tools.map((call) => ({ ...call, confirmed, confirmation_note: note ?? null })));

async function reach(run: AcceptedRun, status: string): Promise<RunOutput> {
  await expect.poll(async () => (await poll(run)).status).toBe(status);
  return poll(run);
}

async function paused(form: Form = {}): Promise<RunOutput> {
  const { json } = await maria.post(agent, {
    form: { message, stream: "false", background: "true", ...form },
  });
  return reach(json, "PAUSED");
}

describe("a queued run that paused", () => {
  test("is continued in its own job: one more execution, the answers in its payload, indices that go on", async () => {
    const run = await paused();
    const before = await events(run);
    expect(await job(run)).toMatchObject({
      status: "paused",
      attempt: 1,
      max_attempts: 1,
      completed_at: null,
    });
    const accepted = await goOn(run, { tools: answers(run, true), colour: "blue" });
    expect(accepted).toMatchObject({ status: 202 });
    expect(accepted.json).toEqual({ run_id: run.run_id, session_id: run.session_id, status: "PENDING" });
    const ended = await reach(run, "COMPLETED");
    expect(ended).toMatchObject({ run_id: run.run_id, content: "Refunded 5 for order o-1." });
    expect(await job(run)).toMatchObject({
      status: "completed",
      attempt: 2,
      max_attempts: 2,
      payload: {
        input: message,
        continue: {
          updated_tools: [{ confirmed: true }],
          input: null,
          continue_from: "end",
          kwargs: { colour: "blue" },
        },
      },
    });
    const all = await events(run);
    expect(all.map(({ data }) => data.event_index)).toEqual(all.map((_, i) => i));
    expect(all.slice(0, before.length)).toEqual(before);
    expect(orderOf(all.slice(before.length))).toEqual(confirmedOrder);
  });

  test("is not continued outside the queue", async () => {
    const run = await paused();
    const refused = await goOn(run, { background: "false", tools: answers(run, true) });
    expect(refused).toMatchObject({
      status: 409,
      json: { detail: expect.stringContaining("background=true") },
    });
    expect((await poll(run)).status).toBe("PAUSED");
  });

  test("is not continued as a stream that it was not submitted as", async () => {
    const run = await paused();
    expect((await goOn(run, { stream: "true", tools: answers(run, true) })).status).toBe(409);
    expect((await job(run)).status).toBe("paused");
  });

  test("and was streamed sends its new events, from the first one on", async () => {
    const form = { message, background: "true" };
    const first = framesOf((await maria.post(agent, { form })).text);
    const run = await poll(first[0]?.data as AcceptedRun);
    const { text } = await goOn(run, { stream: "true", tools: answers(run, true) });
    const frames = framesOf(text);
    expect(frames[0]).toMatchObject({ event: "RunContinued", data: { event_index: first.length } });
    expect(frames.at(-1)?.event).toBe("RunCompleted");
  });

  test("continued twice is executed once, by the first answers", async () => {
    const run = await paused();
    const lab = faultLab(platform);
    // The message is lost, so that the job still waits when the second request comes.
    const first = await lab.fail("sqs SendMessage", "refused", () =>
      maria
        .send("POST", `${agent}/${run.run_id}/continue`, {
          form: {
            session_id: run.session_id,
            stream: "false",
            background: "true",
            tools: answers(run, true),
          },
        })
        .then(async (response) => ({
          status: response.status,
          text: await response.text(),
          json: undefined,
        })),
    );
    expect(first.status).toBe(202);
    expect((await goOn(run, { tools: answers(run, false) })).status).toBe(202);
    expect((await goOn(run, { background: "false" })).status).toBe(409);
    expect((await job(run)).payload.continue.updated_tools).toMatchObject([{ confirmed: true }]);
  });

  test("continued by many at once is executed once", async () => {
    const run = await paused();
    const all = await Promise.all(Array.from({ length: 6 }, () => goOn(run, { tools: answers(run, true) })));
    for (const { status } of all) expect([202, 409]).toContain(status);
    expect(all.some(({ status }) => status === 202)).toBe(true);
    await reach(run, "COMPLETED");
    expect(await job(run)).toMatchObject({ status: "completed", attempt: 2, max_attempts: 2 });
    const names = (await events(run)).map(({ event }) => event);
    expect(names.filter((event) => event === "ToolCallStarted")).toHaveLength(1);
  });

  test("cancelled is so at once, and cannot be continued", async () => {
    const run = await paused();
    await maria.post(`${agent}/${run.run_id}/cancel?session_id=${run.session_id}`);
    expect(await job(run)).toMatchObject({ status: "cancelled", completed_at: expect.any(Number) });
    expect((await poll(run)).status).toBe("CANCELLED");
    expect((await goOn(run, { tools: answers(run, true) })).status).toBe(409);
  });

  test("without an answer stays paused", async () => {
    const run = await paused();
    expect((await goOn(run)).status).toBe(400);
    expect((await job(run)).status).toBe("paused");
  });
});

test("a run that is executed answers 409 and when to ask again", async () => {
  const { json: run } = await maria.post(agent, {
    form: { message: "[[sleep:20000]]", stream: "false", background: "true" },
  });
  await reach(run, "RUNNING");
  const refused = await goOn(run);
  expect(refused.status).toBe(409);
  expect(refused.headers.get("retry-after")).toBe("1");
  await maria.post(`${agent}/${run.run_id}/cancel?session_id=${run.session_id}`);
});

test("a run that failed in the queue goes on outside it, and leaves its job as it is", async () => {
  const { json } = await maria.post(agent, {
    form: { message: "[[fail:boom]]", stream: "false", background: "true" },
  });
  const run = await reach(json, "ERROR");
  const { status, json: ended } = await goOn(run, { input: "again" });
  expect({ status, run_id: ended.run_id, state: ended.status }).toEqual({
    status: 200,
    run_id: run.run_id,
    state: "COMPLETED",
  });
  const names = (await events(run)).map(({ event }) => event);
  expect(names).toEqual(expect.arrayContaining(["RunError", "RunContinued", "RunCompleted"]));
  expect(await job(run)).toMatchObject({ status: "failed", attempt: 1 });
});

test("a foreground run is continued at once with background=true: it has no job", async () => {
  const run: RunOutput = (await maria.post(agent, { form: { message, stream: "false" } })).json;
  expect(await goOn(run, { tools: answers(run, true) })).toMatchObject({
    status: 200,
    json: { status: "COMPLETED" },
  });
});
