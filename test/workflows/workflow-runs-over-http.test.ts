import { describe, expect } from "vitest";
import type { WorkflowRunOutput } from "../../shared/schemas/runs/workflow-run.ts";
import { type Answer, type Client, clientOf, type Frame, framesOf, orderOf } from "../support/client.ts";
import type { RunningPlatform } from "../support/platform.ts";
import { test } from "../support/shared-platform.ts";

let platform: RunningPlatform;
let maria: Client;
let admin: Client;
test.beforeAll(async ({ platform: shared }) => {
  platform = shared;
  maria = clientOf(
    platform.url,
    platform.token("maria", [
      "workflows:read",
      "workflows:run",
      "sessions:read",
      "agents:read",
      "agents:run",
    ]),
  );
  admin = clientOf(platform.url, platform.adminToken);
});

type Form = Record<string, string>;
const runs = "/workflows/publish-report/runs";
const start = (message = "lighthouses", form: Form = {}): Promise<Answer> =>
  maria.post(runs, { form: { message, stream: "false", ...form } });
const pathOf = ({ run_id, session_id }: WorkflowRunOutput, below = "") =>
  `${runs}/${run_id}${below}?session_id=${session_id}`;
const poll = async (run: WorkflowRunOutput): Promise<WorkflowRunOutput> =>
  (await maria.get(pathOf(run))).json;
const goOn = ({ run_id, session_id }: WorkflowRunOutput, form: Form): Promise<Answer> =>
  maria.post(`${runs}/${run_id}/continue`, { form: { session_id, stream: "false", ...form } });
const consent = (run: WorkflowRunOutput, confirmed: boolean) =>
  JSON.stringify((run.step_requirements ?? []).map((asked) => ({ ...asked, confirmed })));
const events = async ({ run_id, session_id }: WorkflowRunOutput): Promise<Frame[]> => {
  const { text } = await maria.post(`${runs}/${run_id}/resume`, { form: { session_id } });
  return framesOf(text).slice(1);
};

async function reach(run: WorkflowRunOutput, status: string): Promise<WorkflowRunOutput> {
  await expect.poll(async () => (await poll(run)).status).toBe(status);
  return poll(run);
}

const agentStep = [
  "StepStarted",
  "RunStarted",
  "ModelRequestStarted",
  "RunContent",
  "ModelRequestCompleted",
  "RunContentCompleted",
  "RunCompleted",
  "StepCompleted",
];
const functionStep = ["StepStarted", "StepOutput", "StepCompleted"];

describe("a workflow's run", () => {
  test("waits for consent with what it has done so far, and ends with it", async () => {
    const paused: WorkflowRunOutput = (await start()).json;
    expect(paused).toMatchObject({
      workflow_id: "publish-report",
      workflow_name: "Publish report",
      user_id: "maria",
      input: "lighthouses",
      status: "PAUSED",
      pause_kind: "step",
      paused_step_name: "publish",
      paused_step_index: 3,
    });
    expect(paused.step_results.map(({ step_name }) => step_name).sort()).toEqual(
      ["keep", "outline", "plain draft", "research"].sort(),
    );
    expect(paused.step_executor_runs?.every(({ parent_run_id }) => parent_run_id === paused.run_id)).toBe(
      true,
    );
    expect(paused.step_requirements).toMatchObject([
      {
        step_id: "publish",
        requires_confirmation: true,
        confirmed: null,
        on_reject: "cancel",
        user_input: null,
      },
    ]);
    expect(await poll(paused)).toEqual(paused);

    const { status, json: ended } = await goOn(paused, { step_requirements: consent(paused, true) });
    expect(status).toBe(200);
    expect(ended).toMatchObject({
      run_id: paused.run_id,
      status: "COMPLETED",
      content: "Published: You said: You said: lighthouses",
      step_requirements: [{ step_id: "publish", confirmed: true }],
    });
    expect(ended.step_results).toHaveLength(5);
    expect(ended.metrics.steps.research.metrics.total_tokens).toBeGreaterThan(0);
    expect(await poll(paused)).toEqual(ended);
  });

  test("emits its steps and the runs within them, each under its own ids", async () => {
    const { headers, text } = await maria.post(runs, { form: { message: "lighthouses" } });
    expect(headers.get("content-type")).toContain("text/event-stream");
    const frames = framesOf(text);
    const names = orderOf(frames);
    expect(names.slice(0, 9)).toEqual(["WorkflowStarted", ...agentStep]);
    expect(names.slice(-5)).toEqual([
      "StepCompleted",
      "ConditionExecutionCompleted",
      "StepPaused",
      "WorkflowPaused",
      "WorkflowRunOutput",
    ]);
    const steps = frames.filter(({ event }) => event === "StepStarted" || event === "StepCompleted");
    for (const { data } of steps)
      expect(data.step_id).toEqual(expect.stringContaining(String(data.step_name)));
    const started = frames.find(({ event }) => event === "RunStarted");
    const whole = frames.at(-1)?.data;
    expect(started?.data).toMatchObject({
      agent_id: "assistant",
      workflow_id: "publish-report",
      workflow_run_id: whole?.run_id,
      step_id: "research",
      step_name: "research",
      step_index: 0,
    });
    expect(started?.data.run_id).not.toBe(whole?.run_id);
    expect(whole).not.toHaveProperty("event");
    expect(whole).toMatchObject({ status: "PAUSED", input: "lighthouses" });
    for (const { event, data } of frames.slice(0, -1)) expect(data.event).toBe(event);
  });

  test("goes on in a stream with the step that was consented to", async () => {
    const paused: WorkflowRunOutput = (await start()).json;
    const form = { stream: "true", step_requirements: consent(paused, true) };
    const { text } = await goOn(paused, form);
    expect(orderOf(framesOf(text))).toEqual(["StepContinued", ...functionStep, "WorkflowCompleted"]);
  });

  test("is cancelled by a refusal where the step says so, and emits that alone", async () => {
    const paused: WorkflowRunOutput = (await start()).json;
    const { text } = await goOn(paused, { stream: "true", step_requirements: consent(paused, false) });
    expect(orderOf(framesOf(text))).toEqual(["WorkflowCancelled"]);
    expect(await poll(paused)).toMatchObject({ status: "CANCELLED" });
    expect(await goOn(paused, { step_requirements: consent(paused, true) })).toMatchObject({ status: 409 });
  });

  test("streams nothing but contents to who wants no events", async () => {
    const { text } = await maria.post(runs, { form: { message: "lighthouses", stream_events: "false" } });
    expect([...new Set(orderOf(framesOf(text)))]).toEqual(["RunContent"]);
  });

  test.each([
    [
      "no session",
      (run: WorkflowRunOutput) => ({ session_id: "", step_requirements: consent(run, true) }),
      400,
    ],
    ["no answer", () => ({}), 400],
    ["answers that are no JSON", () => ({ step_requirements: "{" }), 400],
    ["answers of another form", () => ({ step_requirements: '[{"confirmed":true}]' }), 400],
    ["an answer to nothing", () => ({ step_requirements: '[{"step_id":"research","confirmed":true}]' }), 400],
  ])("refuses a continuation with %s", async (_what, form, status) => {
    const paused: WorkflowRunOutput = (await start()).json;
    expect(await goOn(paused, form(paused))).toMatchObject({ status });
    expect(await poll(paused)).toMatchObject({ status: "PAUSED" });
  });

  test("is refused where it does not exist, and in another kind's session", async () => {
    const { json: paused } = await start();
    expect(await maria.post("/workflows/unknown/runs", { form: { message: "x" } })).toMatchObject({
      status: 404,
    });
    expect(await maria.get(`/workflows/unknown/runs/${paused.run_id}?session_id=x`)).toMatchObject({
      status: 404,
    });
    expect(await goOn({ ...paused, run_id: "unknown" }, {})).toMatchObject({ status: 404 });
    expect(await maria.run("hi", { session_id: paused.session_id })).toMatchObject({ status: 404 });
    expect(await maria.get(`${runs}/${paused.run_id}`)).toMatchObject({ status: 422 });
    expect(await maria.get("/workflows/publish-report?version=1")).toMatchObject({ status: 200 });
  });

  test("that was started in the foreground is not continued in the background", async () => {
    const paused: WorkflowRunOutput = (await start()).json;
    const answers = { step_requirements: consent(paused, true) };
    expect(await goOn(paused, { ...answers, background: "true" })).toMatchObject({ status: 409 });
    expect(await goOn(paused, answers)).toMatchObject({ status: 200, json: { status: "COMPLETED" } });
  });

  test("that has ended cannot be continued", async () => {
    const paused: WorkflowRunOutput = (await start()).json;
    const answers = { step_requirements: consent(paused, true) };
    await goOn(paused, answers);
    expect(await goOn(paused, answers)).toMatchObject({ status: 409 });
    expect(await goOn(paused, { ...answers, background: "true" })).toMatchObject({ status: 409 });
  });
});

describe("cancelling a workflow's run", () => {
  test("stops the step that is under way and keeps those that are finished", async () => {
    const response = await maria.send("POST", runs, {
      form: { message: "[[sleep:8000]]", background: "true" },
    });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!text.includes("ModelRequestStarted")) text += (await reader?.read())?.value ?? "";
    const { run_id, session_id } = framesOf(text.slice(0, text.lastIndexOf("\n\n") + 2))[0]?.data ?? {};
    const cancelled = await maria.post(`${runs}/${run_id}/cancel?session_id=${session_id}`);
    expect(cancelled).toMatchObject({ status: 200, json: {} });
    for (;;) {
      const { done, value = "" } = (await reader?.read()) ?? { done: true };
      text += value;
      if (done) break;
    }
    expect(orderOf(framesOf(text)).slice(-4)).toEqual([
      "RunCancelled",
      "RunCompleted",
      "WorkflowCancelled",
      "WorkflowCompleted",
    ]);
    const run = await poll({ run_id, session_id } as WorkflowRunOutput);
    expect(run).toMatchObject({
      status: "CANCELLED",
      step_results: [{ step_name: "research", success: false }],
    });
  });

  test("ends one that waits at once, and it is not continued", async () => {
    const { json: paused } = await start();
    expect(await maria.post(pathOf(paused, "/cancel"))).toMatchObject({ status: 200, json: {} });
    const run = await poll(paused);
    expect(run.status).toBe("CANCELLED");
    expect(run.step_results.length).toBeGreaterThan(0);
    expect((await events(run)).at(-1)?.event).toBe("WorkflowCancelled");
    expect(await goOn(paused, { step_requirements: consent(paused, true) })).toMatchObject({ status: 409 });
  });

  test("of one that is unknown is 404 to its user and {} to an admin", async () => {
    expect(await maria.post(`${runs}/unknown/cancel?session_id=x`)).toMatchObject({ status: 404 });
    expect(await maria.post(`${runs}/unknown/cancel`)).toMatchObject({ status: 400 });
    expect(await admin.post(`${runs}/unknown/cancel`)).toMatchObject({ status: 200, json: {} });
  });
});

describe("a workflow's run in the queue", () => {
  test("pauses with its job, is continued in it, and its indices go on", async () => {
    const accepted = await start("lighthouses", { background: "true" });
    expect(accepted.status).toBe(202);
    expect(Object.keys(accepted.json).sort()).toEqual(["run_id", "session_id", "status"]);
    const paused = await reach(accepted.json, "PAUSED");
    const before = await events(paused);
    const job = async () => (await admin.get(`/queue/jobs/${paused.run_id}`)).json;
    expect(await job()).toMatchObject({ component_type: "workflow", status: "paused", completed_at: null });

    const answers = { step_requirements: consent(paused, true) };
    expect(await goOn(paused, answers)).toMatchObject({ status: 409 });
    const again = await goOn(paused, { ...answers, background: "true" });
    expect(again).toMatchObject({ status: 202, json: { run_id: paused.run_id, status: "PENDING" } });
    const ended = await reach(paused, "COMPLETED");
    expect(ended.content).toBe("Published: You said: You said: lighthouses");
    expect(await job()).toMatchObject({
      status: "completed",
      payload: { continue: { step_requirements: [{ step_id: "publish", confirmed: true }] } },
    });
    const all = await events(paused);
    expect(all.slice(0, before.length)).toEqual(before);
    expect(all.map(({ data }) => data.event_index)).toEqual(all.map((_, i) => i));
    for (const { data } of all) expect(data.run_id).toEqual(expect.any(String));
  });

  test("follows its stream to the pause and, continued, from there to the end", async () => {
    const { text } = await maria.post(runs, { form: { message: "lighthouses", background: "true" } });
    const frames = framesOf(text);
    expect(frames.at(-1)?.event).toBe("WorkflowRunOutput");
    expect(frames.map(({ data }) => data.event_index)).toEqual(frames.map((_, i) => i));
    const run = frames.at(-1)?.data as unknown as WorkflowRunOutput; // the frame is the run
    const on = await goOn(run, { stream: "true", background: "true", step_requirements: consent(run, true) });
    const more = framesOf(on.text);
    expect(more[0]?.data.event_index).toBe(frames.length);
    expect(orderOf(more)).toEqual(["StepContinued", ...functionStep, "WorkflowCompleted"]);
  });

  test("answers a repeated key with the run that it made, and refuses it to another component", async () => {
    const headers = { "idempotency-key": crypto.randomUUID() };
    const form = { message: "once", stream: "false", background: "true" };
    const first = await maria.post(runs, { form, headers });
    const second = await maria.post(runs, { form, headers });
    expect(second).toMatchObject({ status: 202, json: { run_id: first.json.run_id } });
    expect(await maria.post("/agents/assistant/runs", { form, headers })).toMatchObject({ status: 409 });
  });
});

describe("the session of a workflow", () => {
  test("lists its runs as runs of workflows, and those within them as what they are", async () => {
    const { json: paused } = await start("lighthouses");
    await goOn(paused, { step_requirements: consent(paused, true) });
    const { json: rows } = await maria.get(`/sessions/${paused.session_id}/runs?type=workflow`);
    expect(rows[0]).toMatchObject({
      run_id: paused.run_id,
      workflow_id: "publish-report",
      status: "COMPLETED",
      run_input: "lighthouses",
      content: "Published: You said: You said: lighthouses",
    });
    expect(rows[0].step_results).toHaveLength(5);
    expect(rows[0]).not.toHaveProperty("parent_run_id");
    const within = rows.slice(1);
    expect(within.map((row: { agent_id: string }) => row.agent_id)).toEqual(["assistant", "assistant"]);
    for (const row of within) expect(row.parent_run_id).toBe(paused.run_id);

    const { json: listed } = await maria.get(`${runs}?session_id=${paused.session_id}`);
    expect(listed.map((row: { run_id: string }) => row.run_id)).toEqual([paused.run_id]);
    expect(await maria.get(`${runs}?session_id=${paused.session_id}&status=PAUSED`)).toMatchObject({
      json: [],
    });
    const inner = `/agents/assistant/runs/${within[0].run_id}`;
    expect(await maria.get(`${inner}?session_id=${paused.session_id}`)).toMatchObject({ status: 404 });
    const one = await maria.get(`/sessions/${paused.session_id}/runs/${within[0].run_id}`);
    expect(one).toMatchObject({ status: 200, json: { run_id: within[0].run_id } });
  });

  test("shows what it is a session of, its name, and the tokens of all its runs", async () => {
    const { json: paused } = await start("lighthouses");
    const { json: ended } = await goOn(paused, { step_requirements: consent(paused, true) });
    const { json: session } = await maria.get(`/sessions/${paused.session_id}?type=workflow`);
    expect(session).toMatchObject({
      session_name: "lighthouses",
      workflow_id: "publish-report",
      workflow_name: "Publish report",
      workflow_data: { id: "publish-report", workflow_id: "publish-report", name: "Publish report" },
    });
    expect(session.workflow_data.steps.map((step: { name: string }) => step.name)).toEqual([
      "research",
      "drafts",
      "too long?",
      "publish",
    ]);
    expect(session.session_data.session_metrics.total_tokens).toBe(ended.metrics.total_tokens);
  });
});
