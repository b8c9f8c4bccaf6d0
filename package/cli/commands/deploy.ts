import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeStage, runCdk } from "../../../build/removal/index.ts";
import { readProject, settingsOf } from "../../config/read-project.ts";
import { connectAws } from "../../doctor/aws/aws-api.ts";
import { UsageError } from "../usage-error.ts";

type Stage = { readonly stage: string };
type Deployed = Stage & { readonly synth?: true; readonly json?: true };

/** Deploys a stage, or makes its templates. Ends as the CDK ends. */
export async function deploy({ stage, synth, json }: Deployed, more: readonly string[]) {
  const settings = settingsOf(await readProject(), stage);
  const beside = json === true;
  const stacks = stacksOf(stage, settings.userPool);
  const names = stacks.map((one) => one.split(" ")[0]);
  const say = (text: string): void => (beside ? console.error(text) : console.log(text));
  if (synth) {
    process.exitCode = await runCdk(["synth", "--quiet", "-c", `stage=${stage}`, ...more], { beside });
    if (beside && process.exitCode === 0) console.log(JSON.stringify({ stage, stacks: names }, null, 2));
    return;
  }
  const place = await placeOf(more);
  say(
    `Stage ${stage} in account ${place.account}, ${place.region}: ${stacks.join(", then ")}. The first time takes about ten minutes.`,
  );
  const folder = mkdtempSync(join(tmpdir(), "agent-platform-outputs-"));
  try {
    const file = join(folder, "outputs.json");
    const isNamed = more.some((one) => one.startsWith("--outputs-file"));
    const written = isNamed ? [] : ["--outputs-file", file];
    process.exitCode = await runCdk([...deployArguments(stage, more), ...written], { beside });
    if (process.exitCode !== 0) return;
    const outputs = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
    if (beside) console.log(JSON.stringify({ stage, ...place, stacks: names, outputs }, null, 2));
    else console.log(`Deployed. npx agent-platform doctor --stage ${stage} examines it.`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Arguments of the CDK. Rights that grow are asked for, unless `more` says otherwise: without a terminal it cannot ask. */
export function deployArguments(stage: string, more: readonly string[]): readonly string[] {
  const isDecided = more.some((one) => /^--require-approval(=|$)/.test(one));
  const approval = isDecided ? [] : ["--require-approval", "broadening"];
  return ["deploy", "--all", ...approval, "--progress", "events", "-c", `stage=${stage}`, ...more];
}

/** The stacks of a stage, in the order in which they are deployed. */
export const stacksOf = (stage: string, userPool: unknown): readonly string[] => [
  `agent-platform-${stage}-data (what is stored)`,
  ...(String(userPool) === "true" ? [`agent-platform-${stage}-users (sign-in)`] : []),
  `agent-platform-${stage} (API, functions, queues)`,
];

/**
 * The account and the region, which are asked for before anything is built: templates take twenty seconds.
 *
 * @param more  arguments of the CDK, which may name a profile
 * @throws UsageError without usable credentials
 */
async function placeOf(
  more: readonly string[],
): Promise<{ readonly account: string | undefined; readonly region: string }> {
  const at = more.indexOf("--profile");
  const profile = at < 0 ? undefined : more[at + 1];
  if (profile !== undefined) process.env.AWS_PROFILE = profile;
  try {
    const aws = await connectAws({ now: Date.now });
    const identity = await aws.query("sts", "GetCallerIdentity");
    return { account: identity.text("Account"), region: aws.region };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(
      `AWS cannot be reached with your credentials: ${why}\nSign in (aws sso login, or AWS_PROFILE) and name a region (AWS_REGION), then try again.`,
    );
  }
}

type Destroyed = Stage & {
  readonly data?: true;
  readonly dryRun?: true;
  readonly yes?: true;
  readonly profile?: string;
  readonly context?: readonly string[];
};

/**
 * Removes a stage, after its name has been typed. Ends as the CDK ends.
 *
 * @throws UsageError without usable credentials, which a dry run needs none of
 */
export async function destroy(options: Destroyed) {
  const { stage, dryRun, profile } = options;
  settingsOf(await readProject(), stage);
  if (!dryRun) await placeOf(profile === undefined ? [] : ["--profile", profile]);
  process.exitCode = await removeStage(options);
}
