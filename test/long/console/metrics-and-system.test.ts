import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClient } from "../../../client/index.ts";
import { closeConsole, openConsole } from "../../console/support/open-console.ts";
import { hasBrowser, startBrowser, type TestBrowser } from "../../support/browser.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";

// The figures are those of the whole platform, and its database is migrated.
describe.skipIf(!hasBrowser)("metrics and system, in the console", () => {
  let platform: TestPlatform;
  let browser: TestBrowser;
  let admin: ReturnType<typeof createClient>;
  beforeAll(async () => {
    [platform, browser] = await Promise.all([startPlatform(), startBrowser()]);
    admin = createClient({ baseUrl: platform.url, token: platform.adminToken });
  });
  afterAll(async () => {
    await browser?.close();
    await platform?.stop();
  });
  const ask = (message: string) =>
    admin.createAgentRun({ path: { agent_id: "assistant" }, body: { message, stream: false } });

  test("metrics are computed again when asked for, and the range is in the address", async () => {
    await ask("one");
    const opened = await openConsole(browser, platform, { path: "/metrics?days=7" });
    const { page } = opened;
    await page.getByRole("heading", { name: "Days" }).waitFor();
    await ask("two");
    await ask("three");
    await page.getByRole("button", { name: "Compute again" }).click();
    const runs = page.getByRole("region", { name: "Days" }).getByRole("row").nth(1).getByRole("cell").nth(1);
    await expect.poll(() => runs.allTextContents()).toEqual(["3"]);
    const [today] = (await admin.getMetrics()).metrics;
    expect(today?.agent_runs_count).toBe(3);
    await page.getByRole("button", { name: /Range/ }).click();
    await page.getByRole("option", { name: "Last 90 days" }).click();
    await page.waitForURL(/days=90/);
    await closeConsole(opened);
  });

  test("the system shows version and settings, and a database is migrated after a question", async () => {
    const opened = await openConsole(browser, platform, { path: "/system" });
    const { page } = opened;
    const { os_version } = await admin.getInfo();
    await page.getByText(os_version, { exact: true }).waitFor();
    await page.getByRole("link", { name: "handbook" }).waitFor();
    await page.getByRole("button", { name: "Migrate", exact: true }).click();
    await page.getByRole("button", { name: "Migrate the database" }).click();
    const state = () => admin.getDatabase({ path: { db_id: "main" } });
    const { latest_version } = await state();
    await expect.poll(async () => (await state()).version).toBe(latest_version);
    await closeConsole(opened);
  });

  test("a user without rights to them sees the service, and which scope the rest takes", async () => {
    const token = platform.token("system-user", ["agents:read"]);
    const opened = await openConsole(browser, platform, { path: "/system", token });
    const { page } = opened;
    await page.getByText(/need the scope “config:read”/).waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Migrate" }).count()).toBe(0);
    await expect.poll(() => page.getByRole("link", { name: "Metrics" }).count()).toBe(0);
    await closeConsole(opened);
  });
});
