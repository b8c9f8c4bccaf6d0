import { afterAll, expect, test } from "vitest";
import { clientOf } from "../../support/client.ts";
import { startPlatform } from "../../support/platform.ts";

const platform = await startPlatform({ env: { WORKER_CONCURRENCY: "2", WORKER_BATCH_SIZE: "4" } });
afterAll(() => platform.stop());

const clientFor = (sub: string) => clientOf(platform.url, platform.token(sub, ["agents:run", "agents:read"]));

test("short runs do not wait behind long ones while slots are free", async () => {
  const [otto, berta] = [clientFor("otto"), clientFor("berta")];
  const begun = async (message: string) => {
    const run = await otto.submit(message);
    await expect.poll(async () => (await otto.poll(run)).json.status).toBe("RUNNING");
    return run;
  };
  // Each of the two workers has one, and three free slots.
  const first = await begun("[[sleep:9000]]");
  const second = await begun("[[sleep:9000]]");

  const short = await Promise.all(Array.from({ length: 6 }, () => berta.submit("hello")));
  for (const run of await Promise.all(short.map((accepted) => berta.settled(accepted)))) {
    expect(run.status).toBe("COMPLETED");
  }
  expect((await otto.poll(first)).json.status).toBe("RUNNING");
  expect((await otto.settled(second)).status).toBe("COMPLETED");
});
