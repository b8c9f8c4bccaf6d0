import { describe, expect } from "vitest";
import type { Approval } from "../../shared/schemas/runs/approval.ts";
import type { RunOutput } from "../../shared/schemas/runs/run.ts";
import { type Answer, type Client, clientOf } from "../support/client.ts";
import type { RunningPlatform } from "../support/platform.ts";
import { test } from "../support/shared-platform.ts";

let platform: RunningPlatform;
let maria: Client;
let otto: Client;
/** May resolve by scope, and is no admin. */
let lead: Client;
let admin: Client;
test.beforeAll(async ({ platform: shared }) => {
  platform = shared;
  const scopes = ["agents:read", "agents:run", "approvals:read"];
  maria = clientOf(platform.url, platform.token("maria", scopes));
  otto = clientOf(platform.url, platform.token("otto", scopes));
  lead = clientOf(platform.url, platform.token("maria", [...scopes, "approvals:write", "approvals:delete"]));
  admin = clientOf(platform.url, platform.adminToken);
});

type Form = Record<string, string>;

const start = async (message: string, form: Form = {}, client = maria): Promise<RunOutput> =>
  (await client.post("/agents/account-desk/runs", { form: { message, stream: "false", ...form } })).json;
const closing = (form?: Form, client?: Client) =>
  start('[[tool:close_account {"account":"K-7"}]]', form, client);
const goOn = (run: RunOutput, form: Form = {}, client = maria): Promise<Answer> =>
  client.post(`/agents/account-desk/runs/${run.run_id}/continue`, {
    form: { session_id: run.session_id, stream: "false", ...form },
  });
const idOf = ({ tools = [] }: RunOutput) => tools[0]?.approval_id ?? "none";
const approvalOf = async (run: RunOutput): Promise<Approval> =>
  (await admin.get(`/approvals/${idOf(run)}`)).json;
const resolve = (run: RunOutput, json: unknown, client = admin) =>
  client.post(`/approvals/${idOf(run)}/resolve`, { json });
const cancel = ({ run_id, session_id }: RunOutput) =>
  maria.post(`/agents/account-desk/runs/${run_id}/cancel?session_id=${session_id}`);
const answers = ({ tools = [] }: RunOutput, answer: Record<string, unknown>) =>
  JSON.stringify(tools.map((call) => ({ ...call, ...answer })));

describe("a run that pauses before a call that must be approved", () => {
  test("puts a pending approval on record, with every field, and names it on the call", async () => {
    const run = await closing();
    expect(run.status).toBe("PAUSED");
    expect(await approvalOf(run)).toEqual({
      id: idOf(run),
      run_id: run.run_id,
      session_id: run.session_id,
      status: "pending",
      source_type: "agent",
      approval_type: "required",
      pause_type: "confirmation",
      tool_name: "close_account",
      tool_args: { account: "K-7" },
      expires_at: null,
      agent_id: "account-desk",
      team_id: null,
      workflow_id: null,
      user_id: "maria",
      schedule_id: null,
      schedule_run_id: null,
      source_name: "Account desk",
      requirements: [
        expect.objectContaining({ tool_execution: expect.objectContaining({ approval_id: idOf(run) }) }),
      ],
      context: { tool_names: ["close_account"], source_name: "Account desk" },
      resolution_data: null,
      resolved_by: null,
      resolved_at: null,
      created_at: expect.any(Number),
      updated_at: null,
      run_status: "PAUSED",
    });
  });

  test("goes on once it is approved, without a further answer", async () => {
    const run = await closing();
    expect((await goOn(run)).status).toBe(403);
    const resolved = await resolve(run, { status: "approved", resolution_data: { note: "ok by lead" } });
    expect(resolved).toMatchObject({
      status: 200,
      json: {
        status: "approved",
        resolved_by: "admin",
        resolved_at: expect.any(Number),
        updated_at: expect.any(Number),
        resolution_data: { note: "ok by lead" },
        run_status: "PAUSED",
      },
    });
    const { status, json } = await goOn(run);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      run_id: run.run_id,
      status: "COMPLETED",
      content: "Account K-7 is closed.",
      metadata: { approval: { id: idOf(run), status: "approved" } },
    });
    expect(await approvalOf(run)).toMatchObject({ status: "approved", run_status: "COMPLETED" });
  });

  test("goes on without the call once it is rejected, also against the client's own word", async () => {
    const run = await closing();
    await resolve(run, { status: "rejected", resolution_data: { note: "the customer owes money" } });
    const { json } = await goOn(run, { tools: answers(run, { confirmed: true }) });
    expect(json).toMatchObject({ status: "COMPLETED", tools: [{ confirmed: false }] });
    expect(json.content).toContain("the customer owes money");
    expect(await approvalOf(run)).toMatchObject({ status: "rejected", run_status: "COMPLETED" });
  });

  test.each([
    ["as calls", (run: RunOutput, no: Record<string, unknown>) => ({ tools: answers(run, no) })],
    [
      "as requirements",
      ({ requirements = [] }: RunOutput, { confirmed: confirmation, ...rest }: Record<string, unknown>) => ({
        requirements: JSON.stringify(requirements.map((one) => ({ ...one, confirmation, ...rest }))),
      }),
    ],
  ])(
    "goes on without the call although it is approved, when the requester says no %s",
    async (_form, formOf) => {
      const run = await closing();
      await resolve(run, { status: "approved", resolution_data: { note: "ok by lead" } });
      const { status, json } = await goOn(
        run,
        formOf(run, { confirmed: false, confirmation_note: "I changed my mind" }),
      );
      expect(status).toBe(200);
      const [call] = json.tools;
      expect(call).toMatchObject({
        confirmed: false,
        confirmation_note: "I changed my mind",
        tool_call_error: true,
      });
      expect(json.content).not.toContain("is closed");
      expect(json.content).toContain("I changed my mind");
      expect(await approvalOf(run)).toMatchObject({ status: "approved", run_status: "COMPLETED" });
    },
  );

  test("shows who can resolve it", async () => {
    const { json } = await goOn(await closing());
    expect(json.detail).toContain("an admin (platform:admin)");
  });

  test("is gated while it is pending: 403 without approvals:write, 409 with it and no decision", async () => {
    const run = await closing();
    const tools = answers(run, { confirmed: true });
    expect(await goOn(run, { tools })).toMatchObject({ status: 403, json: { error_code: "UNAUTHORIZED" } });
    expect(await goOn(run, { tools }, lead)).toMatchObject({ status: 409, json: { error_code: "CONFLICT" } });
    expect(await goOn(run, {}, admin)).toMatchObject({ status: 409 });
    expect(await approvalOf(run)).toMatchObject({ status: "pending", run_status: "PAUSED" });
  });

  test("goes on by an admin's answers, which settle the approval in the same write", async () => {
    const yes = await closing();
    expect((await goOn(yes, { tools: answers(yes, { confirmed: true }) }, admin)).json.status).toBe(
      "COMPLETED",
    );
    expect(await approvalOf(yes)).toMatchObject({
      status: "approved",
      resolved_by: "admin",
      run_status: "COMPLETED",
    });
    const no = await closing();
    await goOn(no, { tools: answers(no, { confirmed: false, confirmation_note: "no" }) }, admin);
    expect(await approvalOf(no)).toMatchObject({ status: "rejected", resolution_data: { note: "no" } });
  });

  test("takes its approval with it when it is cancelled", async () => {
    const run = await closing();
    expect((await cancel(run)).status).toBe(200);
    expect(await approvalOf(run)).toMatchObject({ status: "cancelled", run_status: "CANCELLED" });
    expect((await resolve(run, { status: "approved" })).status).toBe(409);
    expect((await goOn(run)).status).toBe(409);
  });

  test("cannot go on when its approval was deleted", async () => {
    const run = await closing();
    expect((await admin.call("DELETE", `/approvals/${idOf(run)}`)).status).toBe(204);
    expect((await goOn(run, { tools: answers(run, { confirmed: true }) })).status).toBe(409);
    expect((await cancel(run)).status).toBe(200);
  });

  test("in the background goes on in the queue, with its record in step", async () => {
    const { run_id, session_id } = await closing({ background: "true" });
    const path = `/agents/account-desk/runs/${run_id}?session_id=${session_id}`;
    const paused = await until(path, "PAUSED");
    await resolve(paused, { status: "approved" });
    expect(await goOn(paused, { background: "true" })).toMatchObject({
      status: 202,
      json: { run_id, status: "PENDING" },
    });
    expect(await until(path, "COMPLETED")).toMatchObject({ content: "Account K-7 is closed." });
    expect(await approvalOf(paused)).toMatchObject({ status: "approved", run_status: "COMPLETED" });
  });
});

async function until(path: string, status: string): Promise<RunOutput> {
  await expect.poll(async () => (await maria.get(path)).json.status).toBe(status);
  return (await maria.get(path)).json;
}

test("an audited call blocks no run; its answer is put on record", async () => {
  for (const confirmed of [true, false]) {
    const run = await start('[[tool:change_address {"account":"K-7","city":"Bern"}]]');
    expect(run.tools?.[0]).toMatchObject({ approval_type: "audit", approval_id: null });
    const { json } = await goOn(run, { tools: answers(run, { confirmed }) });
    expect(json.status).toBe("COMPLETED");
    expect(await approvalOf(json)).toMatchObject({
      status: confirmed ? "approved" : "rejected",
      approval_type: "audit",
      run_id: run.run_id,
      resolved_by: "maria",
      resolved_at: expect.any(Number),
      run_status: "COMPLETED",
    });
  }
});

describe("resolving", () => {
  test("is done once: the second gets 409 with the present status", async () => {
    const run = await closing();
    expect((await resolve(run, { status: "rejected" })).status).toBe(200);
    const again = await resolve(run, { status: "approved" });
    expect(again).toMatchObject({ status: 409, json: { detail: expect.stringContaining("rejected") } });
  });

  test("by many at once is done once", async () => {
    const run = await closing();
    const all = await Promise.all(
      ["approved", "rejected", "approved", "rejected"].map((status) => resolve(run, { status })),
    );
    expect(all.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const winner = all.find(({ status }) => status === 200);
    expect(await approvalOf(run)).toMatchObject({ status: winner?.json.status });
  });

  test("takes the caller's identity for resolved_by, whatever the body says", async () => {
    const run = await closing();
    const { json } = await resolve(run, { status: "approved", resolved_by: "approver" });
    expect(json.resolved_by).toBe("admin");
  });

  test("with a body that is not right is 422", async () => {
    const run = await closing();
    const bodies = [
      {},
      { status: "pending" },
      { status: "approved", resolution_data: [1] },
      { status: "approved", resolved_by: "x".repeat(256) },
    ];
    for (const body of bodies) expect((await resolve(run, body)).status).toBe(422);
    const large = { status: "approved", resolution_data: { result: "x".repeat(100_001) } };
    expect((await resolve(run, large)).status).toBe(413);
    expect((await approvalOf(run)).status).toBe("pending");
  });
});

describe("access", () => {
  test("unknown approvals are 404 everywhere, also on delete", async () => {
    expect((await admin.get("/approvals/none")).status).toBe(404);
    expect((await admin.get("/approvals/none/status")).status).toBe(404);
    expect((await admin.post("/approvals/none/resolve", { json: { status: "approved" } })).status).toBe(404);
    expect((await admin.call("DELETE", "/approvals/none")).status).toBe(404);
  });

  test("one sees one's own and no other's; only an admin resolves and deletes", async () => {
    const run = await closing();
    const path = `/approvals/${idOf(run)}`;
    expect((await maria.get(path)).json).toEqual(await approvalOf(run));
    expect((await maria.get(`${path}/status`)).json).toEqual({
      approval_id: idOf(run),
      status: "pending",
      run_id: run.run_id,
      resolved_at: null,
      resolved_by: null,
    });
    expect((await otto.get(path)).status).toBe(404);
    expect((await otto.get(`${path}/status`)).status).toBe(404);
    expect((await resolve(run, { status: "approved" }, lead)).status).toBe(404);
    expect((await lead.call("DELETE", path)).status).toBe(404);
    expect((await resolve(run, { status: "approved" }, maria)).status).toBe(403);
    expect((await maria.call("DELETE", path)).status).toBe(403);
    expect((await approvalOf(run)).status).toBe("pending");
  });
});

test("a pending approval stops its own run and no other of the session", async () => {
  const run = await closing();
  const other = await start("hello", { session_id: run.session_id });
  expect((await goOn(other, { input: "go on" })).json.status).toBe("COMPLETED");
  expect((await approvalOf(run)).status).toBe("pending");
});

test("each scope opens its own routes; one for a single approval opens none", async () => {
  const run = await closing();
  const path = `/approvals/${idOf(run)}`;
  const writer = clientOf(platform.url, platform.token("maria", ["approvals:write"]));
  const narrow = clientOf(platform.url, platform.token("maria", [`approvals:${idOf(run)}:read`]));
  expect((await writer.get("/approvals")).status).toBe(403);
  expect((await narrow.get(path)).status).toBe(403);
  expect((await clientOf(platform.url).get(path)).status).toBe(401);
});

describe("the list", () => {
  test("shows the newest first, by pages, with exact totals, and filters by every field", async () => {
    const runs = [];
    for (let i = 0; i < 3; i += 1) runs.push(await closing({}, otto));
    await resolve(runs[0] as RunOutput, { status: "approved" });
    const list = async (query: string, client = otto) => (await client.get(`/approvals?${query}`)).json;
    const all = await list("");
    expect(all.meta).toMatchObject({ page: 1, limit: 100, total_count: 3, total_pages: 1 });
    const times = all.data.map(({ created_at }: Approval) => created_at);
    expect(times).toEqual([...times].sort((a, b) => b - a));
    const pages = [await list("limit=2"), await list("limit=2&page=2"), await list("limit=2&page=3")];
    expect(pages.map(({ data }) => data.length)).toEqual([2, 1, 0]);
    expect(pages.flatMap(({ data }) => data)).toEqual(all.data);
    expect(pages[2].meta).toMatchObject({ total_count: 3, total_pages: 2 });
    const count = async (query: string, client?: Client) => (await list(query, client)).meta.total_count;
    expect(await count("status=pending")).toBe(2);
    expect(await count("status=approved")).toBe(1);
    expect(await count("approval_type=audit")).toBe(0);
    expect(await count("pause_type=confirmation&source_type=agent&agent_id=account-desk")).toBe(3);
    expect(await count("pause_type=whatever")).toBe(0);
    expect(await count("team_id=x")).toBe(0);
    expect(await count(`run_id=${runs[1]?.run_id}`)).toBe(1);
    expect(await count("user_id=maria")).toBe(3);
    expect(await count("user_id=otto&status=pending", admin)).toBe(2);
    expect(await count("user_id=otto", admin)).toBe(3);
    expect(await count("", admin)).toBeGreaterThan(3);
  });

  test("counts what is pending", async () => {
    const before = (await maria.get("/approvals/count")).json.count;
    const run = await closing();
    expect((await maria.get("/approvals/count?user_id=otto")).json).toEqual({ count: before + 1 });
    expect((await admin.get("/approvals/count?user_id=maria")).json).toEqual({ count: before + 1 });
    await resolve(run, { status: "approved" });
    expect((await maria.get("/approvals/count")).json).toEqual({ count: before });
  });

  test.each(["status=open", "approval_type=other", "limit=0", "limit=1001", "page=0"])(
    "refuses %s with 422",
    async (query) => {
      expect((await admin.get(`/approvals?${query}`)).status).toBe(422);
    },
  );
});
