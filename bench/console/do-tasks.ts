/**
 * Does 25 tasks of an operator in a browser, against a platform with some hundred runs, and counts what each takes from Home:
 * clicks, and fields that are typed into. `node bench/console/do-tasks.ts [runs] [task …]`. Needs Chromium.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { table } from "../../build/table.ts";
import { FURNISHED_ENV, furnish } from "../../test/console/support/furnish.ts";
import { openConsole } from "../../test/console/support/open-console.ts";
import { hasBrowser, launchBrowser } from "../../test/support/browser.ts";
import { startPlatform } from "../../test/support/platform.ts";
import { startReceiver } from "../../test/support/receiver.ts";
import { fillRuns } from "./fill.ts";
import { furnishTasks } from "./furnish-tasks.ts";
import { Operator } from "./operator.ts";
import { type FurnishedTasks, type Task, tasks } from "./tasks.ts";

const RUNS = Number(process.argv[2] ?? 300);
const only = new Set(process.argv.slice(3).map(Number));
/** A control that is not there by then is not there. */
const PATIENCE_MS = 20_000;

if (!hasBrowser) process.exit(1);
const dataDir = mkdtempSync(join(tmpdir(), "agent-platform-tasks-"));
const receiver = await startReceiver();
const platform = await startPlatform({
  dataDir,
  registry: join(import.meta.dirname, "registry.ts"),
  env: { ...FURNISHED_ENV, FETCH_ALLOWED_HOSTS: receiver.host },
});
const browser = await launchBrowser();
const say = (what: string) => console.error(`${Math.round(performance.now() / 1000)} s  ${what}`);
try {
  say("started");
  await fillRuns(platform, RUNS);
  const at = await furnish(platform);
  const made = { ...at, ...(await furnishTasks(platform, receiver)) };
  say("furnished");
  const rows: (readonly string[])[] = [];
  for (const { number, task, act } of tasks.filter((one) => only.size === 0 || only.has(one.number))) {
    rows.push(
      await done(number, task, act, made).catch((error) => [
        String(number),
        task,
        "not opened",
        "",
        "",
        String(error),
      ]),
    );
    say(rows.at(-1)?.join(" | ") ?? "");
  }
  const clicks = rows.flatMap(([, , , count]) => (count ? [Number(count)] : []));
  console.log(table(["", "task", "possible", "clicks", "typed", "where"], rows));
  console.log(`possible ${clicks.length} of ${rows.length}, median ${medianOf(clicks)} clicks`);
} finally {
  await browser.close();
  await receiver.stop();
  await platform.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

function medianOf(counts: readonly number[]): number {
  const sorted = counts.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[sorted.length / 2 - 1] ?? 0)) / 2;
}

/** Does one task, on a page of its own. */
async function done(
  number: number,
  task: string,
  act: Task["act"],
  at: FurnishedTasks,
): Promise<readonly string[]> {
  const { page } = await openConsole(browser, platform, { path: "/", width: 1440, height: 900 });
  page.setDefaultTimeout(PATIENCE_MS);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const operator = new Operator(page);
  try {
    await act(operator, at);
    return [String(number), task, "yes", String(operator.clicks), String(operator.typed), operator.path];
  } catch (error) {
    const [why = ""] = String(error).split("\n");
    return [String(number), task, "no", "", "", `${operator.path}; ${why}`];
  } finally {
    await page.context().close();
  }
}
