import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClient } from "../../../client/index.ts";
import type { ToolExecution } from "../../../shared/schemas/runs/run.ts";
import { closeConsole, openConsole } from "../../console/support/open-console.ts";
import { hasBrowser, startBrowser, type TestBrowser } from "../../support/browser.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";
import { putRuns } from "../../support/put-runs.ts";
import { aJob, aRunOf } from "../../support/records.ts";
import { viewStores } from "../../support/stored.ts";

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
    await page.getByRole("radio", { name: "90 days" }).click();
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

  test("the slowest tool comes first; figures are by version, model and user too, and over days that are chosen", async () => {
    const view = viewStores(platform);
    const created_at = Math.floor(Date.now() / 1000);
    const job = aJob({ session_id: "slow", owner: "ines", user_id: "ines", created_at });
    const run = aRunOf(job, { status: "COMPLETED", component_version: 7 });
    const called = ["slow_lookup", "add_numbers"].map((tool_name, at) => {
      const duration = at === 0 ? 90 : 0.2;
      return { tool_name, metrics: { start_time: 0, end_time: duration, duration } } as ToolExecution;
    });
    const metrics = { input_tokens: 100, output_tokens: 10, cost: 1.25, duration: 95 };
    const model = { model: "m-1", model_provider: "Acme" };
    const output = { ...run.output, ...model, metrics, tools: called };
    await putRuns(view.db, [{ ...run, output }]);
    view.close();
    await admin.refreshMetrics();
    const opened = await openConsole(browser, platform, { path: "/metrics" });
    const { page } = opened;
    const table = page.getByRole("region", { name: "Duration, failures and cost" }).locator("table");
    const by = (name: string) => page.getByRole("radio", { name, exact: true }).click();
    await by("Tool");
    await table.getByRole("row", { name: /^slow_lookup/ }).waitFor();
    await table.getByRole("button", { name: "p95" }).click();
    await expect.poll(() => table.locator("tbody tr").first().textContent()).toMatch(/^slow_lookup/);
    for (const [kind, row] of [
      ["Version", /^assistant, version 7 1 .*\$1\.25/],
      ["Model", /m-1.*\$1\.25/],
      ["User or key", /^ines 1 .*\$1\.25/],
      ["Component", /^assistant \(agent\)/],
    ] as const) {
      await by(kind);
      await table.getByRole("row", { name: row }).waitFor();
    }
    await page.getByRole("radio", { name: "From … to" }).click();
    const [from, to] = ["From", "To"].map((name) => page.getByLabel(name, { exact: true }));
    await from?.fill("2026-01-05");
    await to?.fill("2026-01-04");
    await page.getByText("A later day, within 400 days").waitFor();
    await to?.fill("2026-01-06");
    await page.waitForURL(/from=2026-01-05&to=2026-01-06/);
    await page.getByText("Nothing ran in these days").first().waitFor();
    await closeConsole(opened);
  });
});
