import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { BUNDLED_LATER } from "../../lib/functions/function-code.ts";
import { awsPlace, regionOfEnvironment } from "./aws-place.ts";
import { describeRemoval } from "./describe-removal.ts";
import { readAssembly } from "./read-assembly.ts";
import { removalPlan } from "./removal-plan.ts";
import { runCdk } from "./run-cdk.ts";

export type Removal = {
  readonly stage: string;
  /** Also the stacks with data and users. */
  readonly data?: boolean | undefined;
  /** Says what would happen, and asks neither anybody nor AWS. */
  readonly dryRun?: boolean | undefined;
  /** Does not ask. */
  readonly yes?: boolean | undefined;
  /** Name of a profile of the AWS configuration. */
  readonly profile?: string | undefined;
  /** Another registry than the project's own: that with which the stage was deployed. */
  readonly registry?: string | undefined;
  /** Settings, each as `name=value`: those with which the stage was deployed. */
  readonly context?: readonly string[] | undefined;
};

/** Nothing of the functions' code is needed to remove them, so it is neither bundled nor copied. */
const WITHOUT_CODE = ["--no-staging", "-c", `${BUNDLED_LATER}=true`];

const flags = (flag: string, values: readonly (string | undefined)[]): string[] =>
  values.flatMap((value) => (value === undefined ? [] : [flag, value]));

/**
 * Removes a stage: says what goes and what stays, has the name of the stage typed, and gives the CDK the stacks.
 *
 * @returns the exit code: that of the CDK; 1 where the name was not typed
 */
export async function removeStage(removal: Removal): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "agent-platform-removal-"));
  try {
    return await removeFrom(folder, removal);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function removeFrom(folder: string, removal: Removal): Promise<number> {
  const { stage, data = false, dryRun = false, yes = false, profile, registry, context = [] } = removal;
  const settings = flags("-c", [...context, `stage=${stage}`]);
  const app = flags("--app", [
    registry && `node bin/agent-platform.ts --registry ${JSON.stringify(registry)}`,
  ]);
  const synthesized = await runCdk(
    ["synth", "--quiet", ...WITHOUT_CODE, "--output", folder, ...app, ...settings],
    {
      quiet: true,
      // Rules for what is deployed; they take seconds, and none may keep a stage from being removed.
      environment: { CDK_VALIDATION: "false" },
    },
  );
  if (synthesized !== 0) return synthesized;
  const plan = removalPlan(readAssembly(folder), data);
  const place = dryRun
    ? { account: undefined, region: regionOfEnvironment() }
    : await awsPlace(flags("--profile", [profile]));
  console.log(describeRemoval({ stage, ...place }, plan).join("\n"));
  const ids = plan.removed.map(({ id }) => id);
  if (dryRun) {
    console.log(
      `\nNothing is removed: this is a dry run. It would be: cdk destroy ${ids.join(" ")} -c stage=${stage}`,
    );
    return 0;
  }
  if (!yes && (await typed(`\nType the name of the stage to remove it: `)) !== stage) {
    console.error("That is not its name. Nothing was removed.");
    return 1;
  }
  // From the same templates, so that nothing else is removed than what was described.
  return runCdk(["destroy", ...ids, "--app", folder, "--force", ...flags("--profile", [profile])]);
}

/** A line of the input; empty where there is none. */
function typed(question: string): Promise<string> {
  const input = createInterface({ input: process.stdin, output: process.stdout });
  return new Promise((resolve) => {
    input.once("close", () => resolve(""));
    input.question(question, (answer) => {
      resolve(answer.trim());
      input.close();
    });
  });
}
