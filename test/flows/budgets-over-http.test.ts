import { afterAll, expect, test } from "vitest";
import { clientOf } from "../support/client.ts";
import { startPlatform } from "../support/platform.ts";

const platform = await startPlatform({
  env: {
    DAILY_TOKENS_PER_USER: "8000",
    MODEL_PRICES: '{"scripted":{"input_per_million":1,"output_per_million":10}}',
  },
});
afterAll(() => platform.stop());

const clientFor = (sub: string) => clientOf(platform.url, platform.token(sub, ["agents:run", "agents:read"]));

test("whoever has used up the day waits for a person, in the foreground and in the background", async () => {
  const maria = clientFor("maria");
  const first = await maria.run("[[tokens:4000]]");
  expect(first.json).toMatchObject({ status: "COMPLETED", metrics: { cost: expect.any(Number) } });
  expect(first.json.metrics.cost).toBeCloseTo(0.04, 3);

  const second = await maria.run("hello");
  expect(second.status).toBe(200);
  expect(second.json).toMatchObject({
    status: "PAUSED",
    content: expect.stringContaining("daily_tokens_per_user is 8000"),
    requirements: [
      {
        tool_execution: { tool_name: "budget", tool_args: { reason: "budget" }, requires_confirmation: true },
      },
    ],
  });
  const third = await maria.settled(await maria.submit("hello"));
  expect(third.status).toBe("PAUSED");

  expect((await clientFor("otto").run("hello")).json.status).toBe("COMPLETED");
});
