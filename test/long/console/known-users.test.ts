import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClient } from "../../../client/index.ts";
import { closeConsole, openConsole } from "../../console/support/open-console.ts";
import { hasBrowser, startBrowser, type TestBrowser } from "../../support/browser.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";
import { putRuns } from "../../support/put-runs.ts";
import { aJob, aRunOf } from "../../support/records.ts";
import { viewStores } from "../../support/stored.ts";

/** More than the daily totals name one by one. */
const USERS = 120;
const QUIET = "quiet-customer";

const at = Math.floor(Date.now() / 1000) - 60;
const runOf = (user: string, total_tokens: number) => {
  const job = aJob({ owner: user, user_id: user, created_at: at });
  const { output, ...run } = aRunOf(job, { status: "COMPLETED" });
  const metrics = { input_tokens: total_tokens, output_tokens: 0, total_tokens };
  return {
    ...run,
    output: { ...output, status: "COMPLETED" as const, content: `done for ${user}`, metrics },
  };
};

describe.skipIf(!hasBrowser)("a user among many, in the console", { timeout: 180_000 }, () => {
  let platform: TestPlatform;
  let browser: TestBrowser;
  beforeAll(async () => {
    [platform, browser] = await Promise.all([startPlatform(), startBrowser()]);
    const view = viewStores(platform);
    const loud = Array.from({ length: USERS }, (_, i) => runOf(`loud-${i}`, 1_000));
    await putRuns(view.db, [...loud, runOf(QUIET, 1)]);
    view.close();
    const admin = createClient({ baseUrl: platform.url, token: platform.adminToken });
    await admin.refreshMetrics();
    const { metrics } = await admin.getMetrics();
    const named = metrics.flatMap(({ user_metrics = [] }) => user_metrics.map(({ user_id }) => user_id));
    expect(named).toContain("loud-1");
    expect(named).not.toContain(QUIET);
  });
  afterAll(async () => {
    await browser?.close();
    await platform?.stop();
  });

  test("is proposed by the menu and by Ctrl and k, also if a hundred others used more", async () => {
    const opened = await openConsole(browser, platform, { path: "/runs", width: 1440 });
    const { page } = opened;
    await page.getByRole("combobox", { name: "User" }).fill("quiet");
    await page.getByRole("option", { name: QUIET }).click();
    await page.waitForURL(/user=quiet-customer/);
    await page.getByRole("link", { name: /hello/ }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: /^Screen, component/ }).fill("quiet");
    await page.getByRole("option", { name: `${QUIET} runs of the user` }).waitFor();
    await page.keyboard.press("Escape");
    await closeConsole(opened);
  });

  test("is taken as typed where nothing names them", async () => {
    const opened = await openConsole(browser, platform, { path: "/runs", width: 1440 });
    const { page } = opened;
    await page.getByRole("link", { name: /hello/ }).first().waitFor();
    await page.getByRole("combobox", { name: "User" }).fill("never-counted");
    const typed = page.getByRole("option", { name: "never-counted" });
    await typed.getByText("As typed").waitFor();
    expect(await page.getByText("No matches").count()).toBe(0);
    await typed.click();
    await page.waitForURL(/user=never-counted/);
    await page.getByText("No run matches these filters").waitFor();
    await expect.poll(() => page.getByRole("listbox").count()).toBe(0);
    await closeConsole(opened);
  });
});
