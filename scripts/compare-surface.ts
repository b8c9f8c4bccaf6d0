/**
 * Compares what the working tree shows to the outside with what a revision shows: synthesized templates, the description
 * of the interface, generated files, answers, events and everything that is stored. For changes that must not show.
 *
 *   npm run compare -- main                      everything
 *   npm run compare -- main --only templates     one part: templates, documents or platform
 *   npm run compare -- main --keep <folder>      leaves the records in a folder, as before/ and after/
 *   npm run compare -- main --before <folder>    takes the revision's records from there; of the same day, please
 *
 * Ends with code 1 where anything differs. What is not compared because it never is the same twice is listed in
 * `compare/stand-ins.ts` and `compare/plain-template.ts`.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { table } from "../build/table.ts";
import { compareRecords, showDifference } from "./compare/differences.ts";
import { makeSideOfRevision, makeSideOfWorkingTree } from "./compare/make-side.ts";
import { recordDocuments } from "./compare/record-documents.ts";
import { recordPlatform } from "./compare/record-platform.ts";
import { recordTemplates } from "./compare/record-templates.ts";
import { runOrThrow } from "./compare/run-command.ts";

const root = join(import.meta.dirname, "..");
/** Of a group; the others are only named. */
const SHOWN_FILES = 2;

type Part = (folder: string, output: string, dataDir: string) => Promise<void>;
const parts: Readonly<Record<string, Part>> = {
  templates: (folder, output) => recordTemplates(folder, output),
  documents: recordDocuments,
  platform: (folder, output, dataDir) => recordPlatform(folder, dataDir, output),
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string", multiple: true },
    keep: { type: "string" },
    before: { type: "string" },
  },
});
const [revision] = positionals;
const wanted = values.only ?? Object.keys(parts);
const unknown = wanted.filter((name) => !(name in parts));
if (revision === undefined || positionals.length > 1 || unknown.length > 0) {
  console.error(
    `npm run compare -- <git revision> [--only ${Object.keys(parts).join("|")}] [--keep <folder>] [--before <folder>]`,
  );
  process.exit(2);
}

const temporary = mkdtempSync(join(tmpdir(), "agent-platform-compare-"));
process.once("exit", () => rmSync(temporary, { recursive: true, force: true, maxRetries: 5 }));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
process.exitCode = (await compare(revision)) ? 0 : 1;

/** @returns whether nothing differs */
async function compare(revision: string): Promise<boolean> {
  await runOrThrow(root, "git", ["rev-parse", "--verify", "--quiet", `${revision}^{commit}`]);
  const before =
    values.before === undefined
      ? await recordSide("before", (folder) => makeSideOfRevision(root, revision, folder))
      : join(values.before, "before");
  const after = await recordSide("after", (folder) => makeSideOfWorkingTree(root, folder));
  if (values.keep !== undefined) cpSync(join(temporary, "records"), values.keep, { recursive: true });
  return report(before, after);
}

/** Makes a side, records it and removes it. @returns the folder of its records */
async function recordSide(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(temporary, name);
  const records = join(temporary, "records", name);
  mkdirSync(records, { recursive: true });
  await timed(`${name}: sources and bundles`, async () => {
    await make(folder);
    await runOrThrow(folder, "npm", ["run", "--silent", "build"]);
  });
  for (const part of wanted) {
    await timed(`${name}: ${part}`, async () => {
      await parts[part]?.(folder, records, join(temporary, `${name}-data`));
    });
  }
  rmSync(folder, { recursive: true, force: true });
  return records;
}

async function timed(what: string, work: () => Promise<void>): Promise<void> {
  const startedAt = performance.now();
  await work();
  console.log(`${what} (${((performance.now() - startedAt) / 1000).toFixed(0)} s)`);
}

async function report(before: string, after: string): Promise<boolean> {
  const groups = compareRecords(before, after);
  const rows = groups.map(({ name, files, differing }) => [name, String(files), String(differing.length)]);
  console.log(`\n${table(["group", "files", "differ"], rows)}`);
  for (const { differing } of groups) {
    for (const file of differing.slice(0, SHOWN_FILES)) {
      console.log(`\n${await showDifference(before, after, file)}`);
    }
    for (const file of differing.slice(SHOWN_FILES)) console.log(`differs too: ${file}`);
  }
  const count = groups.reduce((sum, { differing }) => sum + differing.length, 0);
  console.log(count === 0 ? "\nnothing differs" : `\n${count} files differ`);
  return count === 0;
}
