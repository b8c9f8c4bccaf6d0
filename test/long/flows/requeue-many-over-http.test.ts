import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createClient, type Operations, type Client as TypedClient } from "../../../client/index.ts";
import { type Client, clientOf } from "../../support/client.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";

let platform: TestPlatform;
let maria: Client;
let admin: Client;
/** What an operator writes who uses the client that comes with the platform. */
let operator: TypedClient;
beforeAll(async () => {
  platform = await startPlatform();
  maria = clientOf(platform.url, platform.token("maria", ["agents:read", "agents:run"]));
  admin = clientOf(platform.url, platform.adminToken);
  operator = createClient({ baseUrl: platform.url, token: platform.adminToken });
});
afterAll(() => platform.stop());

const path = "/queue/jobs/requeue";
type Asked = NonNullable<Operations["requeueJobs"]["input"]["body"]>;
const requeue = (body: Asked) => operator.requeueJobs({ body });
const job = (job_id: string) => operator.getJob({ path: { job_id } });
const failedWith = async (text: string): Promise<string> => {
  const run = await maria.submit(`[[fail:${text}]]`);
  await maria.settled(run);
  return run.run_id;
};

describe("requeueing many jobs", () => {
  let round = 0;
  let text: string;
  /** Three jobs that failed within the lock grace, the oldest first. */
  let ids: string[];
  beforeEach(async () => {
    round += 1;
    text = `boom ${round}`;
    ids = [await failedWith(text), await failedWith(`${text} again`), await failedWith(text)];
  });

  test("is a dry run unless it says otherwise: it reports what would be, and changes nothing", async () => {
    const before = await Promise.all(ids.map(job));
    const answer = await requeue({ error_contains: text, force: true });
    expect(answer).toEqual({ dry_run: true, matched: 3, requeued: ids, refused: [], more: false });
    expect(await Promise.all(ids.map(job))).toEqual(before);
  });

  test("inside the lock grace refuses each job without force, and says why", async () => {
    const { refused, ...answer } = await requeue({ error_contains: text, dry_run: false });
    expect(answer).toMatchObject({ dry_run: false, matched: 3, requeued: [] });
    expect(refused.map(({ id }) => id)).toEqual(ids);
    for (const { detail } of refused) expect(detail).toContain("force=true");
    for (const { max_attempts, status } of await Promise.all(ids.map(job))) {
      expect({ max_attempts, status }).toEqual({ max_attempts: 1, status: "failed" });
    }
  });

  test("runs them once more, each due a little after the one before it", async () => {
    const asked = { error_contains: text, dry_run: false, force: true, per_second: 1 };
    expect(await requeue(asked)).toEqual({
      dry_run: false,
      matched: 3,
      requeued: ids,
      refused: [],
      more: false,
    });
    const jobs = await Promise.all(ids.map(job));
    const [first = 0, ...others] = jobs.map(({ available_at }) => available_at ?? 0);
    expect(others.map((at) => at - first)).toEqual([1, 2]);
    for (const { id, session_id } of jobs) await maria.settled({ run_id: id, session_id });
    for (const one of await Promise.all(ids.map(job))) {
      expect(one).toMatchObject({ status: "failed", attempt: 2, max_attempts: 2 });
      expect(one.completed_at).toBeGreaterThanOrEqual(one.available_at ?? Number.POSITIVE_INFINITY);
    }
  });

  test("takes the oldest up to the limit, by component and by a part of the error", async () => {
    const select = (asked: Asked) => requeue({ force: true, error_contains: text, ...asked });
    expect(await select({ limit: 2 })).toMatchObject({ matched: 2, requeued: ids.slice(0, 2), more: true });
    expect(await select({ error_contains: `${text} again` })).toMatchObject({ requeued: [ids[1]] });
    expect(await select({ component_id: "assistant" })).toMatchObject({ matched: 3 });
    expect(await select({ component_id: "refund-desk" })).toMatchObject({ matched: 0, requeued: [] });
    expect(await select({ status: ["cancelled"] })).toMatchObject({ matched: 0 });
  });
});

test("cancelled jobs are requeued when they are asked for, and run when the wish is cleared with it", async () => {
  const first = await maria.submit("[[sleep:800]]");
  const { session_id } = first;
  const second = await maria.submit("after all", { session_id, session_policy: "queue" });
  await maria.post(`/agents/assistant/runs/${second.run_id}/cancel?session_id=${session_id}`);
  expect(await job(second.run_id)).toMatchObject({ status: "cancelled", attempt: 0 });
  await maria.settled(first);
  const asked = { status: ["cancelled"], dry_run: false } as const;
  expect((await requeue(asked)).requeued).toEqual([second.run_id]);
  expect((await maria.settled(second)).status).toBe("CANCELLED");
  expect((await requeue({ ...asked, clear_cancellation: true })).requeued).toEqual([second.run_id]);
  expect(await maria.settled(second)).toMatchObject({ status: "COMPLETED", content: "You said: after all" });
});

describe("a request to requeue many", () => {
  test.each([
    { limit: 0 },
    { limit: 1001 },
    { limit: 1.5 },
    { per_second: 0 },
    { per_second: 101 },
    { status: [] },
    { status: ["completed"] },
    { status: "failed" },
    { dry_run: "no" },
    { error_contains: "" },
    { component: "assistant" },
  ])("is refused with 422 when it says %o", async (json) => {
    const [field] = Object.keys(json);
    const answer = await admin.post(path, { json });
    expect(answer.status).toBe(422);
    expect(answer.json.detail[0].loc.slice(0, 2)).toEqual(["body", field]);
  });

  test("needs a body: 422 without one", async () => {
    expect((await admin.post(path)).status).toBe(422);
  });

  test("is for admins", async () => {
    expect((await maria.post(path, { json: {} })).status).toBe(403);
    expect((await clientOf(platform.url).post(path, { json: {} })).status).toBe(401);
  });
});
