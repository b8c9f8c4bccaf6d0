import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

export const commandLine = join(import.meta.dirname, "../../package/cli/main.ts");

export type Ended = { readonly code: number; readonly out: string; readonly err: string };

/** Runs a script of Node in a folder, to its end. @param env  over this process's variables */
export async function runNode(args: readonly string[], cwd: string, env = {}): Promise<Ended> {
  try {
    const options = { cwd, env: { ...process.env, ...env } };
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, options);
    return { code: 0, out: stdout, err: stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, out: stdout, err: stderr };
  }
}

/** Runs the command line in a folder, to its end. @param env  over this process's variables */
export const runCommand = (args: readonly string[], cwd: string, env = {}): Promise<Ended> =>
  runNode([commandLine, ...args], cwd, env);
