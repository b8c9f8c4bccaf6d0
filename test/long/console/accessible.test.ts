import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FURNISHED_ENV, type Furnished, furnish } from "../../console/support/furnish.ts";
import { accessibilityFaults, openConsole, overflows } from "../../console/support/open-console.ts";
import { views } from "../../console/support/views.ts";
import { hasBrowser, type OpenPage, startBrowser, type TestBrowser } from "../../support/browser.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";

/** A view that is asked for something that is not there gets an error, and the browser logs that. */
const EXPECTED_FAULT = /status of 404/;

const WIDE = 1440;
const BETWEEN = 768;
const WIDTHS = [WIDE, BETWEEN, 390];

// It fills a platform with one of everything.
describe.skipIf(!hasBrowser)("every view of the console can be used by everybody", () => {
  let platform: TestPlatform;
  let browser: TestBrowser;
  let at: Furnished;
  let opened: OpenPage;
  /** Answers of 500 and more, with what they say: why they came is not seen by the browser. */
  const broken: Promise<string>[] = [];
  beforeAll(async () => {
    [platform, browser] = await Promise.all([startPlatform({ env: FURNISHED_ENV }), startBrowser()]);
    at = await furnish(platform);
    opened = await openConsole(browser, platform, { width: WIDE, height: 900 });
    opened.page.on("response", (response) => {
      if (response.status() < 500) return;
      const said = response.text().catch(() => "");
      broken.push(said.then((body) => `${response.status()} ${response.url()} ${body}`));
    });
  });
  afterAll(async () => {
    await browser?.close();
    await platform?.stop();
  });

  // All in one page, as an operator goes from one to the next: loading it anew for each takes longer than the check.
  test.for(views)("$name", async ({ path, shows, act }) => {
    const { page, faults } = opened;
    const address = JSON.stringify(`/console${path(at)}`);
    await page.evaluate(
      `history.pushState(null, "", ${address}); dispatchEvent(new PopStateEvent("popstate"));`,
    );
    await page.getByText(shows).first().waitFor({ state: "attached" });
    await act?.(page);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      // Between the widest and the narrowest nothing is there that neither has.
      if (width !== BETWEEN) expect(await accessibilityFaults(page), `light, ${width} px`).toEqual([]);
      // What floats finds its place again a moment after the width has changed.
      await expect.poll(() => overflows(page), { message: `${width} px` }).toBe(false);
      // A theme changes colours alone.
      await page.emulateMedia({ colorScheme: "dark" });
      expect(await accessibilityFaults(page, "colours"), `dark, ${width} px`).toEqual([]);
      await page.emulateMedia({ colorScheme: "light" });
    }
    await page.setViewportSize({ width: WIDE, height: 900 });
    await page.keyboard.press("Escape");
    // Each view answers for its own: what one has reported is no fault of the next.
    const why = [...(await Promise.all(broken.splice(0))), ...platform.lines.slice(-50)].join("\n");
    expect(
      faults.splice(0).filter((fault) => !EXPECTED_FAULT.test(fault)),
      why,
    ).toEqual([]);
  });

  test("the Tab key leads through every screen, and shows where it is", async () => {
    const { page } = opened;
    for (const link of await screenLinks(page)) {
      await page.locator(`nav a[href="${link}"]`).click();
      await page.locator("main h1").waitFor();
      await expect.poll(() => page.locator("main [aria-label=Loading]").count()).toBe(0);
      const stops = await tabStops(page);
      expect(
        stops.filter(({ isShown }) => !isShown),
        link,
      ).toEqual([]);
      expect(stops.filter(({ isInMain }) => isInMain).length, link).toBeGreaterThan(0);
    }
  });

  test("who asks for less motion sees a change of theme at once", async () => {
    const { page } = opened;
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.emulateMedia({ reducedMotion: "reduce", colorScheme: "dark" });
    expect(await page.evaluate("document.getAnimations().length")).toBe(0);
    await page.emulateMedia({ reducedMotion: "no-preference", colorScheme: "light" });
  });

  test("? and / work on every screen", async () => {
    const { page } = opened;
    for (const link of await screenLinks(page)) {
      await page.locator(`nav a[href="${link}"]`).click();
      await page.locator("main h1").waitFor();
      await page.keyboard.press("?");
      const list = page.getByRole("dialog", { name: "Shortcuts" });
      await list.getByText("Search", { exact: true }).waitFor();
      await page.keyboard.press("Escape");
      await list.waitFor({ state: "detached" });
      await page.keyboard.press("/");
      await expect
        .poll(() => page.evaluate(`document.activeElement?.closest("[data-search]") !== null`), {
          message: link,
        })
        .toBe(true);
    }
  });
});

const screenLinks = (page: Page): Promise<readonly string[]> =>
  page
    .locator("nav[aria-label=Console] a")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));

type Stop = {
  readonly name: string;
  readonly isInMain: boolean;
  /** Whether the element, what lies around it or its box is marked as the one in focus. */
  readonly isShown: boolean;
};

const MOST_STOPS = 80;

/** Where the Tab key leads to from the beginning of a page, one after the other. */
async function tabStops(page: Page): Promise<readonly Stop[]> {
  await page.evaluate(`document.activeElement?.blur(); getSelection()?.removeAllRanges()`);
  const stops: Stop[] = [];
  while (stops.length < MOST_STOPS) {
    await page.keyboard.press("Tab");
    const stop: Stop | null = await page.evaluate(FOCUSED);
    if (stop === null || (stops.length > 0 && stop.name === stops[0]?.name)) break;
    stops.push(stop);
  }
  return stops;
}

const FOCUSED = `(() => {
  const at = document.activeElement;
  if (at === null || at === document.body) return null;
  const around = [];
  for (let one = at; one !== null && one.tagName !== "MAIN"; one = one.parentElement) around.push(one);
  const box = at.closest("label")?.querySelector(".check-box");
  const isMarked = (element) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
    return (outlineStyle !== "none" && parseFloat(outlineWidth) >= 1) || /inset/.test(boxShadow);
  };
  return {
    name: at.tagName + " " + (at.getAttribute("aria-label") ?? at.textContent ?? "").trim().slice(0, 40) + " " + (at.getAttribute("href") ?? at.id),
    isInMain: at.closest("main") !== null,
    isShown: [...around, box].some((element) => element != null && isMarked(element)),
  };
})()`;
