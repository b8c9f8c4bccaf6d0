import { afterAll, describe, expect, test } from "vitest";
import type { AcceptedRun } from "../../../shared/schemas/runs/run.ts";
import { type Client, clientOf } from "../../support/client.ts";
import { startPlatform } from "../../support/platform.ts";

/** Eight slots, of which one user has four; a hundred may wait, of one user twenty. */
const platform = await startPlatform({
  env: { WORKER_CONCURRENCY: "2", WORKER_BATCH_SIZE: "4", MAX_QUEUE_DEPTH: "100" },
});
afterAll(() => platform.stop());

const clientFor = (sub: string) => clientOf(platform.url, platform.token(sub, ["agents:run", "agents:read"]));
const admin = clientOf(platform.url, platform.adminToken);
const stats = async () => (await admin.get("/queue/stats")).json;
const many = (client: Client, count: number, message: string): Promise<AcceptedRun[]> =>
  Promise.all(Array.from({ length: count }, () => client.submit(message)));

describe("a user with many long runs", () => {
  const [otto, berta] = [clientFor("otto"), clientFor("berta")];
  let long: AcceptedRun[];

  test("leaves half of the slots to others, who do not wait for his", async () => {
    long = await many(otto, 16, "[[sleep:4000]]");
    await expect.poll(async () => (await stats()).counts.running).toBe(4);
    for (const run of await many(berta, 4, "[[sleep:500]]"))
      expect((await berta.settled(run)).status).toBe("COMPLETED");
    const { users } = await stats();
    expect(users).toMatchObject([{ user_id: "otto" }]);
    expect(users[0].queued).toBeGreaterThan(0);
  });

  test("is shown to an operator: whose the jobs are, and what they wait for", async () => {
    const { counts, waiting, users, oldest_queued_age_seconds } = await stats();
    expect(users[0]).toMatchObject({ user_id: "otto", queued: counts.queued });
    expect(users[0].running).toBeLessThanOrEqual(4);
    expect(waiting.for_share).toBeGreaterThan(0);
    expect(waiting.for_share + waiting.for_slot).toBe(counts.queued);
    expect(oldest_queued_age_seconds).toBeGreaterThan(0);
  });

  test("has them all executed, never more than his share at once", async () => {
    let most = 0;
    const done = Promise.all(long.map((run) => otto.settled(run)));
    const watching = (async () => {
      for (;;) {
        const { counts } = await stats();
        if (counts.queued + counts.running === 0) return;
        most = Math.max(most, counts.running);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    })();
    expect((await done).map(({ status }) => status)).toEqual(long.map(() => "COMPLETED"));
    await watching;
    expect(most).toBe(4);
    expect((await stats()).waiting).toEqual({ for_slot: 0, for_share: 0, for_session: 0, until_later: 0 });
  });
});

test("a user may have so many runs waiting; others' are accepted beside them", async () => {
  const [greedy, modest] = [clientFor("greedy"), clientFor("modest")];
  const accepted: AcceptedRun[] = [];
  for (;;) {
    const { status, json, headers } = await greedy.run("[[sleep:60000]]", { background: "true" });
    if (status === 202) accepted.push(json);
    if (status === 202 && accepted.length < 60) continue;
    expect({ status, json }).toMatchObject({ status: 429, json: { error_code: "QUEUE_FULL" } });
    expect(json.detail).toContain("20 runs waiting");
    expect(json.detail).toContain("MAX_QUEUED_PER_USER");
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    break;
  }
  expect(await modest.settled(await modest.submit("hello"))).toMatchObject({ status: "COMPLETED" });
  const operator = clientOf(platform.url, platform.token("greedy", ["platform:admin"]));
  accepted.push(await operator.submit("[[sleep:60000]]"));
  expect(accepted.at(-1)?.status).toBe("PENDING");
  for (const { run_id, session_id } of accepted)
    await greedy.post(`/agents/assistant/runs/${run_id}/cancel?session_id=${session_id}`);
});

describe("two messages of one session", () => {
  const anna = clientFor("anna");

  test("are answered in order, and the second sees the first one's answer", async () => {
    const first = await anna.submit("[[sleep:1500]]the first answer");
    const second = (
      await anna.run("and now?", { background: "true", stream: "false", session_id: first.session_id })
    ).json;
    await expect.poll(async () => (await stats()).waiting.for_session).toBe(1);
    const [one, two] = [await anna.settled(first), await anna.settled(second)];
    expect([one.status, two.status]).toEqual(["COMPLETED", "COMPLETED"]);
    const history = JSON.stringify(two.messages);
    expect(history).toContain("the first answer");
    expect(two.created_at).toBeGreaterThanOrEqual(one.created_at);
  });

  test("wait for a foreground run too, which itself never waits", async () => {
    const first = await anna.submit("[[sleep:3000]]slow");
    const direct = await anna.run("at once", { stream: "false", session_id: first.session_id });
    expect(direct).toMatchObject({ status: 200, json: { status: "COMPLETED" } });
    expect((await anna.poll(first)).json.status).toBe("RUNNING");
    const streaming = anna.run("[[sleep:2000]]streamed", { stream: "false", session_id: first.session_id });
    const known = `/agents/assistant/runs?session_id=${first.session_id}`;
    await expect.poll(async () => (await anna.get(known)).json.length).toBe(3);
    const last = (
      await anna.run("last", { background: "true", stream: "false", session_id: first.session_id })
    ).json;
    expect((await streaming).status).toBe(200);
    expect((await anna.poll(first)).json.status).toBeDefined();
    expect(await anna.settled(last)).toMatchObject({ status: "COMPLETED" });
    expect((await anna.poll(first)).json.status).toBe("COMPLETED");
  });
});
