import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import type { Kit, KitRun } from "./kit.ts";
import { STREAM_TIMEOUT_SECONDS } from "./steering.ts";

export type KitResult = {
  readonly passed: number;
  readonly skipped: number;
  /** Why tests were skipped, in the kit's words, with how many. */
  readonly skips: readonly { readonly count: number; readonly why: string }[];
  /** pytest's ids of the tests, with its message for each. */
  readonly failed: readonly { readonly id: string; readonly why: string }[];
  /** Failed tests of requirements that are recommendations only. */
  readonly notFollowed: number;
};

/** @throws Error with pytest's output, where it could not run the kit */
export async function runKit({ python, folder }: Kit, { args }: KitRun, url: string): Promise<KitResult> {
  const options = ["-m", "pytest", "-q", "-rfEs", "--tb=no", "-p", "no:cacheprovider", ...args(url)];
  const child = spawn(python, options, {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, TCK_STREAMING_TIMEOUT: String(STREAM_TIMEOUT_SECONDS), COLUMNS: "300" },
  });
  const ended = once(child, "close");
  const output = await text(child.stdout);
  const [code] = await ended;
  const result = resultIn(output);
  if (!result || code > 1) throw new Error(`${python} ended with ${code}:\n${output}`);
  return result;
}

/**
 * Parses the summary at the end of pytest's output, and not the kit's own report, which has headings that look like its lines
 * (`FAILED REQUIREMENTS:`) and percentages.
 *
 * @returns undefined where no test was run
 */
export function resultIn(output: string): KitResult | undefined {
  const lines = output.trimEnd().split("\n");
  const summary = lines.findLast((line) => COUNTS.test(line));
  if (summary === undefined) return undefined;
  const count = (word: string): number => Number(new RegExp(`(\\d+) ${word}`).exec(summary)?.[1] ?? 0);
  return {
    passed: count("passed"),
    skipped: count("skipped"),
    skips: skipsIn(lines),
    notFollowed: count("xfailed"),
    failed: lines.flatMap((line) => {
      const [, id, why = ""] = FAILED.exec(line) ?? [];
      return id === undefined ? [] : [{ id, why }];
    }),
  };
}

/** The last line: `2 failed, 151 passed, 80 skipped in 46.65s`, between `=` where pytest is not quiet. */
const COUNTS = /^(?:=+ )?(?:\d+ [a-z]+, )*\d+ (?:passed|failed)\b.* in [\d.]+s/;
/** A test's id names a file of Python, and may end with its parameters, which may hold anything. */
const FAILED = /^(?:FAILED|ERROR) ([^\s[]+\.py[^\s[]*(?:\[.*?\])?)(?: - (.*))?$/;
const SKIPPED = /^SKIPPED \[(\d+)\] \S+: (?:Skipped: )?(.*)$/;

function skipsIn(lines: readonly string[]): KitResult["skips"] {
  const counts = new Map<string, number>();
  for (const line of lines) {
    const [, count, why = ""] = SKIPPED.exec(line) ?? [];
    if (count !== undefined) counts.set(why, (counts.get(why) ?? 0) + Number(count));
  }
  return [...counts].map(([why, count]) => ({ count, why })).sort((a, b) => b.count - a.count);
}
