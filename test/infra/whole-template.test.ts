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
