import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { LambdaClient } from "@aws-sdk/client-lambda";
import { S3Client } from "@aws-sdk/client-s3";
import { projectFiles, readProject, settingsOf } from "../config/read-project.ts";
import type { RestorePlace } from "../recovery/restore-stage.ts";
import { leftByDefault } from "../recovery/restored-tables.ts";
import { stageResources } from "../recovery/stage-resources.ts";
import { reachAws } from "./reach-aws.ts";
import { openTerminal } from "./terminal/terminal.ts";
import { UsageError } from "./usage-error.ts";

/** Where a stage is; what is left out is found as the clients of AWS find it. */
export type StageAddress = {
  readonly stage: string;
  readonly profile?: string | undefined;
  readonly region?: string | undefined;
};

/** What a service did not take is sent again this often; the pauses grow. */
const MAX_ATTEMPTS = 10;

/**
 * Reaches a stage by the environment, a profile or the shared files.
 *
 * @throws UsageError without usable credentials; RecoveryError where the stage is not there
 */
export async function connectPlace(
  { stage, profile, region }: StageAddress,
  say: RestorePlace["say"],
): Promise<RestorePlace> {
  const given = { ...(profile !== undefined && { profile }), ...(region !== undefined && { region }) };
  const isVectorBucketKept = await keepsVectorBucket(stage);
  const aws = await reachAws(given);
  const resources = await stageResources(aws, stage);
  const client = { ...given, region: aws.region, maxAttempts: MAX_ATTEMPTS };
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

/**
 * Whether the stage took over a bucket of vectors, which is in no stack of its own then. A clone of the repository has no
 * config, and its settings are in `cdk.json`.
 */
async function keepsVectorBucket(stage: string): Promise<boolean> {
  const isProject = projectFiles.some((name) => existsSync(name));
  const settings = isProject ? settingsOf(await readProject(), stage) : {};
  return JSON.stringify(settings.retained ?? "").includes("vectors");
}

/** @throws UsageError for a table that is taken in any case, or that there is not */
export function included(names: readonly string[] = []): readonly string[] {
  const unknown = names.filter((name) => !leftByDefault.some((left) => left === name));
  if (unknown.length === 0) return names;
  throw new UsageError(
    `--include takes ${leftByDefault.join(" and ")}; ${unknown.join(", ")} is not one of them.`,
  );
}

/** Asks the person at the terminal; beside the output where programs read it. */
export async function typedName(question: string, json: true | undefined): Promise<string | undefined> {
  const terminal = openTerminal(json ? process.stderr : process.stdout);
  try {
    return (await terminal.ask(`\n${question}: `))?.trim();
  } finally {
    terminal.close();
  }
}
