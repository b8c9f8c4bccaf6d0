import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import type { Kit } from "./kit.ts";
import { STREAM_TIMEOUT_SECONDS } from "./steering.ts";

export type KitResult = {
  readonly passed: number;
  readonly skipped: number;
  /** pytest's ids of the tests, with its message for each. */
  readonly failed: readonly { readonly id: string; readonly why: string }[];
  /** Failed tests of requirements that are recommendations only. */
  readonly notFollowed: number;
};

/** @throws Error with pytest's output, where it could not run the kit */
export async function runKit({ python, folder, args }: Kit, url: string): Promise<KitResult> {
  const options = ["-m", "pytest", "-q", "-rfE", "--tb=no", "-p", "no:cacheprovider", ...args(url)];
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

/** Parses the summary at the end of pytest's output; undefined where no test was run. */
export function resultIn(output: string): KitResult | undefined {
  const summary = output
    .trimEnd()
    .split("\n")
    .findLast((line) => /\d+ (passed|failed)/.test(line));
  if (summary === undefined) return undefined;
  const count = (word: string): number => Number(new RegExp(`(\\d+) ${word}`).exec(summary)?.[1] ?? 0);
  const failed = [...output.matchAll(/^(?:FAILED|ERROR) (\S+)(?: - (.*))?$/gm)];
  return {
    passed: count("passed"),
    skipped: count("skipped"),
    notFollowed: count("xfailed"),
    failed: failed.map(([, id = "", why = ""]) => ({ id, why })),
  };
}
