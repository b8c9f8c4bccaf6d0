import { afterAll, beforeAll, describe, expect } from "vitest";
import { createClient } from "../../../client/index.ts";
import {
  accessibilityFaults,
  closeConsole,
  openConsole,
  overflows,
} from "../../console/support/open-console.ts";
import { hasBrowser, startBrowser, type TestBrowser } from "../../support/browser.ts";
import type { RunningPlatform } from "../../support/platform.ts";
import { test } from "../../support/shared-platform.ts";

describe.skipIf(!hasBrowser)("the log of a run, in the console", () => {
  let platform: RunningPlatform;
  let browser: TestBrowser;
  test.beforeAll(async ({ platform: shared }) => {
    platform = shared;
  });
  beforeAll(async () => {
    browser = await startBrowser();
  }, 60_000);
  afterAll(() => browser?.close());

  test("an admin reads the lines of a failed run with their fields", async () => {
    const admin = createClient({ baseUrl: platform.url, token: platform.adminToken });
    const started = await admin.createAgentRun({
      path: { agent_id: "assistant" },
      body: { message: "log this [[fail:the provider is down]]", stream: false, background: true },
    });
    const path = `/runs/agent/assistant/${started.session_id}/${started.run_id}?view=log`;
    const opened = await openConsole(browser, platform, { path, width: 375, theme: "dark" });
    const { page } = opened;
    const line = page.getByRole("button", { name: /a run failed/ });
    await line.waitFor({ timeout: 30_000 });
    await line.click();
    await page.getByText('"error_type"').waitFor();
    await page.getByRole("radio", { name: "Warnings and errors" }).click();
    await page.waitForURL(/level=problems/);
    await line.waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await overflows(page)).toBe(false);
    await closeConsole(opened);
  });
});
