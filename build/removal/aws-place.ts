import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** The account and region that the caller's credentials lead to; undefined where the AWS command line does not know them. */
export async function awsPlace(more: readonly string[]): Promise<{
  readonly account: string | undefined;
  readonly region: string | undefined;
}> {
  const identity = ["sts", "get-caller-identity", "--query", "Account", "--output", "text", ...more];
  return {
    account: await outputOf(identity),
    region: regionOfEnvironment() ?? (await outputOf(["configure", "get", "region", ...more])),
  };
}

/** As the CDK reads it. */
export const regionOfEnvironment = (): string | undefined =>
  process.env.AWS_REGION ?? process.env.AWS_DEFAULT_REGION;

async function outputOf(args: readonly string[]): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)("aws", args);
    return stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}
