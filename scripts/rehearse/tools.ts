import { execFile } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const MOTO = "moto[server]==5.2.5";
const RUNTIME_CLIENT = "aws-lambda-ric@4.0.2";
const cache = join(import.meta.dirname, "../../node_modules/.cache/agent-platform/rehearse");
const run = promisify(execFile);

/**
 * Python with the imitation of AWS, in an environment that the first call makes; needs Python 3.10 or newer (`PYTHON`,
 * otherwise `python3`) and PyPI.
 *
 * @returns path of the environment's Python
 * @throws Error with the output of venv or pip
 */
export const pythonWithMoto = (): Promise<string> =>
  installed("moto-5.2.5", "bin/python", async (folder) => {
    await run(process.env.PYTHON || "python3", ["-m", "venv", folder]);
    const python = join(folder, "bin/python");
    await run(python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", MOTO]);
  });

/**
 * AWS's own client of the runtime interface, which loads functions on Lambda. Its installation compiles it, with a C++
 * compiler, CMake and autotools, for a minute.
 *
 * @returns path of its module
 * @throws Error with the output of npm
 */
export const runtimeClient = (): Promise<string> =>
  installed("ric-4.0.2", "node_modules/aws-lambda-ric/index.mjs", async (folder) => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), "{}");
    // npm passes the settings of the npm that runs it, and the project's own forbid the script that compiles the client.
    const allowed = ["--ignore-scripts=false", "--no-audit", "--no-fund"];
    await run("npm", ["install", ...allowed, RUNTIME_CLIENT], { cwd: folder });
  });

/** Whether an earlier rehearsal has installed both, so that one starts at once. */
export const isInstalled = (): boolean =>
  ["moto-5.2.5", "ric-4.0.2"].every((name) => existsSync(join(cache, name, "installed")));

/** Makes a folder once; the file that is written last marks a finished one. */
async function installed(
  name: string,
  result: string,
  install: (folder: string) => Promise<void>,
): Promise<string> {
  const folder = join(cache, name);
  const done = join(folder, "installed");
  if (!existsSync(done)) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(cache, { recursive: true });
    await install(folder);
    writeFileSync(done, name);
  }
  return join(folder, result);
}
