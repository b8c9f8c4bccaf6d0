import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { type BuildOptions, build, stop } from "esbuild";
import { afterAll, beforeAll, describe, expect, onTestFinished } from "vitest";
import { listenOnLoopback } from "../../../local/machine/listen-on-loopback.ts";
import type { ClientPage } from "../../client/support/client-page.ts";
import { type Walked, walkClient } from "../../client/support/client-walk.ts";
import { type BreakingProxy, startBreakingProxy } from "../../support/breaking-proxy.ts";
import { hasBrowser, openPage, startBrowser, type TestBrowser } from "../../support/browser.ts";
import type { RunningPlatform } from "../../support/platform.ts";
import { test } from "../../support/shared-platform.ts";

const MOST_BYTES = 12_000;
const client = join(import.meta.dirname, "../../../client/index.ts");
const support = join(import.meta.dirname, "../../client/support");
const scopes = ["agents:read", "agents:run", "sessions:read", "knowledge:read", "knowledge:write"];

const expected = {
  waited: "You said: hi",
  polled: "You said: late",
  refused: 404,
  small: expect.any(Number),
};

/** One file of JavaScript, as a user's bundler makes it. */
async function bundled(entry: string, options: BuildOptions = {}): Promise<string> {
  const { outputFiles } = await build({
    ...{ entryPoints: [entry], bundle: true, write: false, logLevel: "error" },
    ...{ target: "es2022", format: "esm", platform: "neutral" },
    ...options,
  });
  return outputFiles?.[0]?.text ?? "";
}

declare const clientPage: ClientPage;

let platform: RunningPlatform;
test.beforeAll(({ platform: shared }) => {
  platform = shared;
});
let proxy: BreakingProxy;
beforeAll(async () => {
  proxy = await startBreakingProxy(platform.url);
  // The service of esbuild would go on in this process, which other files share.
  return async () => {
    await stop();
    await proxy.stop();
  };
});
/** The next stream breaks twice. */
const breakStream = () => {
  proxy.breakNext(/^POST .*runs$/, { cutAfter: 2_000 });
  proxy.breakNext(/^POST .*resume$/, { cutAfter: 1_000 });
};

const judged = (walked: Walked) => {
  expect(walked).toMatchObject(expected);
  expect(walked.streamed.trim().split(/\s+/)).toHaveLength(50);
  expect(walked.resumed).toBe(2);
  expect(walked.large[0]).toBe(0);
  expect(walked.large.at(-1)).toBeGreaterThan(6_000_000);
};

test("the client is at most 12 KB in a browser, minified and with gzip", async () => {
  const text = await bundled(client, { minify: true });
  expect(gzipSync(text, { level: 9 }).length).toBeLessThanOrEqual(MOST_BYTES);
});

test("it works where there is no page", async () => {
  const token = platform.token("walker-here", scopes);
  judged(await walkClient({ url: proxy.url, token, beforeStream: breakStream }));
});

test("compiled to the syntax of ES2022, it works as a module of Node.js without the project", async () => {
  const folder = mkdtempSync(join(tmpdir(), "client-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "walk.mjs"), await bundled(join(support, "client-walk.ts")));
  const call = `import { walkClient } from "./walk.mjs";
    const [url, token] = process.argv.slice(2);
    console.log(JSON.stringify(await walkClient({ url, token })));`;
  writeFileSync(join(folder, "main.mjs"), call);
  const token = platform.token("walker-node", scopes);
  // The platform is served by this process, which must not wait for the other one.
  const walked = await promisify(execFile)(process.execPath, [join(folder, "main.mjs"), platform.url, token]);
  expect(JSON.parse(walked.stdout)).toMatchObject({ ...expected, resumed: 0 });
});

describe.skipIf(!hasBrowser)("in a browser, on a page of another origin", () => {
  const ORIGIN = "http://localhost:3000";
  let browser: TestBrowser;
  let server: Server;
  beforeAll(async () => {
    server = createServer((_, response) => {
      response.setHeader("content-type", "text/html").end("<!doctype html><title>client</title>");
    });
    const port = await listenOnLoopback(server);
    browser = await startBrowser([`--host-resolver-rules=MAP ${ORIGIN.slice(7)} 127.0.0.1:${port}`]);
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  test("it does the same, and reports an upload in progress", async () => {
    const { page } = await openPage(browser);
    await page.goto(ORIGIN);
    await page.exposeFunction("breakStream", breakStream);
    await page.addScriptTag({ content: await bundled(join(support, "client-page.ts"), { format: "iife" }) });
    const token = platform.token("walker-page", scopes);
    const walked = await page.evaluate(
      ({ url, token: credential }) =>
        clientPage.walk({
          url,
          token: credential,
          beforeStream: (globalThis as unknown as { breakStream: () => Promise<void> }).breakStream,
        }),
      { url: proxy.url, token },
    );
    judged(walked);
    expect(walked.large.length).toBeGreaterThan(2);
  });
});
