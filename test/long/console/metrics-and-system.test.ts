import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClient } from "../../../client/index.ts";
import { closeConsole, openConsole } from "../../console/support/open-console.ts";
import { hasBrowser, startBrowser, type TestBrowser } from "../../support/browser.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";

/** What the card of budgets shows to the holder of a token, by the name of each amount. */
async function budgetsShown(browser: TestBrowser, platform: TestPlatform, token: string) {
  const opened = await openConsole(browser, platform, { path: "/metrics", token });
  const card = opened.page
    .locator("section.card")
    .filter({ has: opened.page.getByRole("heading", { name: "Today's budget" }) });
  await card.waitFor();
  const [names, values] = await Promise.all([
    card.locator(".amount-name").allTextContents(),
    card.locator(".amount-value").allTextContents(),
  ]);
  await closeConsole(opened);
  return Object.fromEntries(names.map((name, at) => [name, values[at]]));
}

describe.skipIf(!hasBrowser)("the budgets of a day, in the console", () => {
  test("an admin sees what was spent of one's own and of all users', a user what was spent of one's own", async () => {
    const env = {
      DAILY_TOKENS_PER_USER: "50000",
      DAILY_COST_PER_USER: "20",
      DAILY_COST_PER_DEPLOYMENT: "200",
    };
    const [platform, browser] = await Promise.all([startPlatform({ env }), startBrowser()]);
    try {
      const token = platform.token("maria", ["agents:read", "agents:run", "metrics:read"]);
      expect(await budgetsShown(browser, platform, platform.adminToken)).toEqual({
        "You, dollars": "$0 of $20.00",
        "You, tokens": "0 of 50,000",
        "All users, dollars": "$0 of $200.00",
      });
      const maria = createClient({ baseUrl: platform.url, token });
      const body = { message: "hello ".repeat(1_000), stream: false };
      await maria.createAgentRun({ path: { agent_id: "assistant" }, body });
      const { user, deployment } = await maria.getBudgets();
      expect(deployment).toBeNull();
      expect(user?.tokens.used).toBeGreaterThan(500);
      const shown = await budgetsShown(browser, platform, token);
      expect(shown).toMatchObject({
        "You, tokens": `${user?.tokens.used.toLocaleString("en-US")} of 50,000`,
      });
      expect(Object.keys(shown).filter((name) => name.startsWith("All users"))).toEqual([]);
    } finally {
      await Promise.all([platform.stop(), browser.close()]);
    }
  });
});

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
    const state = () => admin.getDatabase({ path: { db_id: "main" } });
    // A new one is of the newest version.
    await admin.migrateDatabase({ path: { db_id: "main" }, query: { target_version: "1" }, body: null });
    await expect.poll(async () => (await state()).version).toBe("1");
    const opened = await openConsole(browser, platform, { path: "/system" });
    const { page } = opened;
    const { os_version } = await admin.getInfo();
    await page.getByText(os_version, { exact: true }).waitFor();
    await page.getByRole("link", { name: "handbook" }).waitFor();
    await page.getByRole("button", { name: "Migrate", exact: true }).click();
    await page.getByRole("button", { name: "Migrate the database" }).click();
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

  test("figures are broken down by component and tool, and failures by their cause", async () => {
    await ask('[[tool:add_numbers {"a":1,"b":2}]]');
    for (const name of ["one", "two"]) await ask(`[[fail:no room for "${name}" at all]]`);
    await admin.refreshMetrics();
    const opened = await openConsole(browser, platform, { path: "/metrics" });
    const { page } = opened;
    const table = page.getByRole("region", { name: "Duration, failures and cost" }).locator("table");
    const row = table.getByRole("row", { name: /^assistant \(agent\)/ });
    await expect.poll(async () => (await row.textContent()) ?? "").toMatch(/2 \(\d+\.\d %\)/);
    await page.getByRole("radio", { name: "Tool" }).click();
    await table.getByRole("row", { name: /^add_numbers 1 0 / }).waitFor();
    await table.getByRole("button", { name: "p95" }).click();
    await page.waitForURL(/sort=p95/);
    await table
      .getByRole("columnheader", { name: "p95" })
      .and(page.locator("[aria-sort=descending]"))
      .waitFor();
    await page.getByRole("link", { name: /no room for “…” at all/ }).click();
    await page.waitForURL(/runs\?status=ERROR/);
    await expect.poll(() => page.getByRole("link", { name: /no room for/ }).count()).toBe(2);
    await closeConsole(opened);
  });
});
