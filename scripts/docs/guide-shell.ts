import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { plainEnvironment } from "../compare/plain-environment.ts";
import type { Answer } from "./answers.ts";

/** Runs commands as a reader's shell does: variables that one sets are there for the next. */
export type GuideShell = {
  /** @throws Error with what the command wrote to its standard error when it fails */
  readonly run: (command: string) => Promise<Answer>;
  /** The value of a variable that a command has set. */
  readonly variable: (name: string) => string | undefined;
};

/** Variables that the guides set. */
const VARIABLES = ["API", "ADMIN", "TOKEN"];
const WITHIN_MS = 300_000;

/** curl writes what it received, in a form that no guide's output has, beside the answer. */
const CURL = `curl() { command curl -w '%{stderr}@@%{http_code} %{content_type}@@' "$@"; }`;

/**
 * @param folder   where the commands are run
 * @param env      settings that a reader would have in the environment
 * @param scratch  a folder for what the shell keeps between two commands
 */
export function guideShell(
  folder: string,
  env: Readonly<Record<string, string>>,
  scratch: string,
): GuideShell {
  const kept = join(scratch, "variables.sh");
  const keep = `declare -p ${VARIABLES.join(" ")} > ${quoted(kept)} 2>/dev/null`;
  const before = `set -o pipefail; ${CURL}; [ -e ${quoted(kept)} ] && . ${quoted(kept)}`;
  return {
    run: async (command) => {
      const script = `${before}\n${command}\ncode=$?\n${keep}\nexit $code`;
      const { code, stdout, stderr } = await runBash(script, folder, env);
      if (code !== 0) throw new Error(`ended with ${code}: ${stderr || stdout}`);
      const received = [...stderr.matchAll(/@@(\d{3}) ([^@]*)@@/g)].at(-1);
      return {
        output: stdout,
        status: received && Number(received[1]),
        contentType: received?.[2] ?? "",
      };
    },
    variable: (name) => {
      if (!existsSync(kept)) return undefined;
      return new RegExp(`^declare -- ${name}="(.*)"$`, "m").exec(readFileSync(kept, "utf8"))?.[1];
    },
  };
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function runBash(
  script: string,
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn("bash", ["-c", script], {
      cwd: folder,
      env: plainEnvironment(folder, env),
      stdio: ["ignore", "pipe", "pipe"],
      timeout: WITHIN_MS,
    });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    child.stderr.on("data", (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, stdout, stderr }));
  });
}
