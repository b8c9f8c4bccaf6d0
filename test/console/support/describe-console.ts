import { afterAll, afterEach, beforeAll, describe } from "vitest";
import { type Client, createClient } from "../../../client/index.ts";
import { hasBrowser, type OpenPage, shownOn, startBrowser, type TestBrowser } from "../../support/browser.ts";
import type { RunningPlatform } from "../../support/platform.ts";
import { test } from "../../support/shared-platform.ts";
import { type ConsoleOptions, openConsole } from "./open-console.ts";

/** What the tests of a suite share; there while they run. */
export type ConsoleSuite = {
  readonly platform: RunningPlatform;
  readonly browser: TestBrowser;
  /** A client with the admin's token. */
  readonly admin: Client;
  readonly asUser: (
    sub: string,
    scopes: readonly string[],
  ) => { readonly token: string; readonly client: Client };
  /** Opens a page of the console. */
  readonly open: (options?: ConsoleOptions) => Promise<OpenPage>;
};

/** A page takes seconds on a machine that does much else. */
const PATIENCE = { timeout: 180_000 };

/** A suite with a browser, on the platform that files share; left out where no browser is installed. */
export function describeConsole(name: string, tests: (at: ConsoleSuite) => void): void {
  describe.skipIf(!hasBrowser)(name, PATIENCE, () => {
    let platform: RunningPlatform;
    let browser: TestBrowser;
    test.beforeAll(async ({ platform: shared }) => {
      platform = shared;
    });
    beforeAll(async () => {
      browser = await startBrowser();
    });
    afterEach(async ({ task }) => {
      if (task.result?.state === "fail")
        console.error(`${task.name}: the page shows\n${await shownOn(browser)}`);
    });
    afterAll(() => browser?.close());
    const clientOf = (token: string): Client => createClient({ baseUrl: platform.url, token });
    tests({
      get platform() {
        return platform;
      },
      get browser() {
        return browser;
      },
      get admin() {
        return clientOf(platform.adminToken);
      },
      asUser: (sub, scopes) => {
        const token = platform.token(sub, scopes);
        return { token, client: clientOf(token) };
      },
      open: (given) => openConsole(browser, platform, given),
    });
  });
}
