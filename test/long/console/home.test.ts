import { setTimeout as pause } from "node:timers/promises";
import { DynamoDBClient, ListTablesCommand } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createClient } from "../../../client/index.ts";
import { write } from "../../../shared/data/index.ts";
import { forEachTable } from "../../../shared/settings/table-env.ts";
import { auditPut } from "../../../shared/stores/audit/audit-item.ts";
import { closeConsole, openConsole } from "../../console/support/open-console.ts";
import { closePage, hasBrowser, openPage, startBrowser, type TestBrowser } from "../../support/browser.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";

const FAILS = "<img src=x onerror=\"document.title='broken'\"> [[fail:the provider is down]]";
const readScopes = ["agents:read", "agents:run", "sessions:read"];

const nextSecond = () => pause(1_000 - (Date.now() % 1_000) + 5);

/** Records a deployment as a stack does that changes one setting; on a laptop nothing is deployed. */
async function recordDeploymentNow(endpoint: string): Promise<void> {
  const credentials = { accessKeyId: "LOCAL", secretAccessKey: "local" };
  const dynamo = new DynamoDBClient({ endpoint, region: "us-east-1", credentials });
  const { TableNames = [] } = await dynamo.send(new ListTablesCommand({}));
  const table = TableNames.find((name) => /audit/i.test(name)) ?? "";
  const before = { runConcurrency: "10" };
  const record = auditPut(
    { auditRetentionDays: 30 },
    { operation: "deploySettings", target: {}, before, after: { runConcurrency: "20" } },
  );
  await write({ client: DynamoDBDocumentClient.from(dynamo), tables: forEachTable(() => table) }, record);
}

// It counts what is in the whole platform.
describe.skipIf(!hasBrowser)("home, in the console", () => {
  let platform: TestPlatform;
  let browser: TestBrowser;
  beforeAll(async () => {
    [platform, browser] = await Promise.all([startPlatform(), startBrowser()]);
    const admin = createClient({ baseUrl: platform.url, token: platform.adminToken });
    const later = (agent_id: string, message: string) =>
      admin.createAgentRun({ path: { agent_id }, body: { message, stream: false, background: true } });
    const { run_id = "", session_id = "" } = await later("assistant", FAILS);
    await admin.giveFeedback({ path: { run_id }, body: { session_id, key: "thumb", score: 0 } });
    await later("account-desk", 'close [[tool:close_account {"account":"K-7"}]]');
    await vi.waitFor(
      async () => {
        expect((await admin.countApprovals()).count).toBe(1);
        expect((await admin.getQueueStats()).counts.failed).toBe(1);
      },
      { timeout: 60_000, interval: 500 },
    );
  });
  afterAll(async () => {
    await browser?.close();
    await platform?.stop();
  });

  test("one look says whether it is healthy, what waits and what changed", async () => {
    const opened = await openConsole(browser, platform);
    const { page } = opened;
    const board = page.getByRole("region", { name: "At a glance" });
    await board.getByText("Many runs fail").waitFor();
    await board.getByText("1 failed of 1 run in the last hour").waitFor();
    await board.getByText(/^\d things$/).waitFor();
    await board.getByText(/failed for good\. .+\./).waitFor();
    await board.getByText("1 job failed for good.").waitFor();
    await board.getByText("Nothing this week").waitFor();
    await closeConsole(opened);
  });

  test("a pending approval and a failed job are shown, and lead to where they are seen to", async () => {
    const opened = await openConsole(browser, platform);
    const { page } = opened;
    const approval = page.getByRole("link", { name: /1 approval waits for a decision/ });
    await approval.waitFor();
    await page.getByRole("link", { name: /1 job failed for good/ }).waitFor();
    // The worst first, as the sentence above the list says it.
    const isBad = `[...document.querySelectorAll(".concern")].map((line) => line.matches(".concern-bad"))`;
    const lines = await page.evaluate<boolean[]>(isBad);
    expect(lines.lastIndexOf(true)).toBeLessThan(lines.indexOf(false));
    expect(lines).toContain(true);
    await approval.click();
    await page.waitForURL(/\/console\/approvals$/);
    await page.goBack();
    await page.getByRole("link", { name: /1 job failed for good/ }).click();
    await page.waitForURL(/\/console\/queue\?status=failed$/);
    await page.goBack();
    await page.getByRole("link", { name: /1 run was called bad/ }).click();
    await page.waitForURL(/\/console\/runs\?feedback=thumb%3A0$/);
    await page.getByRole("link", { name: /img src=x/ }).waitFor();
    await closeConsole(opened);
  });

  test("runs, errors and tokens of the last hour are those of the list; no price is unknown, not nothing", async () => {
    const opened = await openConsole(browser, platform);
    const { page } = opened;
    const tile = (title: string) =>
      page.locator("section.tile", { has: page.getByRole("heading", { name: title }) });
    await expect.poll(() => tile("Runs").locator(".tile-value").textContent()).toBe("2");
    await expect.poll(() => tile("Errors").locator(".tile-value").textContent()).toBe("1");
    await expect.poll(() => tile("Cost").locator(".tile-value").textContent()).toBe("unknown");
    await page.getByRole("radio", { name: "Last day" }).click();
    await page.waitForURL(/span=24h/);
    await page.getByText("begun in the last day").waitFor();
    await tile("Errors").getByRole("link").click();
    await page.waitForURL(/\/runs\?status=ERROR&since=24h$/);
    await page.getByRole("link", { name: /img src=x/ }).waitFor();
    expect(await page.title()).not.toBe("broken");
    await closeConsole(opened);
  });

  test("schedules are read at once, however many there are, and one that failed is named in a sentence", async () => {
    const admin = createClient({ baseUrl: platform.url, token: platform.adminToken });
    const endpoint = "/agents/assistant/runs";
    for (const [name, message] of [
      ["Every two minutes", FAILS],
      ["Nightly", "hello"],
      ["Weekly", "hello"],
    ]) {
      const payload = { message: message ?? "" };
      const body = { name: name ?? "", cron_expr: "0 4 1 1 *", endpoint, payload };
      const { id } = await admin.createSchedule({ body });
      if (message === FAILS) await admin.triggerSchedule({ path: { schedule_id: id } });
    }
    const opened = await openConsole(browser, platform, { path: "/components" });
    const { page } = opened;
    const asked: string[] = [];
    page.on("request", (sent) => {
      const { pathname } = new URL(sent.url());
      if (pathname.startsWith("/schedules")) asked.push(pathname);
    });
    await page.getByRole("navigation").getByRole("link", { name: "Home" }).click();
    await page
      .getByRole("link", { name: /^The last run of the schedule Every two minutes failed/ })
      .waitFor();
    expect(asked).toEqual(["/schedules"]);
    await closeConsole(opened);
  });

  // Home reads four things every ten seconds or so; the list of runs fewer.
  test.each([
    ["", 30],
    ["/runs", 20],
  ])("a minute on /console%s takes %i requests at most", async (path, most) => {
    const opened = await openConsole(browser, platform);
    const { page } = opened;
    await page.clock.install();
    await page.goto(`${platform.url}/console${path}`);
    await page.locator("main h1").first().waitFor();
    await page.waitForLoadState("networkidle");
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.resourceType() === "fetch") asked.push(new URL(request.url()).pathname);
    });
    for (let second = 0; second < 60; second++) {
      await page.clock.runFor(1_000);
      // An answer comes in real time, and the next request waits for it.
      await pause(30);
    }
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.length, asked.toSorted().join(" ")).toBeLessThanOrEqual(most);
    await closeConsole(opened);
  });

  test("the name of the installation stands above the fields of its sign-in, in one line with them", async () => {
    const { page } = await openPage(browser, {});
    await page.goto(`${platform.url}/console`);
    const leftOf = async (name: string) => (await page.locator(name).first().boundingBox())?.x;
    await page.locator(".sign-in form").waitFor();
    const [logo, title, form] = await Promise.all(
      [".sign-in .shell-brand img", ".sign-in h1", ".sign-in form"].map(leftOf),
    );
    expect(logo).toBe(form);
    expect(title).toBe(form);
    await closePage(page);
  });

  test("a user without admin rights sees no admin parts, and a way into the playground", async () => {
    const token = platform.token("home-user", readScopes);
    const opened = await openConsole(browser, platform, { token });
    const { page } = opened;
    await page.getByText("Nothing waits for you.").waitFor();
    await expect.poll(() => page.getByRole("heading", { name: "Queue" }).count()).toBe(0);
    await expect.poll(() => page.getByText(/approval waits|failed for good/).count()).toBe(0);
    await page.getByRole("link", { name: "Open the playground" }).click();
    await page.waitForURL(/\/playground$/);
    await closeConsole(opened);
  });

  test("after a deployment one look says what changed since, and how runs end before and after it", async () => {
    const admin = createClient({ baseUrl: platform.url, token: platform.adminToken });
    const run = (message: string) =>
      admin.createAgentRun({ path: { agent_id: "assistant" }, body: { message, stream: false } });
    await admin.createComponent({
      body: {
        component_type: "agent",
        name: "Old desk",
        config: { instructions: "Be brief." },
        stage: "published",
      },
    });
    await run("before it");
    // Records have whole seconds.
    await nextSecond();
    await recordDeploymentNow(platform.dynamoEndpoint);
    await run("since then");
    const { component_id } = await admin.createComponent({
      body: {
        component_type: "agent",
        name: "New desk",
        config: { instructions: "Be kind." },
        stage: "published",
      },
    });
    const opened = await openConsole(browser, platform);
    const { page } = opened;
    const board = page.getByRole("region", { name: "At a glance" });
    await board.getByText("What changed since the last deployment?").waitFor();
    await board.getByText("1 component since the deployment").waitFor();
    await board.getByText(/^Deployed .*, with other settings: runConcurrency\.$/).waitFor();
    await board.getByText(/^Failed: 0\.0 % of 1 run, 67 % of 3 runs the day before; 95 % within/).waitFor();
    expect(await board.getByRole("link", { name: "Old desk" }).count()).toBe(0);
    await board.getByRole("link", { name: "New desk" }).click();
    await page.waitForURL(new RegExp(`/components/${component_id}\\?tab=versions$`));
    await closeConsole(opened);
  });
});
