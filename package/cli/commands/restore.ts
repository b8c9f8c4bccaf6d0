import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { LambdaClient } from "@aws-sdk/client-lambda";
import { S3Client } from "@aws-sdk/client-s3";
import { projectFiles, readProject, settingsOf } from "../../config/read-project.ts";
import { connectAws } from "../../doctor/aws/aws-api.ts";
import { RecoveryError } from "../../recovery/recovery-error.ts";
import { describeRestore, planRestore } from "../../recovery/restore-plan.ts";
import { giveUpRestore, type RestorePlace, restoreStage } from "../../recovery/restore-stage.ts";
import { leftByDefault, restoredTables } from "../../recovery/restored-tables.ts";
import { stageResources } from "../../recovery/stage-resources.ts";
import { openTerminal } from "../terminal/terminal.ts";
import { UsageError } from "../usage-error.ts";

export type RestoreAsked = {
  readonly stage: string;
  /** The instant, in ISO 8601. */
  readonly to?: string;
  readonly include?: readonly string[];
  readonly plan?: true;
  readonly giveUp?: true;
  readonly keepCopies?: true;
  readonly yes?: true;
  readonly json?: true;
  readonly profile?: string;
};

/** What a table did not take is sent again this often; the pauses grow. */
const MAX_ATTEMPTS = 10;

/** Takes a stage back to an instant, after its name has been typed. Ends with 1 where it cannot. */
export async function restore(asked: RestoreAsked): Promise<void> {
  const { stage, json, profile } = asked;
  if (profile !== undefined) process.env.AWS_PROFILE = profile;
  const options = {
    to: asked.giveUp ? new Date(0) : instantOf(asked.to),
    tables: restoredTables(included(asked.include)),
    keepCopies: asked.keepCopies,
  };
  const isVectorBucketKept = await keepsVectorBucket(stage);
  const say = (line: string): void => (json ? console.error(line) : console.log(line));
  try {
    const place = await connectPlace(stage, isVectorBucketKept, say);
    if (asked.giveUp) return await giveUp(place, json);
    const plan = await planRestore(place, options);
    if (!(json && asked.plan)) say(describeRestore(plan).join("\n"));
    if (asked.plan) {
      if (json) console.log(JSON.stringify(plan, null, 2));
      return;
    }
    if (!asked.yes && (await typedName(json)) !== stage)
      throw new RecoveryError("That is not its name. Nothing was restored.");
    const restored = await restoreStage(place, options);
    if (json) console.log(JSON.stringify({ ...plan, restored }, null, 2));
    else console.log(`Restored. npx agent-platform doctor --stage ${stage} examines it.`);
  } catch (error) {
    if (!(error instanceof RecoveryError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}

/**
 * Whether the stage took over a bucket of vectors, which is in no stack of its own then. A clone of the repository has no
 * config, and its settings are in `cdk.json`.
 */
async function keepsVectorBucket(stage: string): Promise<boolean> {
  const isProject = projectFiles.some((name) => existsSync(name));
  const settings = isProject ? settingsOf(await readProject(), stage) : {};
  return JSON.stringify(settings.retained ?? "").includes("vectors");
}

/** As the clients of AWS find them: by the environment, a profile or the shared files. */
async function connectPlace(
  stage: string,
  isVectorBucketKept: boolean,
  say: RestorePlace["say"],
): Promise<RestorePlace> {
  const aws = await connectAws({ now: Date.now }).catch((error: Error) => {
    throw new UsageError(
      `AWS cannot be reached with your credentials: ${error.message}\nSign in (aws sso login, or --profile) and name a region (AWS_REGION), then try again.`,
    );
  });
  const resources = await stageResources(aws, stage);
  const client = { region: aws.region, maxAttempts: MAX_ATTEMPTS };
  return {
    resources: { ...resources, hasVectorBucket: resources.hasVectorBucket || isVectorBucketKept },
    dynamo: new DynamoDBClient(client),
    s3: new S3Client(client),
    lambda: new LambdaClient(client),
    sleep: (ms) => pause(ms),
    now: Date.now,
    say,
  };
}

async function giveUp(place: RestorePlace, json: true | undefined): Promise<void> {
  const to = await giveUpRestore(place);
  if (json) return console.log(JSON.stringify({ stage: place.resources.stage, givenUp: to ?? null }));
  console.log(to === undefined ? "No restore has begun." : `The restore to ${to} is given up.`);
}

/** @throws UsageError for what is no instant in whole seconds */
export function instantOf(text: string | undefined): Date {
  const example = "--to 2026-11-27T10:15:00Z";
  if (text === undefined) throw new UsageError(`To which instant? ${example}`);
  const zoned = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(\.0+)?(Z|[+-]\d\d:\d\d)$/.test(text);
  const instant = new Date(text);
  if (!zoned || Number.isNaN(instant.getTime()))
    throw new UsageError(
      `${text} is no instant: date, time, whole seconds and zone are needed, as in ${example}`,
    );
  return instant;
}

/** @throws UsageError for a table that is restored in any case, or that there is not */
function included(names: readonly string[] = []): readonly string[] {
  const unknown = names.filter((name) => !leftByDefault.some((left) => left === name));
  if (unknown.length === 0) return names;
  throw new UsageError(
    `--include takes ${leftByDefault.join(" and ")}; ${unknown.join(", ")} is not one of them.`,
  );
}

async function typedName(json: true | undefined): Promise<string | undefined> {
  const terminal = openTerminal(json ? process.stderr : process.stdout);
  try {
    return (await terminal.ask("\nType the name of the stage to restore it: "))?.trim();
  } finally {
    terminal.close();
  }
}
