import { expect } from "vitest";
import { describeConsole } from "../../console/support/describe-console.ts";
import { accessibilityFaults, closeConsole, overflows } from "../../console/support/open-console.ts";
import { openPage } from "../../support/browser.ts";
import { expiredToken } from "../../support/platform.ts";
import { test } from "../../support/shared-platform.ts";

/** What a browser and React report by themselves of a request that failed, and of a part that was not loaded. */
const UNREACHED = /net::ERR|Failed to load resource|^OutdatedPage/;

describeConsole("a console that loses its platform", (at) => {
  test("says that the platform is away, not that it was updated, and opens the screen when it is back", async () => {
    const { page, faults } = await at.open();
    await page.route("**/*", (route) => route.abort("connectionrefused"));
    await page.getByRole("link", { name: "Sessions" }).click();
    await page.getByText("this screen opens by itself").waitFor();
    await page.getByText(/What you see may be old/).waitFor();
    await expect.poll(() => page.getByText("The console has been updated").count()).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.unroute("**/*");
    await page.getByRole("heading", { name: "Sessions", level: 1 }).waitFor();
    await expect.poll(() => page.getByText(/What you see may be old/).count()).toBe(0);
    await closeConsole({ page, faults: faults.filter((fault) => !UNREACHED.test(fault)) });
  });

  test("a part that did not come while the platform was away comes later, whatever its first answers are", async () => {
    const { page, faults } = await at.open();
    await page.clock.install();
    await page.reload();
    await page.locator("main h1").first().waitFor();
    let tries = 0;
    await page.route("**/console/files/sessions-*", (route) =>
      ++tries > 4 ? route.continue() : route.abort("connectionrefused"),
    );
    await page.route(`${at.platform.url}/console`, (route) =>
      tries > 3 ? route.continue() : route.abort("connectionrefused"),
    );
    await page.getByRole("link", { name: "Sessions" }).click();
    const heading = page.getByRole("heading", { name: "Sessions", level: 1 });
    const seen = async () => {
      await page.clock.runFor(2_000);
      return heading.count();
    };
    await expect.poll(seen).toBe(1);
    expect(tries).toBe(5);
    await closeConsole({ page, faults: faults.filter((fault) => !UNREACHED.test(fault)) });
  });

  test("says that it was updated where the files are gone and another page is served", async () => {
    const { page, faults } = await at.open();
    await page.route("**/console/files/**", (route) => route.fulfill({ status: 404, body: "" }));
    await page.route(`${at.platform.url}/console`, async (route) => {
      const html = await (await route.fetch()).text();
      await route.fulfill({ body: html.replace(/main-\w+\.js/, "main-ANOTHER1.js") });
    });
    await page.getByRole("link", { name: "Sessions" }).click();
    await page.getByText("The console has been updated").waitFor();
    await closeConsole({ page, faults: faults.filter((fault) => !UNREACHED.test(fault)) });
  });

  test("says of a platform on this machine that it is away, also where there is no network", async () => {
    const { page, faults } = await at.open({ path: "/access", width: 390 });
    await page.context().setOffline(true);
    await page.getByText(/The platform cannot be reached/).waitFor();
    expect(await overflows(page)).toBe(false);
    await page.context().setOffline(false);
    await expect.poll(() => page.getByText(/The platform cannot be reached/).count()).toBe(0);
    await closeConsole({ page, faults: faults.filter((fault) => !UNREACHED.test(fault)) });
  });

  test("opens by itself where it was opened while the platform was away", async () => {
    const { page, faults } = await at.open({ path: "/access" });
    await page.route(/\/me$/, (route) => route.abort("connectionrefused"));
    await page.reload();
    await page.getByText("The platform cannot be reached").first().waitFor();
    await page.unroute(/\/me$/);
    await page.getByRole("heading", { name: "Access", level: 1 }).waitFor();
    await closeConsole({ page, faults: faults.filter((fault) => !UNREACHED.test(fault)) });
  });

  test("says that a sign-in has expired and when, and leaves its reader on the page", async () => {
    const token = expiredToken("console-late", ["sessions:read"]);
    const { page, faults } = await openPage(at.browser);
    await page.addInitScript((kept) => sessionStorage.setItem("agent-platform.token", kept), token);
    await page.goto(`${at.platform.url}/console/sessions`);
    await page.getByText(/Your sign-in expired at .*Sign in again to come back to this page/).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByLabel("Access token").fill(at.platform.token("console-late", ["sessions:read"]));
    await page.getByRole("button", { name: "Sign in with the token" }).click();
    await page.getByRole("heading", { name: "Sessions", level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/console/sessions");
    await closeConsole({ page, faults: faults.filter((fault) => !UNREACHED.test(fault)) });
  });
});
