import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClient } from "../../../client/index.ts";
import {
  accessibilityFaults,
  closeConsole,
  openConsole,
  overflows,
} from "../../console/support/open-console.ts";
import { hasBrowser, startBrowser, type TestBrowser } from "../../support/browser.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";

describe.skipIf(!hasBrowser)("what the console says first", { timeout: 180_000 }, () => {
  let platform: TestPlatform;
  let browser: TestBrowser;
  beforeAll(async () => {
    platform = await startPlatform({ env: { TRACING: "on" } });
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await platform?.stop();
  });

  test("a run that failed opens at its deepest failed step, with its error before its figures", async () => {
    const token = platform.token("first-reader", [
      "agents:read",
      "agents:run",
      "sessions:read",
      "traces:read",
    ]);
    const client = createClient({ baseUrl: platform.url, token });
    const path = { agent_id: "assistant" };
    const body = { message: "[[fail:the printer is out of paper]]", stream: false } as const;
    const [run] = await client.createAgentRun({ path, body }).then(
      (made) => [made],
      async () => (await client.listRuns({ query: { limit: 1 } })).data,
    );
    const address = `/runs/agent/assistant/${run?.session_id}/${run?.run_id}`;
    for (const [theme, width] of [
      ["light", 390],
      ["dark", 1440],
    ] as const) {
      const opened = await openConsole(browser, platform, { path: address, token, theme, width });
      const { page } = opened;
      const detail = page.locator(".span-detail");
      await detail.getByText("Model call").waitFor();
      const [error, figures] = [detail.locator(".notice-bad"), detail.locator(".facts")];
      expect(await error.textContent()).toContain("the printer is out of paper");
      const [above, below] = [await error.boundingBox(), await figures.boundingBox()];
      expect(above?.y).toBeLessThan(below?.y ?? 0);
      expect(await overflows(page)).toBe(false);
      if (process.env.SHOTS)
        await page.screenshot({ path: `${process.env.SHOTS}/failed-${theme}-${width}.png`, fullPage: true });
      await closeConsole(opened);
    }
  });

  test("a user who may run agents and not see them is shown the scope that is missing", async () => {
    const token = platform.token("first-runner", ["agents:run"]);
    const opened = await openConsole(browser, platform, { path: "/playground", token, width: 390 });
    const { page } = opened;
    await page.getByText("Your credential lacks a scope").waitFor();
    expect(await page.locator(".state code").allTextContents()).toEqual(["agents:read"]);
    expect(await page.getByText(/Write an agent/).count()).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/scope-390.png` });
    await closeConsole(opened);
  });
});
