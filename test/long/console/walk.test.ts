import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closeConsole } from "../../console/support/open-console.ts";
import { closePage, hasBrowser, openPage, startBrowser, type TestBrowser } from "../../support/browser.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";

const screens = [
  "Home",
  "Runs",
  "Approvals",
  "Queue",
  "Playground",
  "Components",
  "Schedules",
  "Evaluations",
  "Sessions",
  "Knowledge",
  "Memories",
  "Metrics",
  "Access",
  "System",
];

describe.skipIf(!hasBrowser)("the console as one page", () => {
  let platform: TestPlatform;
  let browser: TestBrowser;
  beforeAll(async () => {
    platform = await startPlatform();
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await platform?.stop();
  });

  test("the printed link signs in, once, and from screen to screen each finds what others left in memory", async () => {
    const link = platform.consoleLink?.() ?? "";
    const opened = await openPage(browser, { viewport: { width: 1280, height: 800 } });
    const { page } = opened;
    await page.goto(link);
    await page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
    // Neither the code nor the token is in an address that could be copied or kept; a reload keeps the sign-in.
    expect(page.url()).toBe(`${platform.url}/console`);
    await page.reload();
    await page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
    expect(page.url()).toBe(`${platform.url}/console`);
    for (const name of [...screens, ...screens.toReversed()]) {
      await page.getByRole("navigation").getByRole("link", { name }).click();
      await page.getByRole("heading", { name, level: 1 }).waitFor();
      await expect.poll(() => page.locator("main .skeleton").count(), { message: name }).toBe(0);
    }
    await closeConsole(opened);

    const again = await openPage(browser);
    await again.page.goto(link);
    await again.page.getByText(/link/i).first().waitFor();
    await expect.poll(() => again.page.getByRole("navigation").count()).toBe(0);
    await closePage(again.page);
  });
});
