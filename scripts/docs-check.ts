/**
 * Does what README and the guides instruct their reader to do, in order, in a copy of the project with a fresh platform: `npm
 * run docs:check`, or only some: `npm run docs:check -- docs/guide/runs.md`. README comes first always: it starts the
 * platform and sets the variables that the guides use.
 *
 * Commands of `sh` and `bash` blocks are run, and what their comments claim is compared with the answers where that is
 * possible. TypeScript blocks are written and type-checked. Exits with an error when a command fails, is answered with an
 * error, or a claim is wrong.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { table } from "../build/table.ts";
import { freePort } from "../local/machine/free-port.ts";
import { makeSideOfWorkingTree } from "./compare/make-side.ts";
import { runCommand } from "./compare/run-command.ts";
import { guidePlatform } from "./docs/guide-platform.ts";
import { guideShell } from "./docs/guide-shell.ts";
import { stepsIn } from "./docs/guide-steps.ts";
import { guideWalk, type WalkedGuide } from "./docs/walk-guide.ts";

const root = join(import.meta.dirname, "..");
const all = readdirSync(join(root, "docs/guide"))
  .filter((file) => file.endsWith(".md"))
  .map((file) => `docs/guide/${file}`);
const asked = process.argv.slice(2);
const guides = ["README.md", ...(asked.length > 0 ? asked.filter((file) => file !== "README.md") : all)];

const scratch = mkdtempSync(join(tmpdir(), "agent-platform-docs-"));
const copy = join(scratch, "project");
mkdirSync(copy);
console.log("copying the project");
await makeSideOfWorkingTree(root, copy);
// The guides name the port of `npm start`, which may be taken here.
const port = await freePort();
const env = { PORT: String(port) };
const platform = guidePlatform(copy, env);
const walk = guideWalk({ copy, platform, shell: guideShell(copy, env, scratch), port });
try {
  const walked: WalkedGuide[] = [];
  for (const file of guides) {
    const steps = stepsIn(readFileSync(join(copy, file), "utf8"));
    const guide = await walk(basename(file, ".md"), steps);
    walked.push(guide);
    for (const problem of guide.problems) console.log(`FAILED ${file}:${problem}`);
    for (const { line, text, reason } of guide.leftOut)
      console.log(`left out: ${file}:${line}: ${text} (${reason})`);
    for (const { line, text } of guide.unchecked) console.log(`not checked: ${file}:${line}: ${text}`);
  }
  const types = await runCommand(copy, "tsc", ["--noEmit", "-p", "."]);
  if (types.code !== 0) console.log(`FAILED TypeScript blocks:\n${types.output}`);
  console.log(`\n${totals(walked)}`);
  const failed = types.code !== 0 || walked.some(({ problems }) => problems.length > 0);
  process.exitCode = failed ? 1 : 0;
} finally {
  await platform.stop();
  rmSync(scratch, { recursive: true, force: true });
}

function totals(walked: readonly WalkedGuide[]): string {
  const rows = walked.map((one, at) => [
    guides[at] ?? "",
    ...[one.run, one.claims, one.unchecked.length, one.sources, one.leftOut.length, one.problems.length].map(
      String,
    ),
  ]);
  const head = ["file", "lines run", "claims checked", "not checked", "blocks typed", "left out", "failed"];
  return table(head, rows);
}
