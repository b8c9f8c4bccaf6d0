import { type StdioOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";

export type CdkOptions = {
  /** Whether its output is kept back, and shown only where it fails. */
  readonly quiet?: boolean;
  /** Whether its output goes beside that of this process, which programs read. */
  readonly beside?: boolean;
  /** Further variables of its environment. */
  readonly environment?: Readonly<Record<string, string>>;
};

/** Runs the CDK's command line in this folder. @returns its exit code */
export async function runCdk(
  args: readonly string[],
  { quiet = false, beside = false, environment = {} }: CdkOptions = {},
): Promise<number> {
  const command = createRequire(import.meta.url).resolve("aws-cdk/bin/cdk");
  const stdio: StdioOptions = quiet ? ["ignore", "pipe", "pipe"] : ["inherit", beside ? 2 : 1, 2];
  const env = { ...process.env, ...environment };
  const child = spawn(process.execPath, [command, ...args, "--no-notices"], { stdio, env });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => output.push(chunk));
  const [code] = await once(child, "close");
  if (code !== 0) process.stderr.write(Buffer.concat(output));
  return code ?? 1;
}
