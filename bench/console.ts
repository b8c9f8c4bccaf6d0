/**
 * Measures how the console feels in a browser, with the platform on the same machine: first paint, a list of many runs
 * that is scrolled to its end, a long conversation, a long stream, a run of many steps. `node bench/console.ts [runs] [part …]`. Needs Chromium.
 *
 * A task that takes more than 50 ms of the processor is a frame that the reader sees missing.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { table } from "../build/table.ts";
import { hasBrowser, launchBrowser, openPage } from "../test/support/browser.ts";
import { startPlatform, type TestPlatform } from "../test/support/platform.ts";
import { fillConversation, fillRuns, longRunOf } from "./console/fill.ts";
import { type WatchedTasks, watchTasks } from "./console/watch-tasks.ts";

const RUNS = Number(process.argv[2] ?? 100_000);
/** Parts beside the first paint: list, conversation, stream, run; all unless some are named. */
const only = new Set(process.argv.slice(3));
const MESSAGES = 2_000;
const TOKENS = 10_000;
const STEPS = 500;

type Row = readonly [what: string, of: string, tasks: string, longest: string, note: string];

if (!hasBrowser) process.exit(1);
const dataDir = mkdtempSync(join(tmpdir(), "agent-platform-bench-"));
const platform = await startPlatform({ dataDir, env: { TRACING: "" } });
const browser = await launchBrowser();
try {
  const rows: Row[] = [];
  const wants = (part: string): boolean => only.size === 0 || only.has(part);
  for (let time = 1; time <= 3; time++) rows.push(await firstPaint(time));
  if (wants("list")) {
    await fillRuns(platform, RUNS);
    rows.push(await scrolledList());
  }
  if (wants("conversation")) rows.push(await longConversation());
  if (wants("stream")) rows.push(await longStream());
  if (wants("run")) rows.push(...(await longRun()));
  console.log(table(["what", "of", "tasks > 50 ms", "longest ms of the processor", "note"], rows));
} finally {
  await browser.close();
  await platform.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

type Opened = { readonly page: Page; readonly tasks: WatchedTasks };

async function opened(path: string, running: TestPlatform = platform): Promise<Opened> {
  const { page } = await openPage(browser, { viewport: { width: 1280, height: 800 } });
  await page.addInitScript(
    (token) => sessionStorage.setItem("agent-platform.token", token),
    running.adminToken,
  );
  const tasks = await watchTasks(page);
  await page.goto(`${running.url}/console${path}`);
  return { page, tasks };
}

async function firstPaint(time: number): Promise<Row> {
  // The function's own start is no part of what a reader waits for each time.
  await fetch(`${platform.url}/console`);
  const { page } = await opened("/runs");
  await page.locator("main h1").waitFor();
  const paintMs: number = await page.evaluate(
    `new Promise((resolve) => new PerformanceObserver((list) => {
       for (const { name, startTime } of list.getEntries()) if (name === "first-contentful-paint") resolve(startTime);
     }).observe({ type: "paint", buffered: true }))`,
  );
  const loaded: number = await page.evaluate(
    `performance.getEntriesByType("resource").reduce((sum, { encodedBodySize, name }) =>
       name.includes("/console/files/") ? sum + encodedBodySize : sum, 0)`,
  );
  await page.context().close();
  const note = `painted after ${Math.round(paintMs)} ms, ${Math.round(loaded / 1000)} KB of files`;
  return [`first page, time ${time}`, "", "", "", note];
}

/** Goes to the end of what is loaded again and again, until all is loaded, and back. */
async function scrolledList(): Promise<Row> {
  const { page, tasks } = await opened("/runs");
  await page.locator(".list-scroll").waitFor();
  await tasks.start();
  const startedAt = performance.now();
  const shown: number = await page.evaluate(
    `(async () => {
      const scroll = document.querySelector(".list-scroll");
      let last = -1;
      let still = 0;
      while (still < 40) {
        scroll.scrollTop += 4000;
        await new Promise((resolve) => setTimeout(resolve, 50));
        still = scroll.scrollHeight === last && scroll.scrollTop + scroll.clientHeight >= scroll.scrollHeight - 2 ? still + 1 : 0;
        last = scroll.scrollHeight;
      }
      return Math.round(scroll.scrollHeight / 56);
    })()`,
  );
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const row = await rowOf(tasks, "list of runs, scrolled to its end", shown, `${seconds} s`);
  await page.context().close();
  return row;
}

async function longConversation(): Promise<Row> {
  const session = await fillConversation(platform, MESSAGES);
  const { page, tasks } = await opened(`/sessions/${session}`);
  await page.getByText("You said").first().waitFor();
  await tasks.start();
  await page.mouse.move(800, 500);
  for (let i = 0; i < 60; i++) {
    await page.mouse.wheel(0, 1500);
    await page.waitForTimeout(50);
  }
  const row = await rowOf(tasks, "conversation, scrolled", MESSAGES);
  await page.context().close();
  return row;
}

async function longStream(): Promise<Row> {
  const { page, tasks } = await opened("/playground/agent/assistant");
  const message = page.getByRole("textbox", { name: "Message" });
  await message.fill(`[[tokens:${TOKENS}]]`);
  await tasks.start();
  await message.press("Enter");
  await page.getByRole("button", { name: /stop/i }).waitFor();
  await page.getByRole("button", { name: /stop/i }).waitFor({ state: "hidden", timeout: 300_000 });
  const row = await rowOf(tasks, "stream of tokens", TOKENS);
  await page.context().close();
  return row;
}

/** Opens the page of a long run, by its address and from the list, and goes through its steps. */
async function longRun(): Promise<Row[]> {
  const path = await longRunOf(platform, STEPS);
  const { page, tasks } = await opened("/runs");
  await page.locator(".list-scroll").waitFor();
  await tasks.start();
  const within = await page.evaluate(shownAfter(path));
  const fromList = await rowOf(tasks, "run of many steps, from the list", STEPS, `shown after ${within} ms`);
  await tasks.start();
  await page.getByRole("tree", { name: "Steps" }).focus();
  for (let i = 0; i < 100; i++) await page.keyboard.press("ArrowDown");
  const through = await rowOf(tasks, "its steps, one after the other", 100);
  await page.context().close();
  const cold = await opened(path);
  const loaded = await cold.page.evaluate(shownAfter());
  await cold.page.context().close();
  return [
    ["run of many steps, by its address", String(STEPS), "", "", `shown after ${loaded} ms`],
    fromList,
    through,
  ];
}

/** Milliseconds from now, or else from the beginning of the load, until the steps and the conversation are painted. */
function shownAfter(path?: string): string {
  const go = `history.pushState(null, "", "/console${path}"); dispatchEvent(new PopStateEvent("popstate"));`;
  return `new Promise((resolve) => {
    const from = ${path === undefined ? "0" : "performance.now()"};
    const isShown = () => document.querySelectorAll(".span-row").length > 5 && document.querySelector(".detail-pane")?.textContent;
    const look = () => requestAnimationFrame(() => isShown() ? setTimeout(() => resolve(Math.round(performance.now() - from))) : look());
    ${path === undefined ? "" : go}
    look();
  })`;
}

async function rowOf(tasks: WatchedTasks, what: string, of: number, note = ""): Promise<Row> {
  const took = await tasks.stop();
  return [
    what,
    of.toLocaleString("en"),
    String(took.filter((ms) => ms > 50).length),
    (took[0] ?? 0).toFixed(0),
    note,
  ];
}
