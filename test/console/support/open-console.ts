import axe, { type AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { closePage, type OpenPage, openPage, type TestBrowser } from "../../support/browser.ts";
import type { RunningPlatform } from "../../support/platform.ts";

export type ConsoleOptions = {
  /** Address below `/console`; the home screen when absent. */
  readonly path?: string;
  /** An admin's when absent. */
  readonly token?: string;
  readonly width?: number;
  readonly height?: number;
  readonly theme?: "light" | "dark";
};

/** Opens a page of the console as a user who has signed in, with a browser of their own. */
export async function openConsole(
  browser: TestBrowser,
  platform: RunningPlatform,
  options: ConsoleOptions = {},
): Promise<OpenPage> {
  const { path = "", token = platform.adminToken, width = 1280, height = 800, theme = "light" } = options;
  const opened = await openPage(browser, { viewport: { width, height }, colorScheme: theme });
  // As an earlier page of the tab would have kept it.
  await opened.page.addInitScript((kept) => sessionStorage.setItem("agent-platform.token", kept), token);
  await opened.page.goto(`${platform.url}/console${path}`);
  await opened.page.locator("main h1").first().waitFor();
  return opened;
}

/** Closes a page, on which nothing may have gone wrong: no error, no exception, no broken policy. */
export async function closeConsole({ page, faults }: OpenPage): Promise<void> {
  await closePage(page);
  expect(faults).toEqual([]);
}

/**
 * What an automatic check of accessibility finds on a page, in lines that name rule and place.
 *
 * @param of  all that it knows, or only what another theme may break
 */
export async function accessibilityFaults(
  page: Page,
  of: "everything" | "colours" = "everything",
): Promise<readonly string[]> {
  // A protocol call: the page's policy lets no script in.
  if (!(await page.evaluate(`"axe" in window`))) await page.evaluate(axe.source);
  const options = {
    resultTypes: ["violations"],
    ...(of === "colours" && { runOnly: ["color-contrast"] }),
  };
  const { violations }: AxeResults = await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")} ${failureSummary ?? ""}`),
  );
}

/** Whether anything on the page can be scrolled sideways that should not be: the page itself. */
export const overflows = (page: Page): Promise<boolean> =>
  page.evaluate(`document.documentElement.scrollWidth > document.documentElement.clientWidth`);
