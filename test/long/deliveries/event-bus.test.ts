import { afterAll, beforeAll, expect, test } from "vitest";
import type { EndedTask } from "../../../local/events/task-tokens.ts";
import type { AcceptedRun } from "../../../shared/schemas/runs/run.ts";
import { type Client, clientOf } from "../../support/client.ts";
import { createComponent } from "../../support/create-component.ts";
import { HANGS_AFTER_MS } from "../../support/hangs-after.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";

/** Everything goes by the real clients of EventBridge and Step Functions; webhooks are off. */
let platform: TestPlatform;
let maria: Client;
let admin: Client;

const scopes = [
  ...[
    "agents:run",
    "agents:read",
    "schedules:read",
    "schedules:write",
    "schedules:delete",
    "evals:read",
    "evals:write",
  ],
  ...["approvals:read", "approvals:write", "webhooks:read", "sessions:read"],
];

beforeAll(async () => {
  platform = await startPlatform({
    env: { WEBHOOKS: "off", EVENT_BUS: "default", TASK_TOKENS: "true" },
  });
  maria = clientOf(platform.url, platform.token("maria", scopes));
  admin = clientOf(platform.url, platform.adminToken);
});
afterAll(() => platform?.stop());

async function until<T>(find: () => T | undefined | Promise<T | undefined>, what: string): Promise<T> {
  for (
    const end = Date.now() + HANGS_AFTER_MS;
    Date.now() < end;
    await new Promise((go) => setTimeout(go, 50))
  ) {
    const found = await find();
    if (found !== undefined) return found;
  }
  throw new Error(
    `${what} did not come; there were ${platform.published.events().map((one) => one.detail_type)}`,
  );
}

type Data = Readonly<Record<string, unknown>>;
/** Waits for an event of a type that is about an id. */
const published = (type: string, idName: string, id: string) =>
  until(() => {
    const found = platform.published
      .events()
      .find(({ detail_type, detail }) => detail_type === type && (detail.data as Data)[idName] === id);
    return found && { ...found, data: found.detail.data as Data };
  }, `${type} of ${id}`);
const endOf = (token: string): Promise<EndedTask> =>
  until(() => platform.published.tasks().find((one) => one.token === token), `the end of ${token}`);
const deliveriesOf = async ({ run_id }: Pick<AcceptedRun, "run_id">) =>
  (await admin.get(`/webhook-deliveries?run_id=${run_id}`)).json.data;

test("a background run is on the bus: its job, its pause with the approval, and its end, without contents", async () => {
  const asked = await maria.call("POST", "/agents/account-desk/runs", {
    form: { message: '[[tool:close_account {"account":"K-7"}]]', stream: "false", background: "true" },
  });
  const run: AcceptedRun = asked.json;
  const paused = await published("run.paused", "run_id", run.run_id);
  expect(paused).toMatchObject({
    bus: "default",
    source: "agent-platform",
    detail: {
      id: expect.stringMatching(/^evt_/),
      type: "run.paused",
      version: 1,
      os_id: expect.any(String),
      stage: "local",
      timestamp: expect.stringMatching(/Z$/),
    },
    data: { status: "PAUSED", user_id: "maria", component: { type: "agent", id: "account-desk" } },
  });
  const created = await published("approval.created", "run_id", run.run_id);
  expect(created.data).toMatchObject({ status: "pending", tool_name: "close_account", user_id: "maria" });
  const approval = String(created.data.approval_id);
  expect((await admin.post(`/approvals/${approval}/resolve`, { json: { status: "approved" } })).status).toBe(
    200,
  );
  expect((await published("approval.resolved", "approval_id", approval)).data).toMatchObject({
    status: "approved",
    path: `/approvals/${approval}`,
  });
  const at = `/agents/account-desk/runs/${run.run_id}`;
  await maria.post(`${at}/continue`, {
    form: { session_id: run.session_id, stream: "false", background: "true", tools: "[]" },
  });
  const completed = await published("run.completed", "run_id", run.run_id);
  expect(completed.data).not.toHaveProperty("content");
  expect((await published("job.completed", "job_id", run.run_id)).data).toMatchObject({
    status: "completed",
    run_id: run.run_id,
    path: `/queue/jobs/${run.run_id}`,
  });
  const types = platform.published
    .events()
    .filter(({ detail }) => (detail.data as Data).job_id === run.run_id)
    .map(({ detail_type }) => detail_type);
  expect(types).toEqual([
    ...["job.queued", "job.running", "job.paused"],
    ...["job.queued", "job.running", "job.completed"],
  ]);
  const starts = platform.published.events().filter(({ detail_type, detail }) => {
    const { run_id } = detail.data as Data;
    return detail_type === "run.started" && run_id === run.run_id;
  });
  expect(starts).toMatchObject([{ detail: { data: { status: "RUNNING", attempt: 1, user_id: "maria" } } }]);
  // What the bus took is listed no more: it would hide what waits or has failed.
  await until(async () => ((await deliveriesOf(run)).length === 0 ? true : undefined), "the last delivery");
  expect(platform.lines.some((line) => line.startsWith("[event bus default] run.completed"))).toBe(true);
});

test("schedules with their attempts, and evaluations, are on the bus", async () => {
  const json = {
    name: "nightly",
    cron_expr: "0 3 * * *",
    endpoint: "/agents/assistant/runs",
    payload: { message: "Hello", background: true, stream: false },
  };
  const { id } = (await maria.post("/schedules", { json })).json;
  expect((await published("schedule.created", "schedule_id", id)).data).toMatchObject({
    name: "nightly",
    enabled: true,
    user_id: "maria",
  });
  await maria.post(`/schedules/${id}/trigger`);
  const attempt = await published("schedule_run.completed", "schedule_id", id);
  expect(attempt.data).toMatchObject({ status: "success", attempt: 1, run_id: expect.any(String) });
  await maria.call("DELETE", `/schedules/${id}`);
  await published("schedule.deleted", "schedule_id", id);

  const evaluation = await admin.post("/eval-runs", {
    json: {
      agent_id: "assistant",
      eval_type: "reliability",
      background: true,
      cases: [{ input: "Hello", expected_tool_calls: [] }],
    },
  });
  expect(evaluation.status).toBeLessThan(300);
  await published("evaluation.created", "eval_run_id", evaluation.json.id);
  expect((await published("evaluation.completed", "eval_run_id", evaluation.json.id)).data).toMatchObject({
    component: { type: "agent", id: "assistant" },
  });

  const online_evaluation = { sample_ratio: 1, criteria: "is polite" };
  const judged = { component_id: "judged-on-the-bus", stage: "published", config: { online_evaluation } };
  await createComponent(admin, judged);
  const form = { message: "Hello", stream: "false" };
  const { json: run } = await maria.call("POST", "/agents/judged-on-the-bus/runs", { form });
  expect((await published("evaluation.created", "run_id", run.run_id)).data).toMatchObject({
    component: { type: "agent", id: "judged-on-the-bus" },
    session_id: run.session_id,
  });
});

test("an event that the bus does not take is put there again, with the same id", async () => {
  platform.faults.set(({ service, body }) => {
    const isEnd = service === "events" && JSON.stringify(body).includes("run.completed");
    return isEnd ? { status: 400, type: "InternalFailure" } : undefined;
  });
  const run = await maria.submit("Hello");
  const waiting = await until(async () => {
    const all: { id: string; type: string; event_id: string; attempts: unknown[] }[] =
      await deliveriesOf(run);
    return all.find(({ type, attempts }) => type === "run.completed" && attempts.length > 0);
  }, "the delivery that waits");
  platform.faults.clear();
  const { detail } = await published("run.completed", "run_id", run.run_id);
  expect(waiting.attempts[0]).toMatchObject({ error: expect.stringContaining("InternalFailure") });
  expect(waiting).toMatchObject({
    event_id: detail.id,
    host: "event-bus/default",
    user_id: null,
  });
  const path = `/webhook-deliveries/${waiting.id}`;
  expect((await maria.get(path)).status).toBe(404);
  const record = await until(async () => {
    const { json } = await admin.get(path);
    return json.status === "delivered" ? json : undefined;
  }, "its record");
  expect(record.tries).toBeGreaterThan(1);
  expect(record.attempts.at(-1)).toMatchObject({ response_status: 200, error: null });
});

test("a completed run ends the task whose token it was given, with its answer; no answer has the token", async () => {
  const token = "task-completed-secret";
  const run = await maria.submit("Hello", { task_token: token });
  const { output } = await endOf(token);
  expect(output).toMatchObject({
    run_id: run.run_id,
    status: "COMPLETED",
    content: expect.stringContaining("Hello"),
  });
  const shown = [
    await maria.poll(run),
    await maria.get(`/sessions/${run.session_id}/runs?type=agent`),
    await admin.get(`/queue/jobs/${run.run_id}`),
    await admin.get(`/webhook-deliveries?run_id=${run.run_id}`),
  ];
  expect(shown.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  for (const { text } of shown) expect(text).not.toContain(token);
  expect(JSON.stringify([platform.published.events(), platform.lines])).not.toContain(token);
  const deliveries = await deliveriesOf(run);
  expect(deliveries).toContainEqual(
    expect.objectContaining({ target: "task", status: "delivered", user_id: "maria" }),
  );
});

test("a cancelled run fails its task, and a token that is not valid any more fails the delivery without retries", async () => {
  const form = {
    message: '[[tool:close_account {"account":"K-8"}]]',
    ...{ stream: "false", background: "true", task_token: "task-cancelled" },
  };
  const { json: run } = await maria.call("POST", "/agents/account-desk/runs", { form });
  await published("run.paused", "run_id", run.run_id);
  // While it is paused, the task goes on waiting.
  expect(platform.published.tasks().some(({ token }) => token === form.task_token)).toBe(false);
  await maria.post(`/agents/account-desk/runs/${run.run_id}/cancel?session_id=${run.session_id}`);
  const { error, cause } = await endOf(form.task_token);
  expect(error).toBe("AgentPlatform.RunCancelled");
  expect(JSON.parse(cause ?? "")).toMatchObject({ run_id: run.run_id, status: "CANCELLED" });

  const late = await maria.submit("Hello", { task_token: "invalid-by-now" });
  const failed = await until(async () => {
    const all: { target: string; status: string }[] = await deliveriesOf(late);
    return all.find(({ target, status }) => target === "task" && status !== "pending");
  }, "the end of the delivery");
  expect(failed).toMatchObject({ status: "failed", reason: "InvalidToken", tries: 1 });
});

test("a task whose run is deleted with its session while it waits is failed at once", async () => {
  const form = {
    message: '[[tool:close_account {"account":"K-9"}]]',
    ...{ stream: "false", background: "true", task_token: "task-deleted" },
  };
  const { json: run } = await maria.call("POST", "/agents/account-desk/runs", { form });
  await published("run.paused", "run_id", run.run_id);
  const deleted = await admin.call("DELETE", `/sessions/${run.session_id}?type=agent&user_id=maria`);
  expect(deleted.status).toBeLessThan(300);
  const { error, cause } = await endOf(form.task_token);
  expect(error).toBe("AgentPlatform.RunDeleted");
  expect(JSON.parse(cause ?? "")).toEqual({
    run_id: run.run_id,
    session_id: run.session_id,
    status: "CANCELLED",
  });
});

test("where a task would wait in vain, its run is refused", async () => {
  const foreground = await maria.run("Hello", { task_token: "t" });
  expect(foreground).toMatchObject({ status: 400, json: { detail: expect.stringContaining("background") } });
  const headers = { "idempotency-key": "one-key" };
  const first = await maria.run("Hello", { background: "true", task_token: "first" }, headers);
  expect(first.status).toBe(202);
  const same = await maria.run("Hello", { background: "true", task_token: "first" }, headers);
  expect(same).toMatchObject({ status: 202, json: { run_id: first.json.run_id } });
  const other = await maria.run("Hello", { background: "true", task_token: "second" }, headers);
  expect(other.status).toBe(409);
  const scheduled = await maria.post("/schedules", {
    json: {
      name: "with a token",
      cron_expr: "0 3 * * *",
      endpoint: "/agents/assistant/runs",
      payload: { message: "Hello", background: true, task_token: "t" },
    },
  });
  expect(scheduled).toMatchObject({ status: 422, json: { detail: expect.stringContaining("task_token") } });
});
