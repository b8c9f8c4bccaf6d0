/**
 * Lists, function by function, the grants that no function was seen to use, except those with a reason to stay.
 *
 *   npm run grants                       runs the whole suite, then reports (a quarter of an hour)
 *   npm run grants -- --record <folder>  reports on the record of `GRANTS_RECORD=<folder> npm test`
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { table } from "../build/table.ts";
import { grantsOf, shortName } from "./grants/granted.ts";
import { grantedFunctions } from "./grants/granted-functions.ts";
import { isJustified } from "./grants/is-justified.ts";
import { readRecord, unusedGrants } from "./grants/used.ts";

const root = join(import.meta.dirname, "..");

const { values } = parseArgs({ options: { record: { type: "string" } } });
if (values.record !== undefined) await report(values.record);
else {
  const folder = mkdtempSync(join(tmpdir(), "agent-platform-grants-"));
  try {
    await runTests(folder);
    await report(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function report(folder: string): Promise<void> {
  const functions = await grantedFunctions();
  const granted = grantsOf(functions);
  const unused = unusedGrants(granted, readRecord(folder, functions));
  const unexplained = unused.filter((grant) => !isJustified(grant));
  const rows = unexplained.map(({ bundle, action, resource }) => [bundle, action, shortName(resource)]);
  if (rows.length > 0) console.log(table(["function", "action", "resource"], rows));
  console.log(
    `${granted.length} grants, ${granted.length - unused.length} seen used, ` +
      `${unused.length - unexplained.length} with a reason to stay, ${unexplained.length} unexplained`,
  );
  if (unexplained.length > 0) process.exitCode = 1;
}

/** The record includes the calls of failing tests; the suite itself reports failures. */
function runTests(folder: string): Promise<void> {
  const vitest = join(root, "node_modules", ".bin", "vitest");
  const child = spawn(vitest, ["run"], {
    cwd: root,
    env: { ...process.env, GRANTS_RECORD: folder },
    stdio: "inherit",
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", () => resolve());
  });
}
