import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { sourceRoots } from "../imports/source-imports.ts";

/** Lines of the sources that stand twice. Lower it when fewer do. */
const MOST_DUPLICATED_LINES = 458;

const MIN_LINES = 6;
const MIN_TOKENS = 50;

type Place = { readonly name: string; readonly start: number; readonly end: number };
type Report = {
  readonly duplicates: readonly {
    readonly lines: number;
    readonly firstFile: Place;
    readonly secondFile: Place;
  }[];
  readonly statistics: { readonly total: { readonly duplicatedLines: number } };
};

/**
 * More duplicated lines than there were, with the places of all.
 *
 * @returns undefined where the detector has no program for this machine
 */
export async function checkDuplication(root: string): Promise<string[] | undefined> {
  const output = mkdtempSync(join(tmpdir(), "agent-platform-duplication-"));
  try {
    return (await detect(root, output)) ? judgeDuplication(root, readReport(output)) : undefined;
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
}

/** @returns false where there is no program for this machine @throws Error when the detector fails */
async function detect(root: string, output: string): Promise<boolean> {
  const options = {
    "min-lines": MIN_LINES,
    "min-tokens": MIN_TOKENS,
    format: "typescript,tsx",
    // Generated from the route table.
    ignore: "client/operations.ts",
    reporters: "json",
    output,
  };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const program = join(root, "node_modules/jscpd-linux-x64-gnu/bin/jscpd");
  if (!existsSync(program)) return false;
  const child = spawn(program, ["--no-tips", "--absolute", ...args, ...sourceRoots], {
    cwd: root,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const written: Buffer[] = [];
  child.stderr.on("data", (chunk: Buffer) => written.push(chunk));
  const [code] = await once(child, "close");
  if (code === 0) return true;
  throw new Error(`jscpd ended with ${code}: ${Buffer.concat(written)}`);
}

const readReport = (folder: string): Report =>
  JSON.parse(readFileSync(join(folder, "jscpd-report.json"), "utf8"));

export function judgeDuplication(
  root: string,
  { duplicates, statistics }: Report,
  most: number = MOST_DUPLICATED_LINES,
): string[] {
  const { duplicatedLines } = statistics.total;
  if (duplicatedLines <= most) return [];
  return [
    `${duplicatedLines} lines stand twice, at most ${most} may:`,
    ...duplicates
      .toSorted((a, b) => b.lines - a.lines)
      .map(({ firstFile, secondFile }) => `  ${placeOf(root, firstFile)} and ${placeOf(root, secondFile)}`),
  ];
}

const placeOf = (root: string, { name, start, end }: Place): string =>
  `${relative(root, name)}:${start}-${end}`;

if (import.meta.main) {
  const faults = await checkDuplication(join(import.meta.dirname, "../.."));
  for (const line of faults ?? []) console.error(line);
  process.exitCode = faults && faults.length > 0 ? 1 : 0;
}
