import { describe, expect } from "vitest";
import type { RunOutput } from "../../shared/schemas/runs/run.ts";
import { type Answer, type Client, clientOf, type Frame, framesOf, orderOf } from "../support/client.ts";
import { confirmedOrder, plainOrder } from "../support/event-orders.ts";
import type { RunningPlatform } from "../support/platform.ts";
import { test } from "../support/shared-platform.ts";

let platform: RunningPlatform;
let maria: Client;
let admin: Client;
test.beforeAll(async ({ platform: shared }) => {
  platform = shared;
  const scopes = ["teams:read", "teams:run", "sessions:read", "agents:read", "agents:run"];
  maria = clientOf(platform.url, platform.token("maria", scopes));
  admin = clientOf(platform.url, platform.adminToken);
});

type Form = Record<string, string>;
const runs = "/teams/support-team/runs";
const delegate = (member_id: string, task: string) =>
  `[[tool:delegate_task_to_member ${JSON.stringify({ member_id, task })}]]`;
const question = delegate("assistant", "what time is it");
const refund = delegate("refund-desk", '[[tool:issue_refund {"order_id":"o-1","amount":5}]]');

const start = (message: string, form: Form = {}): Promise<Answer> =>
  maria.post(runs, { form: { message, stream: "false", ...form } });
const pathOf = ({ run_id, session_id }: RunOutput, below = "") =>
  `${runs}/${run_id}${below}?session_id=${session_id}`;
const poll = async (run: RunOutput): Promise<RunOutput> => (await maria.get(pathOf(run))).json;
const goOn = ({ run_id, session_id }: RunOutput, form: Form): Promise<Answer> =>
  maria.post(`${runs}/${run_id}/continue`, { form: { session_id, stream: "false", ...form } });
const answers = ({ requirements = [] }: RunOutput, confirmed: boolean, note: string | null = null) =>
  JSON.stringify(
    requirements.map((one) => ({
      ...one,
      confirmation: confirmed,
      tool_execution: { ...one.tool_execution, confirmed, confirmation_note: note },
    })),
  );
const events = async ({ run_id, session_id }: RunOutput): Promise<Frame[]> => {
  const { text } = await maria.post(`${runs}/${run_id}/resume`, { form: { session_id } });
  return framesOf(text).slice(1);
};
async function reach(run: RunOutput, status: string): Promise<RunOutput> {
  await expect.poll(async () => (await poll(run)).status).toBe(status);
  return poll(run);
}

const asking = ["TeamModelRequestStarted", "TeamModelRequestCompleted"];
const answering = [
  "TeamModelRequestStarted",
  "TeamRunContent",
  "TeamModelRequestCompleted",
  "TeamRunContentCompleted",
  "TeamRunCompleted",
];

describe("a team's run", () => {
  test("answers with what its leader makes of what its members said, and shows their runs", async () => {
    const { status, json: run } = await start(question);
    expect(status).toBe(200);
    expect(run).toMatchObject({
      team_id: "support-team",
      team_name: "Support team",
      user_id: "maria",
      status: "COMPLETED",
      tools: [{ tool_name: "delegate_task_to_member", result: "You said: what time is it" }],
      member_responses: [
        { agent_id: "assistant", status: "COMPLETED", content: "You said: what time is it" },
      ],
    });
    expect(run.agent_id).toBeUndefined();
    expect(run.content).toContain("You said: what time is it");
    expect(run.member_responses[0].parent_run_id).toBe(run.run_id);
    expect(run.tools[0].child_run_id).toBe(run.member_responses[0].run_id);
    expect(await poll(run)).toEqual(run);
  });

  test("that asks no member has no member responses, and says so", async () => {
    const { json: run } = await start("hello");
    expect(run).toMatchObject({ status: "COMPLETED", content: "You said: hello", member_responses: [] });
  });

  test("emits its members' events inside its own, with their ids and its id as parent", async () => {
    const { text } = await maria.post(runs, { form: { message: question } });
    const frames = framesOf(text);
    expect(orderOf(frames)).toEqual([
      "TeamRunStarted",
      ...asking,
      "TeamToolCallStarted",
      ...plainOrder,
      "TeamToolCallCompleted",
      ...answering,
    ]);
    const [team, inner] = ["TeamRunStarted", "RunStarted"].map(
      (name) => frames.find(({ event }) => event === name)?.data,
    );
    expect(team).toMatchObject({ team_id: "support-team", team_name: "Support team", nested_depth: 0 });
    expect(team).not.toHaveProperty("agent_id");
    expect(inner).toMatchObject({ agent_id: "assistant", parent_run_id: team?.run_id, nested_depth: 1 });
    expect(inner?.run_id).not.toBe(team?.run_id);
  });

  test("streams nothing but contents to who wants no events", async () => {
    const { text } = await maria.post(runs, { form: { message: question, stream_events: "false" } });
    expect([...new Set(orderOf(framesOf(text)))].sort()).toEqual(["RunContent", "TeamRunContent"]);
  });

  test("lets the leader answer where a member does not exist", async () => {
    const { json: run } = await start(delegate("unknown", "x"));
    expect(run).toMatchObject({
      status: "COMPLETED",
      tools: [{ tool_call_error: true }],
      member_responses: [],
    });
  });

  test("remembers what was said in its session", async () => {
    const { json: first } = await start("my name is Maria");
    const { json: next } = await start("again", { session_id: first.session_id });
    const shown = next.messages.filter(({ from_history }: { from_history: boolean }) => from_history);
    expect(shown.map(({ content }: { content: string }) => content)).toEqual([
      "my name is Maria",
      "You said: my name is Maria",
    ]);
  });

  test("is refused where it does not exist, and in another kind's session", async () => {
    const { json: run } = await start("hello");
    expect(await maria.post("/teams/unknown/runs", { form: { message: "x" } })).toMatchObject({
      status: 404,
    });
    expect(await maria.run("hi", { session_id: run.session_id })).toMatchObject({ status: 404 });
    expect(await maria.get(`${runs}/${run.run_id}`)).toMatchObject({ status: 422 });
    expect(await goOn({ ...run, run_id: "unknown" }, {})).toMatchObject({ status: 404 });
  });

  test("goes on from its end as a new run, and is answered anew in place of the old answer", async () => {
    const { json: run } = await start(question);
    const { json: fork } = await goOn(run, { input: "and then?" });
    expect(fork).toMatchObject({
      status: "COMPLETED",
      forked_from_run_id: run.run_id,
      team_id: "support-team",
    });
    expect(fork.run_id).not.toBe(run.run_id);
    const { json: anew } = await goOn(run, { regenerate: "true" });
    expect(anew).toMatchObject({ status: "COMPLETED", regenerated_from: run.run_id });
    expect(await poll(run)).toMatchObject({ status: "REGENERATED" });
  });

  test("has places to go back to, and a session that can be copied", async () => {
    const { json: run } = await start(question);
    const { json: listed } = await maria.get(pathOf(run, "/checkpoints"));
    expect(listed.checkpoints.length).toBeGreaterThan(1);
    const { json: place } = await maria.get(pathOf(run, "/checkpoints/1"));
    expect(place.snapshot).toMatchObject({ team_id: "support-team" });
    const forked = await maria.post(`/teams/support-team/sessions/${run.session_id}/fork`);
    expect(forked).toMatchObject({ status: 200, json: { forked_from_session_id: run.session_id } });
    const { json: copies } = await maria.get(`${runs}?session_id=${forked.json.session_id}`);
    expect(copies).toMatchObject([{ status: "COMPLETED", team_id: "support-team" }]);
  });
});

describe("a member that waits for a person", () => {
  test("pauses the team, which shows what it asks and of whom; continue resumes the member first", async () => {
    const streamed = await maria.post(runs, { form: { message: refund } });
    expect(orderOf(framesOf(streamed.text)).slice(-4)).toEqual([
      "RunPaused",
      "TeamToolCallCompleted",
      "TeamRunContentCompleted",
      "TeamRunPaused",
    ]);
    const streamedOutput = framesOf(streamed.text).at(-1)?.data as unknown as RunOutput; // ids and requirements are alike
    const paused = await poll(streamedOutput);
    expect(paused).toMatchObject({
      status: "PAUSED",
      requirements: [
        {
          member_agent_id: "refund-desk",
          member_agent_name: "Refund desk",
          member_run_id: paused.member_responses?.[0]?.run_id,
          tool_execution: { tool_name: "issue_refund", confirmed: null },
        },
      ],
    });
    const { text } = await goOn(paused, { stream: "true", requirements: answers(paused, true) });
    expect(orderOf(framesOf(text))).toEqual([...confirmedOrder, "TeamRunContinued", ...answering]);
    const ended = await poll(paused);
    expect(ended).toMatchObject({
      status: "COMPLETED",
      requirements: [{ confirmation: true, member_run_id: paused.member_responses?.[0]?.run_id }],
      member_responses: [{ status: "COMPLETED", tools: [{ confirmed: true, tool_call_error: false }] }],
    });
  });

  test("is shown what is said to its run meanwhile, behind the result of its tool; its leader is not", async () => {
    const { json: paused } = await start(refund);
    const { session_id, run_id, member_responses = [] } = paused as RunOutput;
    const memberRun = String(member_responses[0]?.run_id);
    const messages = `${runs}/${memberRun}/messages`;
    const form = { session_id, message: "and thank you", message_id: "thanks" };
    const sent = await maria.post(messages, { form });
    expect(sent).toMatchObject({ status: 202, json: { message_id: "thanks", run_id, delivery: "steered" } });
    const { json: ended } = await goOn(paused, { requirements: answers(paused, true) });
    const said = ({ messages = [] }: RunOutput) => messages.map(({ role, content = "" }) => [role, content]);
    expect(said(ended.member_responses[0]).slice(-3)).toEqual([
      ["tool", expect.any(String)],
      ["user", "and thank you"],
      ["assistant", "You said: and thank you"],
    ]);
    expect(said(ended).filter(([role]) => role === "user")).toHaveLength(1);
    const { json: listed } = await maria.get(`${runs}/${run_id}/messages?session_id=${session_id}`);
    expect(listed.messages).toMatchObject([{ message_id: "thanks", state: "taken" }]);
    expect(await maria.post(messages, { form })).toMatchObject({ status: 404 });
  });

  test("is notified of a refusal with its note, and the run completes", async () => {
    const { json: paused } = await start(refund);
    const { json: ended } = await goOn(paused, { requirements: answers(paused, false, "not this month") });
    expect(ended.status).toBe("COMPLETED");
    expect(JSON.stringify(ended.member_responses[0].messages)).toContain("not this month");
  });

  test.each([
    ["no answer", {}],
    ["answers that are no JSON", { requirements: "[" }],
    ["answers of another form", { requirements: '["yes"]' }],
    ["a place that is none", { continue_from: "middle" }],
    ["no session", { session_id: "" }],
  ])("is not continued with %s", async (_what, form) => {
    const { json: paused } = await start(refund);
    expect(await goOn(paused, form)).toMatchObject({ status: 400 });
    expect(await poll(paused)).toMatchObject({ status: "PAUSED" });
  });

  test("is not continued without answers, and the refusal names the field for them", async () => {
    const { json: paused } = await start(refund);
    const { status, json } = await goOn(paused, {});
    expect([status, json.detail]).toEqual([400, expect.stringContaining("answers in requirements that")]);
  });

  test("in the queue is continued there, and indices go on", async () => {
    const { status, json: accepted } = await start(refund, { background: "true" });
    expect(status).toBe(202);
    const paused = await reach(accepted, "PAUSED");
    const before = await events(paused);
    const requirements = answers(paused, true);
    expect(await goOn(paused, { requirements })).toMatchObject({ status: 409 });
    expect(await goOn(paused, { requirements, background: "true" })).toMatchObject({ status: 202 });
    await reach(paused, "COMPLETED");
    const all = await events(paused);
    expect(all.slice(0, before.length)).toEqual(before);
    expect(all.map(({ data }) => data.event_index)).toEqual(all.map((_, i) => i));
    const { json: job } = await admin.get(`/queue/jobs/${paused.run_id}`);
    expect(job).toMatchObject({
      component_type: "team",
      status: "completed",
      payload: { continue: { requirements: [{ confirmation: true }] } },
    });
  });
});

describe("cancelling a team's run", () => {
  test("stops the member that is at work, and emits its end before the team's", async () => {
    const message = delegate("assistant", "[[sleep:8000]]");
    const response = await maria.send("POST", runs, { form: { message, background: "true" } });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!/event: ModelRequestStarted/.test(text)) text += (await reader?.read())?.value ?? "";
    const { run_id, session_id } = framesOf(text.slice(0, text.indexOf("\n\n") + 2))[0]?.data ?? {};
    const run = { run_id, session_id } as RunOutput;
    expect(await maria.post(pathOf(run, "/cancel"))).toMatchObject({ status: 200, json: {} });
    for (;;) {
      const { done, value = "" } = (await reader?.read()) ?? { done: true };
      text += value;
      if (done) break;
    }
    const names = orderOf(framesOf(text));
    expect(names.slice(-2)).toEqual(["TeamRunCancelled", "TeamRunCompleted"]);
    expect(names.indexOf("RunCancelled")).toBeLessThan(names.indexOf("TeamRunCancelled"));
    expect(await poll(run)).toMatchObject({
      status: "CANCELLED",
      member_responses: [{ agent_id: "assistant", status: "CANCELLED" }],
    });
    expect(await goOn(run, {})).toMatchObject({ status: 409 });
  });
});

describe("the session of a team", () => {
  test("lists member runs as entries of their own; the team's own list leaves them out", async () => {
    const { json: run } = await start(question);
    const { json: rows } = await maria.get(`/sessions/${run.session_id}/runs?type=team`);
    expect(rows).toMatchObject([
      { run_id: run.run_id, team_id: "support-team", parent_run_id: "" },
      { agent_id: "assistant", parent_run_id: run.run_id, run_input: "what time is it" },
    ]);
    expect(rows[0]).not.toHaveProperty("agent_id");
    const { json: listed } = await maria.get(`${runs}?session_id=${run.session_id}`);
    expect(listed.map((row: RunOutput) => row.run_id)).toEqual([run.run_id]);
    const inner = `/agents/assistant/runs/${rows[1].run_id}?session_id=${run.session_id}`;
    expect(await maria.get(inner)).toMatchObject({ status: 404 });
  });

  test("shows the team, what was said to it and by it, and every token once", async () => {
    const { json: run } = await start(question);
    const { json: session } = await maria.get(`/sessions/${run.session_id}?type=team`);
    expect(session).toMatchObject({
      team_id: "support-team",
      team_data: { id: "support-team", team_id: "support-team", name: "Support team" },
    });
    expect(session.chat_history.map(({ role }: { role: string }) => role)).toEqual([
      "user",
      "assistant",
      "assistant",
    ]);
    const member_tokens = run.member_responses[0].metrics.total_tokens;
    expect(session.total_tokens).toBe(run.metrics.total_tokens + member_tokens);
  });
});
