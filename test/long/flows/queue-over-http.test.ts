import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, clientOf } from "../../support/client.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";

/** Short, so that a test can wait for its end; long enough that a busy machine's worker keeps its lock. */
const GRACE_SECONDS = 8;

let platform: TestPlatform;
let maria: Client;
let admin: Client;
beforeAll(async () => {
  platform = await startPlatform({ env: { LOCK_GRACE_SECONDS: String(GRACE_SECONDS) } });
  maria = clientOf(platform.url, platform.token("maria", ["agents:read", "agents:run"]));
  admin = clientOf(platform.url, platform.adminToken);
});
afterAll(() => platform.stop());

const jobFields = [
  "attempt",
  "available_at",
  "completed_at",
  "component_id",
  "component_type",
  "created_at",
  "error",
  "id",
  "idempotency_key",
  "job_type",
  "locked_at",
  "locked_by",
  "max_attempts",
  "payload",
  "session_id",
  "status",
  "updated_at",
  "user_id",
];

async function failed(): Promise<string> {
  const run = await maria.submit("[[fail:boom]]");
  await maria.settled(run);
  return run.run_id;
}
const job = async (id: string) => (await admin.get(`/queue/jobs/${id}`)).json;

describe("the job of a run", () => {
  test("shows every field, and holds no lock once it ended", async () => {
    const run = await maria.submit("tracked", { ticket: "7", urgent: "true" });
    await maria.settled(run);
    const { json, status } = await admin.get(`/queue/jobs/${run.run_id}`);
    expect(status).toBe(200);
    expect(Object.keys(json).sort()).toEqual(jobFields);
    expect(json).toMatchObject({
      id: run.run_id,
      component_type: "agent",
      component_id: "assistant",
      session_id: run.session_id,
      job_type: "run",
      user_id: "maria",
      payload: { input: "tracked", kwargs: { ticket: "7", urgent: true } },
      status: "completed",
      attempt: 1,
      max_attempts: 1,
      idempotency_key: null,
      locked_by: null,
      locked_at: null,
      error: null,
      completed_at: expect.any(Number),
    });
  });

  test("is locked while its run is executed", async () => {
    const run = await maria.submit("[[sleep:3000]]");
    // The record says so a moment after the claim.
    let polled = await maria.poll(run);
    while (polled.json.status === "PENDING") polled = await maria.poll(run);
    expect(polled.json.status).toBe("RUNNING");
    const seen = await job(run.run_id);
    expect(seen).toMatchObject({
      status: "running",
      attempt: 1,
      locked_by: expect.any(String),
      locked_at: expect.any(Number),
      completed_at: null,
    });
    await maria.settled(run);
  });

  test("pauses without an end when a tool waits for a person", async () => {
    const form = {
      message: '[[tool:issue_refund {"order_id":"o-1","amount":5}]]',
      stream: "false",
      background: "true",
    };
    const { json } = await maria.post("/agents/refund-desk/runs", { form });
    const path = `/agents/refund-desk/runs/${json.run_id}?session_id=${json.session_id}`;
    let run = (await maria.get(path)).json;
    for (let i = 0; i < 200 && run.status !== "PAUSED"; i += 1) run = (await maria.get(path)).json;
    expect(run).toMatchObject({ status: "PAUSED", requirements: [expect.any(Object)] });
    expect(await job(json.run_id)).toMatchObject({ status: "paused", completed_at: null, locked_by: null });
  });
});

describe("listing jobs", () => {
  test("shows failed jobs with their error, newest first, in pages with true totals", async () => {
    const ids = [await failed(), await failed(), await failed()];
    const { json } = await admin.get("/queue/jobs?status=failed&limit=2");
    expect(json.meta).toMatchObject({ page: 1, limit: 2, total_count: 3, total_pages: 2 });
    expect(json.meta.search_time_ms).toBeGreaterThan(0);
    expect(json.data).toHaveLength(2);
    expect(json.data[0]).toMatchObject({ status: "failed", error: "boom", attempt: 1 });
    const rest = await admin.get("/queue/jobs?status=failed&limit=2&page=2");
    const listed = [...json.data, ...rest.json.data].map(({ id }: { id: string }) => id);
    expect(listed.sort()).toEqual(ids.sort());
    const beyond = await admin.get("/queue/jobs?status=failed&limit=2&page=9");
    expect(beyond.json).toMatchObject({ data: [], meta: { page: 9, total_count: 3, total_pages: 2 } });
  });

  test("of sessions and of a user shows theirs alone, with true totals", async () => {
    const paula = clientOf(platform.url, platform.token("paula", ["agents:read", "agents:run"]));
    const first = await paula.submit("one");
    await paula.settled(first);
    const again = await paula.submit("two", { session_id: first.session_id });
    await paula.settled(again);
    const other = await paula.submit("[[fail:three]]");
    await paula.settled(other);
    const foreign = await maria.submit("four");
    await maria.settled(foreign);
    const listed = async (query: string) => {
      const { status, json } = await admin.get(`/queue/jobs?${query}`);
      expect(status).toBe(200);
      expect(json.meta.total_count).toBe(json.data.length);
      return json.data.map(({ id }: { id: string }) => id).sort(); // those of one second go by id
    };
    const session = `session_id=${first.session_id}`;
    expect(await listed(session)).toEqual([first.run_id, again.run_id]);
    expect(await listed(`${session}&status=failed`)).toEqual([]);
    expect(await listed(`${session}&user_id=maria`)).toEqual([]);
    expect(await listed(`${session}&session_id=${foreign.session_id}`)).toEqual([
      first.run_id,
      again.run_id,
      foreign.run_id,
    ]);
    expect(await listed("user_id=paula")).toEqual([first.run_id, again.run_id, other.run_id]);
    expect(await listed("user_id=paula&status=failed")).toEqual([other.run_id]);
    expect(await listed(`user_id=paula&session_id=${other.session_id}`)).toEqual([other.run_id]);
    expect(await listed("session_id=no-such-session")).toEqual([]);
    expect(await listed("user_id=unknown-user")).toEqual([]);
    const page = await admin.get("/queue/jobs?user_id=paula&limit=2&page=2");
    expect(page.json.data).toHaveLength(1);
    expect(page.json.meta).toMatchObject({ total_count: 3, total_pages: 2 });
  });

  test.each(["session_id=", "user_id=", "session_id=a&session_id=", "user_id=%20"])(
    "refuses an empty filter (%s) with 400, rather than to answer everybody's",
    async (query) => {
      expect(await admin.get(`/queue/jobs?${query}`)).toMatchObject({
        status: 400,
        json: { error_code: "BAD_REQUEST" },
      });
    },
  );

  test("takes several statuses, both orders, and ignores a sort field it does not know", async () => {
    const both = await admin.get("/queue/jobs?status=failed&status=completed&sort_by=attempt&sort_order=asc");
    expect(new Set(both.json.data.map(({ status }: { status: string }) => status))).toEqual(
      new Set(["failed", "completed"]),
    );
    const odd = await admin.get("/queue/jobs?sort_by=favourite");
    const plain = await admin.get("/queue/jobs");
    expect(odd.json.data).toEqual(plain.json.data);
  });

  test.each(["limit=0", "limit=1001", "limit=ten", "page=0", "sort_order=up"])(
    "refuses %s with 422",
    async (query) => {
      const { status, json } = await admin.get(`/queue/jobs?${query}`);
      expect(status).toBe(422);
      expect(json.detail[0].loc).toEqual(["query", query.split("=")[0]]);
    },
  );

  test.each(["status=done", "status=FAILED", "status=failed&status=nope"])(
    "refuses %s with 400",
    async (query) => {
      expect(await admin.get(`/queue/jobs?${query}`)).toMatchObject({
        status: 400,
        json: { error_code: "BAD_REQUEST" },
      });
    },
  );

  test("is for admins: 401 without a credential, 403 with any other", async () => {
    expect((await clientOf(platform.url).get("/queue/jobs")).status).toBe(401);
    expect((await maria.get("/queue/jobs")).status).toBe(403);
    expect((await maria.get("/queue/stats")).status).toBe(403);
    expect((await maria.get("/queue/jobs/some-id")).status).toBe(403);
    expect((await maria.post("/queue/jobs/some-id/requeue")).status).toBe(403);
  });

  test("counts by status", async () => {
    const { json } = await admin.get("/queue/stats");
    expect(json).toMatchObject({
      counts: { queued: 0, running: 0, failed: 4, cancelled: 0 },
      oldest_queued_age_seconds: null,
    });
  });
});

describe("requeueing", () => {
  test("inside the lock grace needs force, runs once more, and raises the budget by one", async () => {
    const id = await failed();
    const refused = await admin.post(`/queue/jobs/${id}/requeue`);
    expect(refused).toMatchObject({ status: 409, json: { error_code: "CONFLICT" } });
    expect(await job(id)).toMatchObject({ status: "failed", max_attempts: 1 });
    const { status, json } = await admin.post(`/queue/jobs/${id}/requeue?force=true`);
    expect(status).toBe(200);
    expect(Object.keys(json).sort()).toEqual(jobFields);
    expect(json).toMatchObject({ id, max_attempts: 2, completed_at: null, locked_by: null });
    await maria.settled({ run_id: id, session_id: json.session_id });
    expect(await job(id)).toMatchObject({ status: "failed", attempt: 2, max_attempts: 2, error: "boom" });
  });

  test("after the grace needs nothing", async () => {
    const id = await failed();
    const { completed_at } = await job(id);
    const wait = (completed_at + GRACE_SECONDS) * 1000 - Date.now();
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, wait) + 20));
    expect((await admin.post(`/queue/jobs/${id}/requeue`)).status).toBe(200);
  });

  test("of a cancelled job needs no force; it is cancelled again unless the wish is cleared with it", async () => {
    const first = await maria.submit("[[sleep:1500]]");
    const { session_id } = first;
    const run = await maria.submit("after all", { session_id, session_policy: "queue" });
    await maria.post(`/agents/assistant/runs/${run.run_id}/cancel?session_id=${session_id}`);
    expect(await job(run.run_id)).toMatchObject({ status: "cancelled", attempt: 0, locked_by: null });
    expect((await maria.poll(run)).json.status).toBe("CANCELLED");
    await maria.settled(first);
    const path = `/queue/jobs/${run.run_id}/requeue`;
    expect(await admin.post(path)).toMatchObject({
      status: 200,
      json: { status: "queued", max_attempts: 2 },
    });
    await maria.settled(run);
    expect(await job(run.run_id)).toMatchObject({ status: "cancelled", attempt: 1 });
    expect((await admin.post(`${path}?clear_cancellation=true`)).status).toBe(200);
    expect(await maria.settled(run)).toMatchObject({ status: "COMPLETED", content: "You said: after all" });
    expect(await job(run.run_id)).toMatchObject({ status: "completed", attempt: 2, max_attempts: 3 });
  });

  test("is refused for queued, running and paused jobs, and leaves a recorded wish to stop alone", async () => {
    const running = await maria.submit("[[sleep:60000]]");
    const { session_id } = running;
    const queued = await maria.submit("waits", { session_id, session_policy: "queue" });
    const form = { message: '[[tool:issue_refund {"order_id":"o","amount":5}]]', background: "true" };
    const paused = (await maria.post("/agents/refund-desk/runs", { form: { ...form, stream: "false" } }))
      .json;
    const is = (run: { run_id: string }, status: string) =>
      expect.poll(async () => (await job(run.run_id)).status).toBe(status);
    await is(running, "running");
    await is(paused, "paused");
    await is(queued, "queued");
    await maria.post(`/agents/assistant/runs/${running.run_id}/cancel?session_id=${session_id}`);
    for (const { run_id } of [running, queued, paused]) {
      const answer = await admin.post(`/queue/jobs/${run_id}/requeue?clear_cancellation=true&force=true`);
      expect(answer).toMatchObject({ status: 400, json: { error_code: "BAD_REQUEST" } });
    }
    expect((await maria.settled(running)).status).toBe("CANCELLED");
    expect((await maria.settled(queued)).status).toBe("COMPLETED");
  });

  test("is refused for what has not failed, what does not exist, and what is not a boolean", async () => {
    const run = await maria.submit("fine");
    await maria.settled(run);
    expect(await admin.post(`/queue/jobs/${run.run_id}/requeue?force=true`)).toMatchObject({ status: 400 });
    expect(await admin.post("/queue/jobs/no-such-job/requeue")).toMatchObject({ status: 404 });
    expect(await admin.get("/queue/jobs/no-such-job")).toMatchObject({ status: 404 });
    expect(await admin.post(`/queue/jobs/${run.run_id}/requeue?force=notabool`)).toMatchObject({
      status: 422,
      json: { detail: [{ loc: ["query", "force"], type: "bool_parsing" }] },
    });
  });
});
