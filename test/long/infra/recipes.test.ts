import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { App } from "aws-cdk-lib";
import { afterEach, expect, test, vi } from "vitest";
import { type GuideSource, stepsIn } from "../../../scripts/docs/guide-steps.ts";
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
