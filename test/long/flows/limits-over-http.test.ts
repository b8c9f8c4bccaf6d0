import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AcceptedRun } from "../../../shared/schemas/runs/run.ts";
import { type Client, clientOf } from "../../support/client.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";

const BASE_SECONDS = 3;

let platform: TestPlatform;
let maria: Client;
let otto: Client;
let admin: Client;
beforeAll(async () => {
  platform = await startPlatform({
    env: {
      MAX_ATTEMPTS: "2",
      RETRY_BASE_DELAY_SECONDS: String(BASE_SECONDS),
      MAX_QUEUE_DEPTH: "2",
      MAX_RUNNING_PER_USER: "1",
    },
  });
  const clientFor = (name: string) =>
    clientOf(platform.url, platform.token(name, ["agents:read", "agents:run"]));
  maria = clientFor("maria");
  otto = clientFor("otto");
  admin = clientOf(platform.url, platform.adminToken);
});
afterAll(() => platform.stop());

const job = async ({ run_id }: AcceptedRun) => (await admin.get(`/queue/jobs/${run_id}`)).json;
const stop = ({ run_id, session_id }: AcceptedRun) =>
  admin.post(`/agents/assistant/runs/${run_id}/cancel?session_id=${session_id}`);
/** A run that is executed until it is stopped. */
async function longRun(): Promise<AcceptedRun> {
  const run = await maria.submit("[[sleep:60000]]");
  await expect.poll(async () => (await job(run)).status).toBe("running");
  return run;
}

test("with one run of a user at once the next one waits, and other users' pass", async () => {
  const long = await longRun();
  const next = await maria.submit("next");
  const others = await otto.submit("mine");
  expect(await otto.settled(others)).toMatchObject({ status: "COMPLETED" });
  expect(await job(next)).toMatchObject({ status: "queued", attempt: 0 });
  await stop(long);
  expect(await maria.settled(next)).toMatchObject({ status: "COMPLETED" });
});

test("a full queue refuses with 429 and a time to come back, but answers a used key", async () => {
  const long = await longRun();
  const key = { "idempotency-key": "order-1" };
  const waiting = (await maria.run("waits", { background: "true" }, key)).json;
  const accepted: AcceptedRun[] = [];
  for (;;) {
    // A reading of the depth serves for a second, so one or two too many may pass.
    const { status, headers, json } = await maria.run("one more", { background: "true" });
    if (status === 202) accepted.push(json);
    if (status === 202 && accepted.length < 20) continue;
    expect({ status, json }).toMatchObject({ status: 429, json: { error_code: "QUEUE_FULL" } });
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    break;
  }
  expect(await maria.run("again", { background: "true" }, key)).toMatchObject({ status: 202, json: waiting });
  await Promise.all([...accepted, long].map(stop));
  expect(await maria.settled(waiting)).toMatchObject({ status: "COMPLETED" });
});

describe("with two attempts", () => {
  test("a failure goes back to the queue for a random while, and fails for good the second time", async () => {
    const run = await maria.submit("[[fail:boom]]");
    await expect.poll(async () => (await job(run)).error).toBe("boom");
    expect(await maria.settled(run)).toMatchObject({ status: "ERROR", content: "boom" });
    const ended = await job(run);
    expect(ended).toMatchObject({ status: "failed", error: "boom", attempt: 2, max_attempts: 2 });
    // The last writing of this instant was the retry's.
    expect(ended.available_at).toBeGreaterThanOrEqual(ended.created_at);
    expect(ended.available_at).toBeLessThanOrEqual(ended.completed_at);
    expect(ended.completed_at - ended.created_at).toBeLessThanOrEqual(BASE_SECONDS + 8);
  });
});
