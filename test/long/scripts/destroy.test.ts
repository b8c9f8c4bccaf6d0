import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { describeRemoval } from "../../../build/removal/describe-removal.ts";
import { readAssembly } from "../../../build/removal/read-assembly.ts";
import { type RemovalPlan, removalPlan } from "../../../build/removal/removal-plan.ts";
import { BUNDLED_LATER } from "../../../lib/functions/function-code.ts";
import "../../support/bundled.ts";
import { testRegistry } from "../../support/test-registry.ts";

const root = join(import.meta.dirname, "../../..");
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

async function planOf(context: Record<string, unknown>, withData: boolean): Promise<RemovalPlan> {
  process.env.CDK_VALIDATION = "false";
  const { buildApp } = await import("../../../bin/agent-platform.ts");
  const outdir = mkdtempSync(join(tmpdir(), "destroy-"));
  folders.push(outdir);
  const unstaged = { "aws:cdk:disable-asset-staging": true, [BUNDLED_LATER]: true };
  buildApp({ context: { ...unstaged, ...context }, outdir, registry: testRegistry }).synth();
  return removalPlan(readAssembly(outdir), withData);
}

const typesOf = (list: RemovalPlan["removed"][number]["goes"]) => list.map(({ type }) => type);

describe("what a removal takes", () => {
  test("is the service stack alone, unless the data is asked for", async () => {
    const { removed, untouched } = await planOf({ stage: "prod", userPool: "true" }, false);
    expect(removed.map(({ id, name }) => [id, name])).toEqual([
      ["AgentPlatform/Service", "agent-platform-prod"],
    ]);
    expect(untouched.map(({ name }) => name).sort()).toEqual([
      "agent-platform-prod-data",
      "agent-platform-prod-users",
    ]);
  });

  test("with the data of a stage that keeps it leaves tables, buckets, key, users and logs", async () => {
    const { removed, untouched } = await planOf(
      { stage: "prod", userPool: "true", customerKey: "true" },
      true,
    );
    expect(untouched).toEqual([]);
    expect(removed.map(({ id }) => id)).toEqual([
      "AgentPlatform/Service",
      "AgentPlatform/Users",
      "AgentPlatform/Data",
    ]);
    const stays = new Set(removed.flatMap((stack) => typesOf(stack.stays)));
    expect([...stays].sort()).toEqual([
      "AWS::Cognito::UserPool",
      "AWS::DynamoDB::GlobalTable",
      "AWS::KMS::Key",
      "AWS::Logs::LogGroup",
      "AWS::S3::Bucket",
      "AWS::S3Vectors::VectorBucket",
    ]);
    const lines = describeRemoval(
      { stage: "prod", account: "123456789012", region: "eu-west-1" },
      { removed, untouched },
    );
    expect(lines[0]).toContain("Stage prod (account 123456789012, region eu-west-1)");
    expect(lines.find((line) => line.includes("GlobalTable"))).toContain("Approvals, Audit, Budgets");
  });

  test("on dev leaves nothing", async () => {
    const plan = await planOf({ stage: "dev" }, true);
    expect(plan.removed.flatMap(({ stays }) => stays)).toEqual([]);
    expect(describeRemoval({ stage: "dev", account: undefined, region: undefined }, plan)).toContain(
      "Kept, and no part of a stack any more: nothing.",
    );
  });
});

type Ended = { readonly code: number; readonly out: string };

/** The command, without credentials and without a way to get any. */
function destroy(args: readonly string[], input = ""): Promise<Ended> {
  const env = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("AWS_"))),
    AWS_EC2_METADATA_DISABLED: "true",
    AWS_CONFIG_FILE: "/dev/null",
    AWS_SHARED_CREDENTIALS_FILE: "/dev/null",
    AWS_REGION: "eu-west-1",
  };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ["scripts/destroy.ts", "--registry", testRegistry, ...args],
      { cwd: root, env },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), out: stdout + stderr }),
    );
    child.stdin?.end(input);
  });
}

const SPAWNED_MS = 300_000;

describe("npm run destroy", () => {
  test("needs the stage", async () => {
    const { code, out } = await destroy(["--data"]);
    expect(code).toBe(2);
    expect(out).toContain("--stage is missing");
  });

  test("as a dry run says what goes, what stays and which stacks the CDK would be given", {
    timeout: SPAWNED_MS,
  }, async () => {
    const { code, out } = await destroy(["--stage", "test", "--data", "--dry-run", "-c", "customerKey=true"]);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining("Stage test") });
    expect(out).toMatch(/Kept.*KMS::Key: Key/s);
    expect(out).toContain("cdk destroy AgentPlatform/Service AgentPlatform/Data -c stage=test");
  });

  test("removes nothing unless the name of the stage is typed", { timeout: SPAWNED_MS }, async () => {
    const { code, out } = await destroy(["--stage", "test"], "dev\n");
    expect(code).toBe(1);
    expect(out).toContain("Nothing was removed.");
  });

  test("gives the CDK stacks that it knows: only the credentials are missing then", {
    timeout: SPAWNED_MS,
  }, async () => {
    const { code, out } = await destroy(["--stage", "test", "--data"], "test\n");
    expect(code).toBe(1);
    expect(out).not.toMatch(/No stacks? match/i);
    expect(out).toMatch(/credentials|Unable to resolve AWS account/);
  });
});
