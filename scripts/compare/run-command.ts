import { spawn } from "node:child_process";
import { plainEnvironment } from "./plain-environment.ts";

export type Finished = { readonly code: number | null; readonly output: string };

/** Runs a program in the folder of a side and waits for its exit. */
export function runCommand(
  folder: string,
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: folder,
      env: plainEnvironment(folder, env),
      stdio: ["ignore", "pipe", "pipe"],
    });
    const output: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => output.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => output.push(chunk));
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, output: Buffer.concat(output).toString() }));
  });
}

/** @throws Error with the program's output when it fails */
export async function runOrThrow(
  folder: string,
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { code, output } = await runCommand(folder, command, args, env);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with code ${code}:\n${output}`);
  return output;
}
