import { createServer, type Server } from "node:http";
import { build, stop } from "esbuild";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { listenOnLoopback } from "../../../local/machine/listen-on-loopback.ts";
import {
  hasBrowser,
  type OpenPage,
  openPage,
  startBrowser,
  type TestBrowser,
} from "../../support/browser.ts";
import type { ChatUiPage } from "../../support/chat-ui-page.ts";
import { clientOf } from "../../support/client.ts";
import type { RunningPlatform } from "../../support/platform.ts";
import { test } from "../../support/shared-platform.ts";

/** Where the peer's open chat UI is on a developer's machine: another origin than the platform's. */
const ORIGIN = "http://localhost:3000";
const runs = "/agents/assistant/runs";
const scopes = ["agents:read", "agents:run", "sessions:read"];

declare const chatUi: ChatUiPage;

describe.skipIf(!hasBrowser)("the peer's chat UI, in a browser and from its own origin", () => {
  let platform: RunningPlatform;
  let browser: TestBrowser;
  let script: string;
  let server: Server;
  test.beforeAll(async ({ platform: shared }) => {
    platform = shared;
  });
  beforeAll(async () => {
    server = createServer((_, response) => {
      response.setHeader("content-type", "text/html").end("<!doctype html><title>chat</title>");
    });
    const port = await listenOnLoopback(server);
    browser = await startBrowser([`--host-resolver-rules=MAP ${ORIGIN.slice(7)} 127.0.0.1:${port}`]);
    const entryPoints = [`${import.meta.dirname}/../../support/chat-ui-page.ts`];
    const [file] = (await build({ entryPoints, bundle: true, write: false, format: "iife" })).outputFiles;
    script = file?.text ?? "";
    // Its service would go on in this process, which other files share.
    await stop();
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  /** Loads the UI for maria. */
  async function opened(listAgainAfter: readonly string[] = []): Promise<OpenPage> {
    const one = await openPage(browser);
    await one.page.goto(ORIGIN);
    await one.page.addScriptTag({ content: script });
    const url = platform.url;
    const token = platform.token("maria", scopes);
    await one.page.evaluate((given) => chatUi.open(given.url, given.token, given.listAgainAfter), {
      ...{ url, token, listAgainAfter },
    });
    return one;
  }
  const send = ({ page }: OpenPage, path: string, message: string) =>
    page.evaluate((given) => chatUi.send(given.path, given.message), { path, message });
  /** Without what the console says of every 404: a session is unknown until something is known of its only run. */
  const faultsOf = ({ faults }: OpenPage) => faults.filter((fault) => !fault.includes("404 (Not Found)"));
  const shown = ({ page }: OpenPage) => page.evaluate(() => chatUi.shown());

  test("a first message with a slow tool keeps its call and its text", async () => {
    const ui = await opened(["ToolCallStarted", "ToolCallCompleted", "RunContent"]);
    await send(ui, runs, '[[tool:add_numbers {"a":2,"b":3}]] [[sleep:900]] [[tokens:30]]');
    expect(await shown(ui)).toMatchObject([
      { role: "user" },
      { content: expect.stringContaining("word30"), tool_calls: [{ result: "5" }] },
    ]);
    expect(faultsOf(ui)).toEqual([]);
  });

  test("a run that pauses shows the call that waits", async () => {
    const ui = await opened();
    const session_id = await send(
      ui,
      "/agents/refund-desk/runs",
      '[[tool:issue_refund {"order_id":"o-9","amount":5}]]',
    );
    await ui.page.evaluate((id) => chatUi.load(id), session_id);
    expect(await shown(ui)).toMatchObject([
      { role: "user" },
      { tool_calls: [{ tool_name: "issue_refund", result: null }] },
    ]);
    expect(faultsOf(ui)).toEqual([]);
  });

  test("a page that is loaded again in the middle of a stream shows what was said so far, and then the end", async () => {
    const first = await opened();
    let session_id = "";
    first.page.on("request", (request) => {
      session_id = /\/sessions\/([^/]+)\/runs/.exec(request.url())?.[1] ?? session_id;
    });
    const leaving = send(first, runs, "[[tokens:3]] [[sleep:6000]]").catch(() => "left");
    await expect.poll(async () => (await shown(first)).at(-1)?.content).toBe("word1 word2 word3");
    await expect.poll(() => session_id).not.toBe("");
    await first.page.close();
    expect(await leaving).toBe("left");
    const again = await opened();
    const load = () => again.page.evaluate((id) => chatUi.load(id), session_id);
    const loaded = async () => {
      await load();
      const seen = await shown(again);
      // An empty screen says nothing of its reason: a list that was refused leaves it as it was.
      return seen.length > 0 ? seen : [{ listed: await again.page.evaluate(() => chatUi.listed()) }];
    };
    await expect.poll(loaded).toMatchObject([{ role: "user" }, { content: "word1 word2 word3" }]);
    const maria = clientOf(platform.url, platform.token("maria", scopes));
    const status = async () => (await maria.get(`/sessions/${session_id}/runs`)).json[0].status;
    await expect.poll(status).toBe("COMPLETED");
    await load();
    expect((await shown(again)).at(-1)?.content).toMatch(/^word1 word2 word3/);
    expect(faultsOf(again)).toEqual([]);
  });
});
