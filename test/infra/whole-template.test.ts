import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type StackTemplate, wholeTemplate } from "../../lib/stacks/whole-template.ts";
import { variants } from "../../scripts/deploy-policy/variants.ts";
import { emptyManifest } from "../../shared/runtime/registry-manifest.ts";
import { synthesized } from "./synthesized.ts";

/** A template with a nested stack, whose template is a file of the assembly. */
function assemblyWith(
  nested: object,
  resources: NonNullable<StackTemplate["Resources"]>,
): { readonly folder: string; readonly template: StackTemplate } {
  const folder = mkdtempSync(join(tmpdir(), "agent-platform-nested-"));
  writeFileSync(join(folder, "nested.json"), JSON.stringify(nested));
  const Inner = {
    Type: "AWS::CloudFormation::Stack",
    Properties: { Parameters: { api: { Ref: "Api" } } },
    Metadata: { "aws:asset:path": "nested.json" },
  };
  return { folder, template: { Resources: { Inner, ...resources } } };
}

describe("a template with a nested stack is read as one", () => {
  test("with the nested stack's resources, parameters and outputs in place of references to them", () => {
    const { folder, template } = assemblyWith(
      {
        Parameters: { api: { Type: "String" } },
        Resources: {
          Route: { Type: "A::B::Route", Properties: { ApiId: { Ref: "api" }, at: [{ Ref: "AWS::Region" }] } },
        },
        Outputs: { id: { Value: { Ref: "Route" } } },
      },
      {
        Api: { Type: "A::B::Api" },
        User: { Type: "A::B::User", Properties: { of: { "Fn::GetAtt": ["Inner", "Outputs.id"] } } },
      },
    );
    const { Resources } = wholeTemplate(template, folder);
    expect(Object.keys(Resources ?? {})).toEqual(["Inner", "Api", "User", "Route"]);
    expect(Resources?.Route?.Properties).toEqual({ ApiId: { Ref: "Api" }, at: [{ Ref: "AWS::Region" }] });
    expect(Resources?.User?.Properties).toEqual({ of: { Ref: "Route" } });
  });

  test("unless two resources have one logical id", () => {
    const { folder, template } = assemblyWith(
      { Resources: { Api: { Type: "A::B::Api" } } },
      { Api: { Type: "A::B::Api" } },
    );
    expect(() => wholeTemplate(template, folder)).toThrow(
      "Api is in the template and in its nested stack Inner",
    );
  });
});

/** What the control plane of API Gateway takes of an account in a second. */
const REQUESTS_PER_SECOND = 10;

test("the API's resources are made in lanes, no more at a time than its control plane takes", async () => {
  const { stacks } = await synthesized({ stage: "prod" });
  const folder = stacks[0]?.assetFolder ?? "";
  const [nested = ""] = readdirSync(folder).filter((file) => file.endsWith(".nested.template.json"));
  const { Resources }: { Resources: Record<string, { Type: string; DependsOn?: string | string[] }> } =
    JSON.parse(readFileSync(join(folder, nested), "utf8"));
  const ofApi = Object.entries(Resources).filter(([, { Type }]) => Type.startsWith("AWS::ApiGatewayV2::"));
  expect(ofApi.length).toBeGreaterThan(150);
  const inApi = new Set(ofApi.map(([id]) => id));
  const before = ([, { DependsOn = [] }]: (typeof ofApi)[number]) =>
    [DependsOn].flat().filter((id) => inApi.has(id));
  const first = ofApi.filter((one) => before(one).length === 0);
  expect(first.length).toBeLessThanOrEqual(REQUESTS_PER_SECOND);
  // Each lane is a line: nothing has two of them after it.
  const followed = ofApi.flatMap(before);
  expect(new Set(followed).size).toBe(followed.length);
});

/** Of CloudFormation, for one stack. */
const MOST_RESOURCES = 500;

test("no stack comes near the number of resources that CloudFormation allows, with every option on", async () => {
  const together = variants.filter(({ context }) => !("edge" in context));
  const needs = together.flatMap((variant) => variant.needs ?? []);
  const context = Object.assign({}, ...together.map((variant) => variant.context));
  const { stacks } = await synthesized(context, { ...emptyManifest, needs });
  const folder = stacks[0]?.assetFolder ?? "";
  const sizes = readdirSync(folder)
    .filter((file) => file.endsWith(".template.json"))
    .map((file) => Object.keys(JSON.parse(readFileSync(join(folder, file), "utf8")).Resources).length);
  expect(sizes).toHaveLength(4);
  expect(Math.max(...sizes)).toBeLessThan(MOST_RESOURCES * 0.8);
});
