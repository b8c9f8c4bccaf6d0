import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import * as v from "valibot";
import { EDGE_HEADER, type EdgeSecret, EdgeSecretText } from "../shared/runtime/edge-secret.ts";

/**
 * Replaces the secret with which CloudFront proves itself to its origins, without refusing a request in between:
 *
 *   secret       current: A │ current: B, previous: A │ current: B
 *   CloudFront   sends A    │ A in some places, then B │ sends B
 *
 * Uses the AWS command line with the caller's credentials. May be started again when it was interrupted.
 */
const usage = "npm run rotate-edge-secret -- --stack agent-platform-prod [--region eu-west-1]";

const VALUE_LENGTH = 48;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const newValue = (): string =>
  Array.from({ length: VALUE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("");

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

/** Runs `aws`. A value that is secret goes in by `input`, because everybody on a machine sees the arguments. */
function aws(args: readonly string[], input = ""): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn("aws", [...args, "--output", "json"], { stdio: ["pipe", "pipe", "inherit"] });
    const output: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => output.push(chunk));
    child.once("error", () =>
      reject(new Error("The AWS command line (aws) is needed and cannot be started.")),
    );
    child.once("close", (code) => {
      if (code === 0) resolve(Buffer.concat(output).toString());
      else reject(new Error(`aws ${args.slice(0, 2).join(" ")} ended with ${code}.`));
    });
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });
}

const Stacks = v.object({
  Stacks: v.tuple([
    v.object({ Outputs: v.array(v.object({ OutputKey: v.string(), OutputValue: v.string() })) }),
  ]),
});
const Value = v.object({ SecretString: EdgeSecretText });
const Header = v.looseObject({ HeaderName: v.string(), HeaderValue: v.string() });
const Headers = v.looseObject({ Items: v.optional(v.array(Header), []) });
const Distribution = v.object({
  ETag: v.string(),
  DistributionConfig: v.looseObject({
    Origins: v.looseObject({ Items: v.array(v.looseObject({ CustomHeaders: v.optional(Headers) })) }),
  }),
});
type DistributionConfig = v.InferOutput<typeof Distribution>["DistributionConfig"];

async function outputsOf(stack: string): Promise<ReadonlyMap<string, string>> {
  const described = await aws(["cloudformation", "describe-stacks", "--stack-name", stack]);
  const [{ Outputs }] = v.parse(Stacks, JSON.parse(described)).Stacks;
  return new Map(Outputs.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]));
}

const readValues = async (arn: string): Promise<EdgeSecret> =>
  v.parse(Value, JSON.parse(await aws(["secretsmanager", "get-secret-value", "--secret-id", arn])))
    .SecretString;

async function writeValues(arn: string, values: EdgeSecret): Promise<void> {
  const input = JSON.stringify({ SecretId: arn, SecretString: JSON.stringify(values) });
  await aws(["secretsmanager", "put-secret-value", "--cli-input-json", "file:///dev/stdin"], input);
}

/** The configuration with another value in every origin that has the header. */
const withValue = (config: DistributionConfig, value: string): DistributionConfig => ({
  ...config,
  Origins: {
    ...config.Origins,
    Items: config.Origins.Items.map((origin) => ({
      ...origin,
      ...(origin.CustomHeaders && {
        CustomHeaders: {
          ...origin.CustomHeaders,
          Items: origin.CustomHeaders.Items.map((header) =>
            header.HeaderName.toLowerCase() === EDGE_HEADER ? { ...header, HeaderValue: value } : header,
          ),
        },
      }),
    })),
  },
});

async function sendFromEdge(id: string, value: string): Promise<void> {
  const read = await aws(["cloudfront", "get-distribution-config", "--id", id]);
  const { ETag, DistributionConfig } = v.parse(Distribution, JSON.parse(read));
  const input = { Id: id, IfMatch: ETag, DistributionConfig: withValue(DistributionConfig, value) };
  await aws(
    ["cloudfront", "update-distribution", "--cli-input-json", "file:///dev/stdin"],
    JSON.stringify(input),
  );
  await aws(["cloudfront", "wait", "distribution-deployed", "--id", id]);
}

async function rotate(stack: string): Promise<void> {
  const outputs = await outputsOf(stack);
  const arn = outputs.get("EdgeSecretArn");
  const distribution = outputs.get("DistributionId");
  if (arn === undefined || distribution === undefined)
    fail(`The stack ${stack} has no CloudFront, or is of an older version: deploy it first.`);
  const before = await readValues(arn);
  // An interrupted rotation is finished with the value that it began with.
  const values = before.previous === undefined ? { current: newValue(), previous: before.current } : before;
  if (before.previous === undefined) await writeValues(arn, values);
  console.log("1 of 3: the origins accept the old value and a new one.");
  await sendFromEdge(distribution, values.current);
  console.log("2 of 3: CloudFront sends the new value everywhere.");
  await writeValues(arn, { current: values.current });
  console.log("3 of 3: the old value is dropped; functions that run already refuse it within an hour.");
}

const text = { type: "string" } as const;
const { values: chosen } = parseArgs({ options: { stack: text, region: text } });
if (chosen.stack === undefined) fail(`Use: ${usage}`);
if (chosen.region !== undefined) process.env.AWS_REGION = chosen.region;
await rotate(chosen.stack).catch((error: unknown) =>
  fail(error instanceof Error ? error.message : String(error)),
);
