import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AcceptedRun } from "../../../shared/schemas/runs/run.ts";
import { type Client, clientOf } from "../../support/client.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";

let platform: TestPlatform;
let maria: Client;
let admin: Client;
beforeAll(async () => {
  platform = await startPlatform({ env: { LOCK_GRACE_SECONDS: "8" } });
  const scopes = ["agents:read", "agents:run", "sessions:read", "sessions:delete"];
  maria = clientOf(platform.url, platform.token("maria", scopes));
  admin = clientOf(platform.url, platform.adminToken);
});
afterAll(() => platform.stop());

const job = async ({ run_id }: AcceptedRun) => (await admin.get(`/queue/jobs/${run_id}`)).json;
const cancel = ({ run_id, session_id }: AcceptedRun) =>
  maria.post(`/agents/assistant/runs/${run_id}/cancel?session_id=${session_id}`);
const requeue = ({ run_id }: AcceptedRun, query = "force=true") =>
  admin.post(`/queue/jobs/${run_id}/requeue?${query}`);

async function ended(message: string): Promise<AcceptedRun> {
  const run = await maria.submit(message);
  await maria.settled(run);
  return run;
}

/** A run that is cancelled while it waits for a run of the same session. */
async function cancelledWaiting(session_id: string): Promise<AcceptedRun> {
  const before = await maria.submit("[[sleep:60000]]", { session_id });
  const waiting = await maria.submit("after it", { session_id, session_policy: "queue" });
  expect((await cancel(waiting)).status).toBe(200);
  await cancel(before);
  await maria.settled(before);
  return waiting;
}

describe("cancelling a run that has ended", () => {
  test("leaves its error, and its next requeue executes it", async () => {
    const run = await ended("[[fail:boom]]");
    const before = await job(run);
    expect((await cancel(run)).status).toBe(200);
    expect(await job(run)).toEqual(before);
    expect(await requeue(run)).toMatchObject({ status: 200, json: { status: "queued", error: "boom" } });
    expect(await maria.settled(run)).toMatchObject({ status: "ERROR" });
    expect(await job(run)).toMatchObject({ status: "failed", attempt: 2, error: "boom" });
  });

  test("changes nothing of one that completed or was cancelled before", async () => {
    const completed = await ended("hello");
    const cancelled = await cancelledWaiting("cancelled twice");
    for (const run of [completed, cancelled]) {
      const before = [await job(run), (await maria.poll(run)).json];
      expect((await cancel(run)).status).toBe(200);
      expect([await job(run), (await maria.poll(run)).json]).toEqual(before);
    }
  });
});

describe("requeueing a job whose session is deleted", () => {
  test("is refused with the reason, at once and when nothing is left of the session", async () => {
    const run = await ended("[[fail:boom]]");
    const before = await job(run);
    expect((await maria.call("DELETE", `/sessions/${run.session_id}`)).status).toBe(204);
    for (const wait of [0, 1_500]) {
      await pause(wait);
      expect(await requeue(run)).toMatchObject({
        status: 409,
        json: {
          error_code: "CONFLICT",
          detail: expect.stringContaining(`session ${run.session_id} was deleted`),
        },
      });
    }
    expect(await job(run)).toMatchObject({ status: "failed", max_attempts: before.max_attempts });
  });

  test("is refused beside others that are requeued", async () => {
    // By their component: of the deleted one's error nothing is left soon.
    const failed = async (): Promise<AcceptedRun> => {
      const form = { message: "[[fail:both went]]", stream: "false", background: "true" };
      const { json: run } = await maria.post("/agents/refund-desk/runs", { form });
      await expect.poll(() => job(run)).toMatchObject({ status: "failed" });
      return run;
    };
    const [gone, stays] = [await failed(), await failed()];
    await maria.call("DELETE", `/sessions/${gone.session_id}`);
    const body = { status: ["failed"], component_id: "refund-desk", force: true, dry_run: false };
    const { json } = await admin.post("/queue/jobs/requeue", { json: body });
    expect(json).toMatchObject({
      requeued: [stays.run_id],
      refused: [{ id: gone.run_id, detail: expect.stringContaining("was deleted") }],
    });
    await expect.poll(() => job(stays)).toMatchObject({ status: "failed", attempt: 2 });
  });
});

describe("a cancelled job says why", () => {
  test("when it was cancelled while it waited", async () => {
    const run = await cancelledWaiting("with a reason");
    expect(await job(run)).toMatchObject({ status: "cancelled", error: expect.stringContaining("waiting") });
  });

  test("when it was cancelled while it was executed", async () => {
    const run = await maria.submit("[[sleep:60000]]");
    while ((await maria.poll(run)).json.status !== "RUNNING") await pause(20);
    await cancel(run);
    await maria.settled(run);
    expect(await job(run)).toMatchObject({ status: "cancelled", error: expect.stringContaining("executed") });
  });

  test("when it was requeued while its cancellation was in force, and how to run it", async () => {
    const run = await cancelledWaiting("requeued too soon");
    expect((await requeue(run)).status).toBe(200);
    await expect
      .poll(() => job(run))
      .toMatchObject({
        status: "cancelled",
        attempt: 1,
        error: expect.stringContaining("clear_cancellation=true"),
      });
    expect((await requeue(run, "clear_cancellation=true")).status).toBe(200);
    expect(await maria.settled(run)).toMatchObject({ status: "COMPLETED" });
    expect(await job(run)).toMatchObject({ status: "completed", error: null });
  });
});
