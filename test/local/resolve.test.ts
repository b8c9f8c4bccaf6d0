import { describe, expect, test } from "vitest";
import { resolveStacks } from "../../local/template/resolve.ts";
import type { Stack } from "../../local/template/stack.ts";

const data: Stack = {
  name: "data",
  assetFolder: "/assets",
  template: {
    Resources: {
      Jobs: { Type: "AWS::DynamoDB::Table" },
      Named: {
        Type: "AWS::DynamoDB::Table",
        Properties: { TableName: { "Fn::Join": ["-", ["my", "table"]] } },
      },
      Queue: { Type: "AWS::SQS::Queue" },
    },
    Outputs: { Out: { Value: { "Fn::GetAtt": ["Jobs", "Arn"] }, Export: { Name: "data:JobsArn" } } },
  },
};

function resolved(value: unknown): unknown {
  const service: Stack = {
    name: "service",
    assetFolder: "/assets",
    template: {
      Parameters: { Version: { Default: "v1" } },
      Resources: {
        Asking: { Type: "Custom::Any", Properties: { value } },
        Fn: { Type: "AWS::Lambda::Function", Metadata: { "aws:asset:path": "asset.1" } },
        Url: { Type: "AWS::Lambda::Url" },
      },
    },
  };
  return resolveStacks([data, service], "http://aws:1").find(({ id }) => id === "Asking")?.properties.value;
}

describe("a reference", () => {
  test.each<[unknown, unknown]>([
    [{ Ref: "Fn" }, "service-Fn"],
    [{ "Fn::GetAtt": ["Fn", "Arn"] }, "arn:aws:lambda:us-east-1:000000000000:function:service-Fn"],
    [{ "Fn::GetAtt": "Fn.Arn" }, "arn:aws:lambda:us-east-1:000000000000:function:service-Fn"],
    [{ Ref: "Version" }, "v1"],
    [{ Ref: "AWS::Region" }, "us-east-1"],
    [[{ Ref: "AWS::NoValue" }, "kept"], ["kept"]],
    [{ "Fn::ImportValue": "data:JobsArn" }, "arn:aws:dynamodb:us-east-1:000000000000:table/data-Jobs"],
    [
      { "Fn::Select": [2, { "Fn::Split": ["/", { "Fn::GetAtt": ["Url", "FunctionUrl"] }] }] },
      "service-url.lambda-url.us-east-1.on.aws",
    ],
    [{ "Fn::Join": [":", ["a", { Ref: "Fn" }]] }, "a:service-Fn"],
    [{ "Fn::Sub": "x-$" + "{Fn}-$" + "{!kept}" }, "x-service-Fn-$" + "{kept}"],
    [
      { "Fn::Sub": ["$" + "{own}/$" + "{Fn.Arn}", { own: 1 }] },
      "1/arn:aws:lambda:us-east-1:000000000000:function:service-Fn",
    ],
    [{ deep: [{ er: { Ref: "Fn" } }] }, { deep: [{ er: "service-Fn" }] }],
  ])("%j becomes %j", (value, expected) => {
    expect(resolved(value)).toEqual(expected);
  });

  test("to a queue is its address at the local endpoint", () => {
    const [, , queue] = resolveStacks([data], "http://aws:1");
    expect(queue?.name).toBe("data-Queue");
    const { template } = data;
    const asking = {
      ...data,
      template: {
        ...template,
        Resources: {
          ...template.Resources,
          A: { Type: "Custom::Any", Properties: { url: { Ref: "Queue" } } },
        },
      },
    };
    const found = resolveStacks([asking], "http://aws:1").find(({ id }) => id === "A");
    expect(found?.properties.url).toBe("http://aws:1/000000000000/data-Queue");
  });

  test.each([
    [{ Ref: "Unknown" }],
    [{ "Fn::ImportValue": "nothing" }],
    [{ "Fn::Cidr": [] }],
    [{ "Fn::GetAtt": ["Unknown", "Arn"] }],
  ])("%j is an error that names it", (value) => {
    expect(() => resolved(value)).toThrow(/Unknown|nothing|Fn::Cidr/);
  });
});

test("a name that the template gives is kept", () => {
  const named = resolveStacks([data], "http://aws:1").find(({ id }) => id === "Named");
  expect(named).toMatchObject({
    name: "my-table",
    arn: "arn:aws:dynamodb:us-east-1:000000000000:table/my-table",
  });
});
