import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { settingsDoc, settingsDocFile } from "../../scripts/settings-doc.ts";
import { DEFAULT_ORIGINS } from "../../shared/http/cors.ts";

test("the settings page is what the tables say; `node scripts/settings-doc.ts` writes it anew", () => {
  expect(readFileSync(settingsDocFile, "utf8")).toBe(settingsDoc());
});

test("the page shows every default as the text that one would write", () => {
  const page = settingsDoc();
  expect(page).not.toContain("[object");
  expect(page).not.toContain("| `` |");
});

test("the guide names the origins that browsers may call from by default", () => {
  const row = settingsDoc()
    .split("\n")
    .find((line) => line.startsWith("| `corsAllowedOrigins`"));
  for (const origin of DEFAULT_ORIGINS) expect(row).toContain(`\`${origin}\``);
});

test.each([
  ["MAX_ATTEMPTS", "whole, from 1"],
  ["RETRY_BASE_DELAY_SECONDS", "from 0 to 90"],
  ["WORKER_CONCURRENCY", "whole, from 2 to 20000"],
  ["LOCK_GRACE_SECONDS", "from 3"],
])("the bounds of %s are those that its schema refuses beyond", (name, bounds) => {
  const row = settingsDoc()
    .split("\n")
    .find((line) => line.startsWith(`| \`${name}\``));
  expect(row).toContain(`| ${bounds} |`);
});
