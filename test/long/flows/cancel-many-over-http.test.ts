import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClient, type Operations, type Client as TypedClient } from "../../../client/index.ts";
import type { AcceptedRun } from "../../../shared/schemas/runs/run.ts";
import { type Client, clientOf } from "../../support/client.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";

let platform: TestPlatform;
let maria: Client;
let otto: Client;
let admin: Client;
let operator: TypedClient;
beforeAll(async () => {
  platform = await startPlatform({ env: { WORKER_CONCURRENCY: "2", WORKER_BATCH_SIZE: "1" } });
  const scopes = ["agents:read", "agents:run"];
  maria = clientOf(platform.url, platform.token("maria", scopes));
  otto = clientOf(platform.url, platform.token("otto", scopes));
  admin = clientOf(platform.url, platform.adminToken);
  operator = createClient({ baseUrl: platform.url, token: platform.adminToken });
});
afterAll(() => platform.stop());

type Asked = NonNullable<Operations["cancelJobs"]["input"]["body"]>;
const cancel = (body: Asked) => operator.cancelJobs({ body });
const job = (job_id: string) => operator.getJob({ path: { job_id } });
const idsOf = (runs: readonly AcceptedRun[]) => runs.map(({ run_id }) => run_id);
const refund = '[[tool:issue_refund {"order_id":"o-1","amount":5}]]';

describe("cancelling many jobs", () => {
  test("is a dry run unless it says otherwise, and then stops what waits, the oldest first", async () => {
    // One slot of the user's own: the others wait.
    const long = await maria.submit("[[sleep:20000]]");
    await expect.poll(async () => (await job(long.run_id)).status).toBe("running");
    const waiting: AcceptedRun[] = [];
    for (let i = 0; i < 3; i += 1) waiting.push(await maria.submit(`number ${i}`));
    const dry = await cancel({ user_id: "maria" });
    expect(dry).toEqual({ dry_run: true, matched: 3, cancelled: idsOf(waiting), refused: [], more: false });
    for (const { run_id } of waiting) expect((await job(run_id)).status).toBe("queued");
    expect(await cancel({ user_id: "maria", dry_run: false, limit: 2 })).toEqual({
      dry_run: false,
      matched: 2,
      cancelled: idsOf(waiting.slice(0, 2)),
      refused: [],
      more: true,
    });
    for (const run of waiting.slice(0, 2)) {
      expect((await job(run.run_id)).status).toBe("cancelled");
      expect((await maria.poll(run)).json.status).toBe("CANCELLED");
    }
    // A running one stops at its next checkpoint, and the one that waits behind it goes on.
    const running = await cancel({ status: ["running"], user_id: "maria", dry_run: false });
    expect(running.cancelled).toEqual([long.run_id]);
    expect((await maria.settled(long)).status).toBe("CANCELLED");
    expect((await maria.settled(waiting[2] ?? long)).status).toBe("COMPLETED");
    // The same request again finds nothing.
    expect(await cancel({ user_id: "maria", dry_run: false })).toMatchObject({ matched: 0, cancelled: [] });
  });

  test("takes paused jobs when they are named, by component, user and time", async () => {
    const form = { background: "true", stream: "false" };
    const submit = async (client: Client) =>
      (await client.post("/agents/refund-desk/runs", { form: { ...form, message: refund } })).json;
    const paused: AcceptedRun[] = [await submit(otto), await submit(maria)];
    for (const { run_id } of paused) await expect.poll(async () => (await job(run_id)).status).toBe("paused");
    const all = { status: ["paused"], component_id: "refund-desk" } as const;
    expect((await cancel({ ...all, created_before: 1_000 })).matched).toBe(0);
    expect((await cancel({ ...all, component_id: "assistant" })).matched).toBe(0);
    expect(await cancel({ ...all, user_id: "otto", dry_run: false })).toMatchObject({
      cancelled: [paused[0]?.run_id],
    });
    expect((await job(paused[0]?.run_id ?? "")).status).toBe("cancelled");
    expect((await job(paused[1]?.run_id ?? "")).status).toBe("paused");
  });

  test.each([{ limit: 0 }, { status: ["failed"] }, { user_id: "" }, { component: "assistant" }])(
    "is refused with 422 when it says %o",
    async (json) => {
      expect((await admin.post("/queue/jobs/cancel", { json })).status).toBe(422);
    },
  );

  test("takes an admin", async () => {
    expect((await maria.post("/queue/jobs/cancel", { json: {} })).status).toBe(403);
  });
});

describe("listing jobs", () => {
  test("by component, time and a part of the error, with the number of all that match", async () => {
    const failed: AcceptedRun[] = [];
    for (const text of ["boom one", "boom two", "other"]) failed.push(await otto.submit(`[[fail:${text}]]`));
    for (const run of failed) await otto.settled(run);
    const [first, second, third] = await Promise.all(idsOf(failed).map(job));
    const list = async (query: string) => {
      const { status, json } = await admin.get(`/queue/jobs?status=failed&${query}`);
      expect({ query, status }).toEqual({ query, status: 200 });
      return { ids: json.data.map(({ id }: { id: string }) => id), total: json.meta.total_count };
    };
    // Those of one second go by id, in either direction.
    const booms = await list("error_contains=boom");
    expect(booms).toEqual({ ids: expect.arrayContaining([first?.id, second?.id]), total: 2 });
    expect(await list("error_contains=boom&limit=1&page=2")).toEqual({ ids: booms.ids.slice(1), total: 2 });
    expect(await list("error_contains=boom&sort_order=asc&component_id=assistant")).toEqual({
      ids: [first?.id, second?.id],
      total: 2,
    });
    expect(await list("component_id=refund-desk")).toEqual({ ids: [], total: 0 });
    expect((await list("component_id=assistant&user_id=otto")).total).toBe(3);
    const at = third?.created_at ?? 0;
    expect((await list(`created_after=${at}&created_before=${at}&user_id=otto`)).ids).toContain(third?.id);
    expect(await list(`created_after=${at + 60}`)).toEqual({ ids: [], total: 0 });
    expect(await list(`created_after=${at}&created_before=${at - 60}`)).toEqual({ ids: [], total: 0 });
    const session = `session_id=${first?.session_id}`;
    expect(await list(`${session}&error_contains=one`)).toEqual({ ids: [first?.id], total: 1 });
    expect(await list(`${session}&error_contains=two`)).toEqual({ ids: [], total: 0 });
    expect(await list(`${session}&component_id=refund-desk`)).toEqual({ ids: [], total: 0 });
  });

  test("an empty filter is 400", async () => {
    for (const query of ["component_id=", "error_contains="])
      expect((await admin.get(`/queue/jobs?${query}`)).status).toBe(400);
  });
});

describe("cancelling many runs", () => {
  type Asked = NonNullable<Operations["cancelRuns"]["input"]["body"]>;
  const scopes = ["agents:read", "agents:run"];
  const typed = (sub: string, held = scopes) =>
    createClient({ baseUrl: platform.url, token: platform.token(sub, held) });
  const cancelAs = (client: TypedClient, body: Asked) => client.cancelRuns({ body });

  test("takes those in the foreground too, of one component and of its caller alone, after a dry run", async () => {
    const [paula, quin] = [typed("stops-paula"), typed("stops-quin")];
    const body = { message: "[[sleep:60000]]", stream: false };
    const path = { agent_id: "assistant" };
    const foreground = paula.createAgentRun({ path, body });
    const others = quin.createAgentRun({ path, body });
    const elsewhere = paula.createAgentRun({ path: { agent_id: "account-desk" }, body });
    const runningOf = async (client: TypedClient) =>
      (await client.listRuns({ query: { status: ["RUNNING"] } })).data.map(({ run_id }) => run_id);
    await expect.poll(() => runningOf(paula)).toHaveLength(2);
    await expect.poll(() => runningOf(quin)).toHaveLength(1);

    const asked = { component_type: "agent", component_id: "assistant" } as const;
    // Whatever it says, a user cancels its own.
    const dry = await cancelAs(paula, { ...asked, user_id: "stops-quin" });
    expect(dry).toMatchObject({ dry_run: true, matched: 1, refused: [], more: false });
    expect(await runningOf(paula)).toHaveLength(2);
    expect(await cancelAs(paula, { ...asked, dry_run: false })).toEqual({ ...dry, dry_run: false });
    expect(await foreground).toMatchObject({ run_id: dry.cancelled[0], status: "CANCELLED" });
    expect(await runningOf(quin)).toHaveLength(1);

    const all = await cancelAs(operator, {
      created_after: Math.floor(Date.now() / 1000) - 600,
      dry_run: false,
    });
    expect(all.cancelled).toEqual(expect.arrayContaining([(await others).run_id, (await elsewhere).run_id]));
    expect([(await others).status, (await elsewhere).status]).toEqual(["CANCELLED", "CANCELLED"]);
    await expect(cancelAs(typed("stops-none", ["agents:read"]), {})).rejects.toMatchObject({ status: 403 });
  });
});
