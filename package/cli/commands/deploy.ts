import { removeStage, runCdk } from "../../../build/removal/index.ts";
import { readProject, settingsOf } from "../../config/read-project.ts";

type Stage = { readonly stage: string };

/** Deploys a stage, or makes its templates. Ends as the CDK ends. */
export async function deploy({ stage, synth }: Stage & { readonly synth?: true }, more: readonly string[]) {
  settingsOf(await readProject(), stage);
  const command = synth ? ["synth", "--quiet"] : ["deploy", "--all", "--require-approval", "broadening"];
  process.exitCode = await runCdk([...command, "-c", `stage=${stage}`, ...more]);
}

type Destroyed = Stage & {
  readonly data?: true;
  readonly dryRun?: true;
  readonly yes?: true;
  readonly profile?: string;
  readonly context?: readonly string[];
};

/** Removes a stage, after its name has been typed. Ends as the CDK ends. */
export async function destroy(options: Destroyed) {
  settingsOf(await readProject(), options.stage);
  process.exitCode = await removeStage(options);
}
