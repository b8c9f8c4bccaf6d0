import { describe, expect } from "vitest";
import { utcDay } from "../../../shared/domain/utc-day.ts";
import type { ListedAuditRecord } from "../../../shared/schemas/audit/audit-record.ts";
import { type Client, clientOf } from "../../support/client.ts";
import { createComponent } from "../../support/create-component.ts";
import type { RunningPlatform } from "../../support/platform.ts";
import { test } from "../../support/shared-platform.ts";

let platform: RunningPlatform;
let admin: Client;
let auditor: Client;
test.beforeAll(({ platform: shared }) => {
  platform = shared;
  admin = clientOf(platform.url, platform.adminToken);
  auditor = clientOf(platform.url, platform.token("auditor", ["audit:read"]));
});

const user = (sub: string, ...scopes: string[]) => clientOf(platform.url, platform.token(sub, scopes));
const recordsOf = async (query: Record<string, string>): Promise<ListedAuditRecord[]> =>
  (await auditor.get(`/audit?${new URLSearchParams(query)}`)).json.data;

describe("an approval that is resolved", () => {
  const paused = async (sub: string) => {
    const client = user(sub, "agents:read", "agents:run", "sessions:read", "sessions:delete");
    const form = { message: '[[tool:close_account {"account":"K-9"}]]', stream: "false" };
    const run = (await client.post("/agents/account-desk/runs", { form })).json;
    return { client, run, id: String(run.tools[0].approval_id) };
  };

  test("is recorded with who decided what for whom, and stays recorded when its session is removed", async () => {
    const { client, run, id } = await paused("audited-maria");
    expect((await admin.post(`/approvals/${id}/resolve`, { json: { status: "approved" } })).status).toBe(200);
    expect((await client.call("DELETE", `/sessions/${run.session_id}`)).status).toBe(204);
    const [record, ...others] = await recordsOf({ target: id });
    expect(others).toEqual([]);
    expect(record).toMatchObject({
      operation: "resolveApproval",
      principal_kind: "user",
      on_behalf_of: "audited-maria",
      protocol: "http",
      address: expect.stringMatching(/127\.0\.0\.1|::1/),
      target: { approval_id: id, run_id: run.run_id, session_id: run.session_id, tool_name: "close_account" },
      arguments_digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      before: { status: "pending" },
      after: { status: "approved" },
      outcome: "changed",
    });
    expect(await recordsOf({ target: run.session_id, operation: "removeSession" })).toMatchObject([
      { principal: "audited-maria", outcome: "changed", target: { session_id: run.session_id } },
    ]);
  });

  test("is recorded once where its run goes on by it", async () => {
    const { id } = await paused("audited-nina");
    const json = { status: "rejected", continue: true };
    expect((await admin.post(`/approvals/${id}/resolve`, { json })).status).toBe(200);
    expect(await recordsOf({ target: id })).toMatchObject([
      { operation: "resolveApproval", after: { status: "rejected" }, outcome: "changed" },
    ]);
  });

  test("is recorded where it is deleted, and where someone may not decide it", async () => {
    const { client, id } = await paused("audited-otto");
    expect((await client.post(`/approvals/${id}/resolve`, { json: { status: "approved" } })).status).toBe(
      403,
    );
    expect((await admin.call("DELETE", `/approvals/${id}`)).status).toBe(204);
    expect(await recordsOf({ target: id })).toMatchObject([
      { operation: "removeApproval", before: { status: "pending" }, outcome: "changed" },
      {
        principal: "audited-otto",
        operation: "resolveApproval",
        decision: "forbidden",
        outcome: "refused",
        status: 403,
      },
    ]);
  });
});

describe("changes by operators", () => {
  test("of service accounts are recorded without anything of their tokens", async () => {
    const { json } = await admin.post("/service-accounts", { json: { name: "audited-account", scopes: [] } });
    await admin.call("DELETE", `/service-accounts/${json.id}`);
    const records = await recordsOf({ target: json.id });
    expect(records).toMatchObject([
      { operation: "revokeServiceAccount", after: { revoked_at: expect.any(Number) } },
      { operation: "mintServiceAccount", after: { name: "audited-account" } },
    ]);
    expect(JSON.stringify(records)).not.toContain(json.token_prefix);
  });

  test("of components say which version went live, and what was forced", async () => {
    const id = await createComponent(admin, { component_id: "audited-gate", config: { require_eval: true } });
    const path = `/components/${id}/configs/1`;
    await admin.call("PATCH", `${path}?force=true`, { json: { stage: "published" } });
    expect(await recordsOf({ target: id, operation: "updateConfigVersion" })).toMatchObject([
      { target: { component_id: id, version: "1" }, after: { current_version: 1, forced: ["require_eval"] } },
    ]);
  });

  test("that take the gate of a live version away are refused without force, and recorded with it", async () => {
    const id = await createComponent(admin, { component_id: "audited-gone", config: { require_eval: true } });
    await admin.call("PATCH", `/components/${id}/configs/1?force=true`, { json: { stage: "published" } });
    const config = { instructions: "Be kind.", require_eval: false };
    const { json: draft } = await admin.post(`/components/${id}/configs`, { json: { config } });
    const path = `/components/${id}/configs/${draft.version}`;
    const publish = { json: { stage: "published" } };
    expect(await admin.call("PATCH", path, publish)).toMatchObject({
      status: 422,
      json: { faults: [{ path: "require_eval", message: expect.stringContaining("force=true") }] },
    });
    expect((await admin.call("PATCH", `${path}?force=true`, publish)).status).toBe(200);
    expect(
      await recordsOf({ target: String(draft.version), operation: "updateConfigVersion" }),
    ).toContainEqual(
      expect.objectContaining({ after: expect.objectContaining({ forced: ["require_eval"] }) }),
    );
  });

  test("of schedules and webhook endpoints have what was before and after", async () => {
    const body = {
      name: "audited-schedule",
      cron_expr: "0 5 * * *",
      endpoint: "/agents/assistant/runs",
      method: "POST",
      payload: { message: "hello" },
    };
    const schedule = (await admin.post("/schedules", { json: body })).json;
    await admin.post(`/schedules/${schedule.id}/disable`);
    await admin.call("DELETE", `/schedules/${schedule.id}`);
    expect(await recordsOf({ target: schedule.id })).toMatchObject([
      { operation: "removeSchedule", before: { name: "audited-schedule" }, after: null },
      { operation: "disableSchedule", before: { enabled: true }, after: { enabled: false } },
      { operation: "createSchedule", before: null, after: { cron_expr: "0 5 * * *" } },
    ]);
    const json = { url: "https://example.com/hook", events: ["run.completed"] };
    const { id } = (await admin.post("/webhook-endpoints", { json })).json;
    await admin.call("PATCH", `/webhook-endpoints/${id}`, { json: { enabled: false } });
    await admin.call("DELETE", `/webhook-endpoints/${id}`);
    expect(await recordsOf({ target: id })).toMatchObject([
      { operation: "removeWebhookEndpoint", before: { url: "https://example.com/hook" } },
      { operation: "updateWebhookEndpoint", before: { enabled: true }, after: { enabled: false } },
      { operation: "createWebhookEndpoint", after: { url: "https://example.com/hook" } },
    ]);
  });

  test("of several steps are recorded before and after", async () => {
    const operator = user("audited-operator", "platform:admin");
    const json = { user_id: "audited-absent", dry_run: true };
    const { status, json: answered } = await operator.post("/queue/jobs/requeue", { json });
    expect([status, answered]).toMatchObject([200, {}]);
    expect(await recordsOf({ principal: "audited-operator" })).toMatchObject([
      { operation: "requeueJobs", outcome: "done", after: expect.any(Object) },
      { operation: "requeueJobs", outcome: "started", after: null },
    ]);
  });

  test("that access refuses are recorded once in a while, whoever tries how often", async () => {
    const mallory = user("audited-mallory", "agents:read");
    // What a client writes is not its address.
    const headers = { "x-viewer-address": "203.0.113.9", "cloudfront-viewer-address": "203.0.113.9:443" };
    for (let n = 0; n < 3; n += 1) await mallory.post("/queue/jobs/audited-job/requeue", { headers });
    expect(await recordsOf({ principal: "audited-mallory" })).toMatchObject([
      {
        address: "127.0.0.1",
        operation: "requeueJob",
        target: { job_id: "audited-job" },
        decision: "forbidden",
        outcome: "refused",
      },
    ]);
  });
});

describe("an admin who reads a conversation", () => {
  test("is recorded where it is another user's, on every way to it, and only once in a while", async () => {
    const nora = user("audited-nora", "agents:read", "agents:run", "sessions:read");
    const { run_id, session_id } = (await nora.run("a secret")).json;
    const run = `/agents/assistant/runs/${run_id}?session_id=${session_id}`;
    for (const path of [`/sessions/${session_id}`, `/sessions/${session_id}/runs`, run, run]) {
      expect((await nora.get(path)).status).toBe(200);
      expect((await admin.get(path)).status).toBe(200);
    }
    const records = await recordsOf({ on_behalf_of: "audited-nora" });
    expect(records.map(({ operation, outcome }) => [operation, outcome]).sort()).toEqual([
      ["getAgentRun", "read"],
      ["getSession", "read"],
      ["listSessionRuns", "read"],
    ]);
    expect(records.every(({ principal }) => principal !== "audited-nora")).toBe(true);
  });

  test("is recorded for lists too, with whose they were", async () => {
    const reader = clientOf(platform.url, platform.token("audited-lister", ["platform:admin"]));
    for (const path of [
      "/sessions",
      "/sessions",
      "/sessions?user_id=audited-nora",
      "/runs?user_id=audited-nora",
      "/runs",
    ])
      expect((await reader.get(path)).status).toBe(200);
    await user("audited-nora", "sessions:read").get("/sessions");
    const records = await recordsOf({ principal: "audited-lister" });
    expect(records.map(({ operation, on_behalf_of }) => [operation, on_behalf_of]).sort()).toEqual([
      ["listRuns", "*"],
      ["listRuns", "audited-nora"],
      ["listSessions", "*"],
      ["listSessions", "audited-nora"],
    ]);
    expect(await recordsOf({ principal: "audited-nora" })).toEqual([]);
  });

  test("reads nothing while that cannot be recorded", async () => {
    const olga = user("audited-olga", "agents:run");
    const { session_id } = (await olga.run("hello")).json;
    platform.faults.set(({ service, operation, caller }) =>
      caller.label.startsWith("Sessions") && service === "dynamodb" && operation === "PutItem"
        ? { status: 500, type: "InternalServerError" }
        : undefined,
    );
    const { status, text } = await admin.get(`/sessions/${session_id}`);
    platform.faults.clear();
    expect(status).toBeGreaterThanOrEqual(500);
    expect(text).not.toContain("hello");
  });
});

describe("the audit itself", () => {
  test("is read by those alone who have its scope", async () => {
    expect((await user("audited-eve", "agents:read").get("/audit")).status).toBe(403);
    expect((await user("audited-eve", "agents:read").get("/audit/verify")).status).toBe(403);
    expect((await admin.get("/audit?limit=1")).json.data).toHaveLength(1);
  });

  test("comes in pages, and as lines of JSON", async () => {
    const { json } = await auditor.get("/audit?limit=1");
    const next = await auditor.get(`/audit?limit=1&format=jsonl&cursor=${json.next_cursor}`);
    expect(next.headers.get("content-type")).toBe("application/x-ndjson");
    expect(next.headers.get("x-next-cursor")).toEqual(expect.any(String));
    const [line = "", rest] = next.text.split("\n");
    expect(rest).toBe("");
    expect(JSON.parse(line).id).not.toBe(json.data[0].id);
    expect((await auditor.get("/audit?limit=1&cursor=forged")).status).toBe(400);
  });

  test.each([
    ["the end of time", "created_after=9007199254740991", 0],
    ["times before all times", "created_before=-9007199254740991", 0],
    ["bounds that exclude each other", "created_after=1800000000&created_before=1700000000", 0],
    ["all times", "created_after=-9007199254740991&created_before=9007199254740991", 1],
  ])("may be asked for %s", async (_, bounds, found) => {
    const { status, json } = await auditor.get(`/audit?limit=1&${bounds}`);
    expect([status, json.data]).toEqual([200, found === 0 ? [] : [expect.anything()]]);
  });

  test("is verified by the day", async () => {
    const { status, json } = await auditor.get("/audit/verify");
    expect([status, json]).toMatchObject([
      200,
      { intact: true, problems: [], day: utcDay(Date.now() / 1000) },
    ]);
    expect(json.records + json.waiting).toBeGreaterThan(0);
    expect((await auditor.get("/audit/verify?day=2020-01-01")).status).toBe(400);
  });
});
