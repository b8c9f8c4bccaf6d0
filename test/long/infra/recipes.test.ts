import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { App } from "aws-cdk-lib";
import { afterEach, expect, test, vi } from "vitest";
import { type GuideSource, stepsIn } from "../../../scripts/docs/guide-steps.ts";
import "../../support/bundled.ts";
import { testRegistry } from "../../support/test-registry.ts";

const root = join(import.meta.dirname, "../../..");
const recipe = stepsIn(readFileSync(join(root, "docs/guide/recipes.md"), "utf8")).find(
  (step): step is GuideSource => step.kind === "source" && step.text.includes("@agentplatform/core/cdk"),
);
const file = join(root, "node_modules/.cache", `recipe-${process.pid}.mjs`);
afterEach(() => {
  rmSync(file, { force: true });
  vi.unstubAllEnvs();
});

test("the recipe of many accounts: a stage's templates name neither account nor region, which the credentials decide", async () => {
  vi.stubEnv("CDK_VALIDATION", "false");
  const { buildApp } = await import("../../../bin/agent-platform.ts");
  const unstaged = { "agent-platform:bundledLater": true, "aws:cdk:disable-asset-staging": true };
  for (const stage of ["staging", "prod"]) {
    const outdir = mkdtempSync(join(tmpdir(), "many-accounts-"));
    try {
      const context = { ...unstaged, stage, userPool: "true" };
      const { stacks } = buildApp({ context, outdir, registry: testRegistry }).synth();
      expect(stacks.map(({ stackName }) => stackName)).toEqual(
        expect.arrayContaining([`agent-platform-${stage}-data`, `agent-platform-${stage}`]),
      );
      for (const { environment, template } of stacks) {
        expect(environment).toMatchObject({ account: "unknown-account", region: "unknown-region" });
        expect(JSON.stringify(template)).not.toMatch(/arn:aws:[a-z0-9-]+:[a-z0-9-]*:\d{12}:/);
      }
    } finally {
      rmSync(outdir, { recursive: true, force: true });
    }
  }
}, 180_000);

test("the recipe of an app of one's own is synthesized: tools join the network, and reach the database", async () => {
  const text = recipe?.text ?? "";
  const here = text
    .replace("const app =", "export const app =")
    .replace(`"@agentplatform/core/cdk"`, JSON.stringify(join(root, "package/cdk.ts")))
    .replace(`"./registry.ts"`, JSON.stringify(testRegistry));
  writeFileSync(file, stripTypeScriptTypes(here));
  // Only what is described is needed; the functions stay as they are.
  vi.stubEnv(
    "CDK_CONTEXT_JSON",
    JSON.stringify({ "agent-platform:bundledLater": true, "aws:cdk:disable-asset-staging": true }),
  );
  vi.stubEnv("CDK_VALIDATION", "false");
  const { app }: { readonly app: App } = await import(pathToFileURL(file).href);
  const resources = app
    .synth()
    .stacks.flatMap(({ template }) =>
      Object.values<{ Type: string; Properties?: object }>(template.Resources),
    );
  const ofType = (type: string) => resources.filter(({ Type }) => Type === type);
  const joined = ofType("AWS::Lambda::Function").filter(
    ({ Properties }) => "VpcConfig" in (Properties ?? {}),
  );
  expect(joined).toHaveLength(4);
  const [rule, ...others] = ofType("AWS::EC2::SecurityGroupIngress");
  expect(others).toEqual([]);
  expect(JSON.stringify(rule?.Properties)).toContain("SourceSecurityGroupId");
}, 180_000);
