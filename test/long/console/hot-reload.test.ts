import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";

/** The platform as `npm run dev` runs it, with a page of its own that the test may edit. */
const project = join(import.meta.dirname, "../../..");
let sources: string;
let platform: TestPlatform;
const output: string[] = [];

const savePage = (word: string): void =>
  writeFileSync(join(sources, "console/main.tsx"), `document.title = "${word}";`);

beforeAll(async () => {
  const cache = join(project, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  sources = mkdtempSync(join(cache, "hot-reload-console-"));
  for (const name of [
    "package.json",
    "tsconfig.json",
    "functions/console",
    "shared/runtime",
    "shared/settings",
    "shared/schemas",
    "shared/routes/protocols",
    "shared/routes/console.ts",
    "shared/auth/identify/discovery.ts",
  ]) {
    mkdirSync(dirname(join(sources, name)), { recursive: true });
    cpSync(join(project, name), join(sources, name), { recursive: true });
  }
  for (const name of ["console", "client", "registry", "lib", "bin"]) mkdirSync(join(sources, name));
  savePage("first");
  platform = await startPlatform({ watch: { sources, reloaded: (line) => output.push(line) } });
});
afterAll(async () => {
  await platform.stop();
  rmSync(sources, { recursive: true, force: true });
});

/** Whether nothing was reloaded for a second. */
async function isQuiet(): Promise<boolean> {
  const before = output.length;
  await setTimeout(1_000);
  return before > 0 && output.length === before;
}

/** The script that the page names now. */
async function script(): Promise<string> {
  const page = await (await fetch(`${platform.url}/console`)).text();
  const [, name = ""] = /src="\/console\/files\/([^"]+)"/.exec(page) ?? [];
  return (await fetch(`${platform.url}/console/files/${name}`)).text();
}

test("an edited page is served without a restart, and one with a slip leaves the page as it was", async () => {
  await expect.poll(script).toContain("first");
  savePage("second");
  await expect.poll(script).toContain("second");
  // The start looks once more at what was saved meanwhile; that reload may have been the one that took the second page.
  await expect.poll(isQuiet).toBe(true);
  expect(output.join()).toMatch(/reloaded after \d+\.\d s: console/);
  const before = output.length;
  savePage('oops" + ;');
  await expect
    .poll(() => output.slice(before).join())
    .toMatch(/the code from before goes on: .*main\.tsx:1:/s);
  expect(await script()).toContain("second");
});
