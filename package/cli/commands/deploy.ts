import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { readProject, settingsOf } from "../../config/read-project.ts";

type Stage = { readonly stage: string };

/** Deploys a stage, or makes its templates. Ends as the CDK ends. */
export async function deploy({ stage, synth }: Stage & { readonly synth?: true }, more: readonly string[]) {
  settingsOf(await readProject(), stage);
  const command = synth ? ["synth", "--quiet"] : ["deploy", "--all", "--require-approval", "broadening"];
  await cdk([...command, "-c", `stage=${stage}`, ...more]);
}

/** Removes a stage. The CDK asks before it does; what holds data is retained or kept from deletion on all stages but dev. */
export async function destroy({ stage, data }: Stage & { readonly data?: true }, more: readonly string[]) {
  settingsOf(await readProject(), stage);
  const stacks = data ? ["--all"] : ["AgentPlatform/Service"];
  await cdk(["destroy", ...stacks, "-c", `stage=${stage}`, ...more]);
}

async function cdk(args: readonly string[]): Promise<void> {
  const command = createRequire(import.meta.url).resolve("aws-cdk/bin/cdk");
  const child = spawn(process.execPath, [command, ...args, "--no-notices"], { stdio: "inherit" });
  const [code] = await once(child, "exit");
  process.exitCode = code ?? 1;
}
