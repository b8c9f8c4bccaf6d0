import { describe, expect } from "vitest";
import type { RunOutput } from "../../../shared/schemas/runs/run.ts";
import { type Answer, type Client, clientOf, framesOf, orderOf } from "../../support/client.ts";
import { createComponent } from "../../support/create-component.ts";
import { faultLab } from "../../support/fault-lab.ts";
import type { RunningPlatform } from "../../support/platform.ts";
import { test } from "../../support/shared-platform.ts";

let platform: RunningPlatform;
/** Requests, and may resolve nothing. */
let maria: Client;
let admin: Client;
let otherAdmin: Client;
const kinds = ["agent", "team", "workflow"] as const;
type Kind = (typeof kinds)[number];
/** What waits for an approval, one of each kind. */
const ids = { agent: "account-desk", team: "", workflow: "" };
test.beforeAll(async ({ platform: shared }) => {
  platform = shared;
  const scopes = kinds.flatMap((kind) => [`${kind}s:read`, `${kind}s:run`]);
  maria = clientOf(platform.url, platform.token("maria", [...scopes, "approvals:read"]));
  admin = clientOf(platform.url, platform.adminToken);
  otherAdmin = clientOf(platform.url, platform.token("other-admin", [platform.adminScope]));
  ids.team = await publish("team", "closing-team", {
    members: [{ type: "agent", agent_id: "account-desk" }],
  });
  ids.workflow = await publish("workflow", "closing-workflow", {
    steps: [{ name: "close", type: "Step", agent_id: "account-desk" }],
  });
});

const publish = (component_type: Kind, component_id: string, config: object): Promise<string> =>
  createComponent(admin, {
    component_type,
    component_id,
    config,
    stage: "published",
    metadata: { visibility: "all" },
  });

type Form = Record<string, string>;
type Approvable = Pick<RunOutput, "run_id" | "session_id"> & { readonly approval_id: string };

const path = (kind: Kind) => `/${kind}s/${ids[kind]}/runs`;
const close = '[[tool:close_account {"account":"K-7"}]]';
const messages: Record<Kind, string> = {
  agent: close,
  team: `[[tool:delegate_task_to_member ${JSON.stringify({ member_id: "account-desk", task: close })}]]`,
  workflow: close,
};

const poll = async (kind: Kind, { run_id, session_id }: Pick<RunOutput, "run_id" | "session_id">) =>
  (await maria.get(`${path(kind)}/${run_id}?session_id=${session_id}`)).json;
const reach = async (kind: Kind, run: Pick<RunOutput, "run_id" | "session_id">, status: string) => {
  await expect.poll(async () => (await poll(kind, run)).status).toBe(status);
  return poll(kind, run);
};
const job = async ({ run_id }: Pick<RunOutput, "run_id">) => admin.get(`/queue/jobs/${run_id}`);

async function paused(kind: Kind, form: Form = {}, client = maria): Promise<Approvable> {
  const { json } = await client.post(path(kind), {
    form: { message: messages[kind], stream: "false", ...form },
  });
  await expect
    .poll(
      async () =>
        (await client.get(`${path(kind)}/${json.run_id}?session_id=${json.session_id}`)).json.status,
    )
    .toBe("PAUSED");
  const { data } = (await admin.get(`/approvals?run_id=${json.run_id}`)).json;
  expect(data).toHaveLength(1);
  return { run_id: json.run_id, session_id: json.session_id, approval_id: data[0].id };
}

const resolve = (run: Approvable, json: object = {}, client = admin): Promise<Answer> =>
  client.post(`/approvals/${run.approval_id}/resolve`, {
    json: { status: "approved", continue: true, ...json },
  });
const approvalOf = async ({ approval_id }: Approvable) => (await admin.get(`/approvals/${approval_id}`)).json;
const eventsOf = async (kind: Kind, { run_id, session_id }: Approvable) =>
  orderOf(framesOf((await maria.post(`${path(kind)}/${run_id}/resume`, { form: { session_id } })).text));

describe.each(kinds)("a paused run of a kind (%s)", (kind) => {
  test.each([
    ["in the foreground", {}],
    ["in the background", { background: "true" }],
  ])("that paused %s goes on by its approval alone, as its requester's", async (_where, form) => {
    const run = await paused(kind, form);
    const hadJob = (await job(run)).status === 200;
    expect(hadJob).toBe("background" in form);
    const answer = await resolve(run, { resolution_data: { note: "ok by lead" } });
    expect(answer).toMatchObject({
      status: 200,
      json: {
        id: run.approval_id,
        status: "approved",
        resolved_by: "admin",
        resolution_data: { note: "ok by lead" },
        run: { status: "PENDING", job_id: run.run_id, waits_for: 0 },
      },
    });
    const ended = await reach(kind, run, "COMPLETED");
    expect(JSON.stringify(ended)).toContain("Account K-7 is closed.");
    expect((await job(run)).json).toMatchObject({
      status: "completed",
      user_id: "maria",
      attempt: 2,
      max_attempts: 2,
      payload: { continue: {} },
    });
    expect(await approvalOf(run)).toMatchObject({ status: "approved", run_status: "COMPLETED" });
  });

  test("is notified of a rejection with its note", async () => {
    const run = await paused(kind);
    const answer = await resolve(run, {
      status: "rejected",
      resolution_data: { note: "the customer owes money" },
    });
    expect(answer.json).toMatchObject({ status: "rejected", run: { status: "PENDING" } });
    const ended = JSON.stringify(await reach(kind, run, "COMPLETED"));
    expect(ended).toContain("the customer owes money");
    expect(ended).not.toContain("is closed.");
    expect(await approvalOf(run)).toMatchObject({ status: "rejected", run_status: "COMPLETED" });
  });
});

describe("a resolution that continues", () => {
  test("is answered alike when it is repeated, before and after the run has ended", async () => {
    const run = await paused("agent");
    // The message is lost, so that the job still waits when the second request comes.
    const first = await faultLab(platform).fail("sqs SendMessage", "refused", () => resolve(run));
    expect(first.json).toMatchObject({ status: "approved", run: { status: "PENDING", waits_for: 0 } });
    expect(await resolve(run)).toMatchObject({ status: 200, json: first.json });
    // The repetition has sent a worker its wake-up.
    await reach("agent", run, "COMPLETED");
    platform.faults.clear();
    expect((await resolve(run)).json).toMatchObject({
      status: "approved",
      run: { status: "COMPLETED", job_id: run.run_id, waits_for: 0 },
    });
    expect((await job(run)).json).toMatchObject({ attempt: 2 });
    expect((await eventsOf("agent", run)).filter((event) => event === "RunCompleted")).toHaveLength(1);
  });

  test("whose answer is lost is found written by its repetition", async () => {
    const lab = faultLab(platform);
    const { calls } = await lab.record(async () => resolve(await paused("agent")));
    const kind = [...calls.keys()].find((one) => /^TransactWriteItems Put job/.test(one)) ?? "none";
    const run = await paused("agent");
    const lost = await lab.fail(kind, "lost", () => resolve(run));
    expect([200, 503]).toContain(lost.status);
    platform.faults.clear();
    expect((await resolve(run)).json).toMatchObject({ status: "approved", run: { job_id: run.run_id } });
    await reach("agent", run, "COMPLETED");
    expect((await job(run)).json).toMatchObject({ status: "completed", attempt: 2 });
  });

  test("by two approvers at once is one resolution and one execution", async () => {
    for (const form of [{}, { background: "true" }]) {
      const run = await paused("agent", form);
      const both = await Promise.all([resolve(run), resolve(run, {}, otherAdmin)]);
      expect(both.map(({ status }) => status)).toEqual([200, 200]);
      const [one, other] = both.map(({ json }) => json.resolved_by);
      expect(one).toBe(other);
      await reach("agent", run, "COMPLETED");
      expect((await job(run)).json).toMatchObject({ attempt: 2 });
      expect((await eventsOf("agent", run)).filter((event) => event === "RunContinued")).toHaveLength(1);
    }
  });

  test("is refused once another one has decided otherwise, or with other data", async () => {
    const run = await paused("agent");
    const decisions = [resolve(run), resolve(run, { status: "rejected" }, otherAdmin)];
    expect((await Promise.all(decisions)).map(({ status }) => status).sort()).toEqual([200, 409]);
    const { status } = await approvalOf(run);
    const refused = await resolve(run, { status, resolution_data: { note: "mine" } });
    expect(refused).toMatchObject({ status: 409, json: { detail: expect.stringContaining(status) } });
  });

  test("continues a run that was resolved without it", async () => {
    const run = await paused("workflow");
    const answer = await resolve(run, { continue: false });
    expect(answer.json).not.toHaveProperty("run");
    expect((await poll("workflow", run)).status).toBe("PAUSED");
    expect((await resolve(run, {}, otherAdmin)).json).toMatchObject({
      resolved_by: "admin",
      run: { status: "PENDING" },
    });
    await reach("workflow", run, "COMPLETED");
  });

  test("leaves a second resolution without it refused, as before", async () => {
    const run = await paused("agent");
    await resolve(run);
    expect((await resolve(run, { continue: false })).status).toBe(409);
  });

  test("takes the right to resolve and no other", async () => {
    const run = await paused("agent");
    const lead = clientOf(platform.url, platform.token("lead", ["approvals:read", "agents:run"]));
    expect((await resolve(run, {}, lead)).status).toBe(403);
    expect((await resolve(run, {}, maria)).status).toBe(403);
    expect((await approvalOf(run)).status).toBe("pending");
  });

  test("of a run with other open questions is written, and says how many; the run goes on once they are answered", async () => {
    const steps = ["account-desk", "refund-desk"].map((agent_id) => ({
      name: agent_id,
      type: "Step",
      agent_id,
    }));
    const workflow = await publish("workflow", "closing-and-refunding", {
      steps: [{ name: "both", type: "Parallel", steps }],
    });
    const at = `/workflows/${workflow}/runs`;
    // The refund desk has no such account tool: it goes on to the refund, which its user has to confirm.
    const message = `${close}[[tool:issue_refund {"order_id":"o-1","amount":5}]]`;
    const { json: run } = await maria.post(at, { form: { message, stream: "false" } });
    const [approval] = (await admin.get(`/approvals?run_id=${run.run_id}`)).json.data;
    for (const time of ["first", "second"]) {
      const answer = await resolve({ ...run, approval_id: approval.id });
      const open = { status: "PAUSED", job_id: null, waits_for: 1 };
      expect([time, answer.status, answer.json.run]).toEqual([time, 200, open]);
    }
    const confirmed = run.step_requirements
      .filter(({ executor_id }: { executor_id: string }) => executor_id === "refund-desk")
      .map((asked: { executor_requirements: { tool_execution: object }[] }) => ({
        ...asked,
        executor_requirements: asked.executor_requirements.map((one) => ({
          ...one,
          confirmation: true,
          tool_execution: { ...one.tool_execution, confirmed: true },
        })),
      }));
    const { json } = await maria.post(`${at}/${run.run_id}/continue`, {
      form: { session_id: run.session_id, stream: "false", step_requirements: JSON.stringify(confirmed) },
    });
    expect(json).toMatchObject({ status: "COMPLETED" });
    expect(JSON.stringify(json)).toContain("Account K-7 is closed.");
    expect(JSON.stringify(json)).toContain("Refunded 5 for order o-1.");
  });

  test("of a run that pauses again says so, and the next approval continues it", async () => {
    const run = await paused("agent", { message: close + close });
    await resolve(run);
    const pending = async () => (await admin.get(`/approvals?run_id=${run.run_id}&status=pending`)).json.data;
    await expect.poll(async () => (await pending()).length).toBe(1);
    expect((await resolve(run)).json.run).toEqual({ status: "PAUSED", job_id: run.run_id, waits_for: 1 });
    const [next] = await pending();
    expect((await resolve({ ...run, approval_id: next.id })).json.run.status).toBe("PENDING");
    await reach("agent", run, "COMPLETED");
    expect((await job(run)).json).toMatchObject({ status: "completed", attempt: 3 });
  });

  test("of a cancelled run is refused", async () => {
    const run = await paused("agent");
    await maria.post(`${path("agent")}/${run.run_id}/cancel?session_id=${run.session_id}`);
    expect(await resolve(run)).toMatchObject({
      status: 409,
      json: { detail: expect.stringContaining("cancelled") },
    });
  });

  test("of a run whose session was deleted is refused", async () => {
    const run = await paused("agent");
    expect((await admin.call("DELETE", `/sessions/${run.session_id}`)).status).toBe(204);
    expect((await resolve(run)).status).toBe(409);
  });
});
