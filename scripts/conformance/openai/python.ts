import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { cache, once } from "../installed.ts";

const OPENAI = "3.57.0";
const folder = join(cache, `openai-${OPENAI}`);
const run = promisify(execFile);

/** What the client does with a platform; its address and key are in the environment. */
export const clientScript = join(import.meta.dirname, "client.py");

/** Whether it can be run without installing anything. */
export const isInstalled = (): boolean => existsSync(join(folder, "installed"));

/**
 * Python with OpenAI's client, in an environment that the first call makes; needs Python 3.10 or newer (`PYTHON`, otherwise
 * `python3`) and PyPI.
 *
 * @returns its path
 * @throws Error with the output of venv or pip
 */
export async function pythonWithOpenai(): Promise<string> {
  const path = join(folder, "bin/python");
  await once(folder, async () => {
    await run(process.env.PYTHON || "python3", ["-m", "venv", folder]);
    await run(path, ["-m", "pip", "install", "--quiet", `openai==${OPENAI}`]);
  });
  return path;
}
