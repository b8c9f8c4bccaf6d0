import { expect } from "vitest";
import { mcpClient } from "../../support/mcp-world.ts";
import { test } from "../../support/shared-platform.ts";

/** The client's own limit, which is a minute by default. */
const timeout = 8_000;
const params = {
  name: "run_agent",
  arguments: { agent_id: "assistant", message: "[[sleep:12000]] worth the wait" },
};

test("a call during which a model works longer than the client waits is kept alive by progress", async ({
  platform,
}) => {
  const client = await mcpClient(platform, "maria");
  const seen: { readonly progress: number; readonly message?: string | undefined }[] = [];
  const called = await client.callTool(params, undefined, {
    timeout,
    resetTimeoutOnProgress: true,
    onprogress: (one) => void seen.push(one),
  });
  expect(called.structuredContent).toMatchObject({ status: "COMPLETED" });
  expect(seen.filter(({ message }) => message?.startsWith("working for")).length).toBeGreaterThanOrEqual(2);
  expect(seen.map(({ progress }) => progress)).toEqual(seen.map((_, i) => i + 1));
});
