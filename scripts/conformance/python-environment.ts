import { execFile } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const cache = join(import.meta.dirname, "../../node_modules/.cache/agent-platform/conformance");

/**
 * The Python of a virtual environment that holds a version of the package `agno`; made on the first call, which needs
 * Python 3.10 or newer (`PYTHON`, otherwise `python3`) and PyPI. Its client imports packages of the extra `os`.
 *
 * @param extra  other packages, pinned
 * @returns path of the environment's Python
 * @throws Error with the output of pip or venv
 */
export async function pythonWith(version: string, extra: readonly string[] = []): Promise<string> {
  const folder = join(cache, [`agno-${version}`, ...extra].join("+"));
  const python = join(folder, "bin/python");
  // Written last, so that an installation that broke off is begun again.
  const done = join(folder, "installed");
  if (existsSync(done)) return python;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  await run(process.env.PYTHON || "python3", ["-m", "venv", folder]);
  await run(python, [
    "-m",
    "pip",
    "install",
    "--quiet",
    "--disable-pip-version-check",
    `agno[os]==${version}`,
    ...extra,
  ]);
  writeFileSync(done, version);
  return python;
}

async function run(command: string, words: readonly string[]): Promise<void> {
  await promisify(execFile)(command, words);
}
