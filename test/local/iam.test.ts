import { describe, expect, test } from "vitest";
import { isAllowed, type Statement } from "../../local/iam/policy.ts";
import { refusalOf } from "../../local/iam/refusal.ts";
import { requiredPermissions } from "../../local/iam/required-permissions.ts";
import { roleStatements } from "../../local/iam/role-statements.ts";
import { resolveStacks } from "../../local/template/resolve.ts";

const table = "arn:aws:dynamodb:us-east-1:000000000000:table/jobs";
const allow = (actions: string[], resources: string[]): Statement => ({
  effect: "Allow",
  actions,
  resources,
  conditional: false,
});
const get = { action: "dynamodb:GetItem", resource: table };

describe("a decision", () => {
  test.each<[string, Statement[], boolean]>([
    ["nothing is allowed by default", [], false],
    ["an exact grant allows", [allow(["dynamodb:GetItem"], [table])], true],
    ["actions are compared without case", [allow(["DynamoDB:getitem"], [table])], true],
    ["resources are compared with case", [allow(["dynamodb:GetItem"], [table.toUpperCase()])], false],
    ["a star stands for the rest", [allow(["dynamodb:Get*"], [`${table}*`])], true],
    ["a question mark stands for one character", [allow(["dynamodb:Get????"], ["*"])], true],
    ["another action is not enough", [allow(["dynamodb:Query"], [table])], false],
    ["another table is not enough", [allow(["dynamodb:*"], [`${table}-2`])], false],
    [
      "a table grant does not reach its indexes, nor the other way",
      [allow(["*"], [`${table}/index/*`])],
      false,
    ],
    ["a dot in a name is only a dot", [allow(["dynamodb:GetItem"], [table.replace("jobs", "j.bs")])], false],
    [
      "a Deny wins over any Allow",
      [allow(["*"], ["*"]), { ...allow(["dynamodb:GetItem"], ["*"]), effect: "Deny" }],
      false,
    ],
    [
      "a Deny of something else does no harm",
      [allow(["*"], ["*"]), { ...allow(["dynamodb:PutItem"], ["*"]), effect: "Deny" }],
      true,
    ],
    ["an Allow with a condition does not count", [{ ...allow(["*"], ["*"]), conditional: true }], false],
    [
      "a Deny with a condition counts",
      [allow(["*"], ["*"]), { ...allow(["*"], ["*"]), effect: "Deny", conditional: true }],
      false,
    ],
  ])("%s", (_, statements, allowed) => {
    expect(isAllowed(statements, get)).toBe(allowed);
  });
});

describe("the record of used permissions", () => {
  const caller = { name: "reader", statements: [allow(["dynamodb:GetItem"], [table])] };
  const asked = (operation: string) => ({ service: "dynamodb", operation, body: { TableName: "jobs" } });

  test("has what is allowed once, however often it is used, and nothing that was refused", () => {
    const used: string[] = [];
    const use = (name: string, { action }: { action: string }) => used.push(`${name} ${action}`);
    for (const operation of ["GetItem", "PutItem", "GetItem"]) refusalOf(caller, asked(operation), use);
    expect(used).toEqual(["reader dynamodb:GetItem"]);
  });
});

describe("what a request needs", () => {
  const arn = (name: string): string => `arn:aws:dynamodb:us-east-1:000000000000:table/${name}`;
  test.each<[string, string, Record<string, unknown>, [string, string][] | undefined]>([
    ["dynamodb", "GetItem", { TableName: "a" }, [["dynamodb:GetItem", arn("a")]]],
    ["dynamodb", "PutItem", { TableName: arn("a") }, [["dynamodb:PutItem", arn("a")]]],
    ["dynamodb", "Query", { TableName: "a" }, [["dynamodb:Query", arn("a")]]],
    ["dynamodb", "Query", { TableName: "a", IndexName: "i" }, [["dynamodb:Query", `${arn("a")}/index/i`]]],
    [
      "dynamodb",
      "BatchGetItem",
      { RequestItems: { a: {}, b: {} } },
      [
        ["dynamodb:BatchGetItem", arn("a")],
        ["dynamodb:BatchGetItem", arn("b")],
      ],
    ],
    [
      "dynamodb",
      "TransactWriteItems",
      {
        TransactItems: [
          { Put: { TableName: "a" } },
          { Update: { TableName: "b" } },
          { Delete: { TableName: "c" } },
          { ConditionCheck: { TableName: "d" } },
        ],
      },
      [
        ["dynamodb:PutItem", arn("a")],
        ["dynamodb:UpdateItem", arn("b")],
        ["dynamodb:DeleteItem", arn("c")],
        ["dynamodb:ConditionCheckItem", arn("d")],
      ],
    ],
    [
      "dynamodb",
      "TransactWriteItems",
      { TransactItems: [{ Put: { TableName: "a" } }, { Eat: {} }] },
      undefined,
    ],
    ["dynamodb", "DeleteTable", { TableName: "a" }, undefined],
    ["dynamodb", "ExecuteStatement", { Statement: "SELECT" }, undefined],
    [
      "sqs",
      "SendMessageBatch",
      { QueueUrl: "http://127.0.0.1:1/000000000000/q" },
      [["sqs:SendMessage", "arn:aws:sqs:us-east-1:000000000000:q"]],
    ],
    ["sqs", "PurgeQueue", { QueueUrl: "http://127.0.0.1:1/000000000000/q" }, undefined],
    [
      "lambda",
      "InvokeFunction",
      { FunctionName: "f" },
      [["lambda:InvokeFunction", "arn:aws:lambda:us-east-1:000000000000:function:f"]],
    ],
    ["kms", "Decrypt", {}, undefined],
  ])("%s %s %j", (service, operation, body, expected) => {
    const needed = requiredPermissions({ service, operation, body });
    expect(needed?.map(({ action, resource }) => [action, resource])).toEqual(expected);
  });
});

describe("the statements of a role", () => {
  test("come from its inline policies, attached policies and managed policies of the template", () => {
    const document = (Action: string) => ({ Statement: [{ Effect: "Allow", Action, Resource: "*" }] });
    const resources = resolveStacks(
      [
        {
          name: "s",
          assetFolder: "/",
          template: {
            Resources: {
              R: {
                Type: "AWS::IAM::Role",
                Properties: {
                  Policies: [{ PolicyDocument: document("a:Inline") }],
                  ManagedPolicyArns: [{ Ref: "M" }, "arn:aws:iam::aws:policy/Other"],
                },
              },
              P: {
                Type: "AWS::IAM::Policy",
                Properties: { PolicyDocument: document("a:Attached"), Roles: [{ Ref: "R" }] },
              },
              M: { Type: "AWS::IAM::ManagedPolicy", Properties: { PolicyDocument: document("a:Managed") } },
              X: {
                Type: "AWS::IAM::Policy",
                Properties: { PolicyDocument: document("a:Foreign"), Roles: ["other"] },
              },
            },
          },
        },
      ],
      "http://aws",
    );
    const actions = roleStatements("arn:aws:iam::000000000000:role/s-R", resources).flatMap(
      (one) => one.actions,
    );
    expect(actions.sort()).toEqual(["a:Attached", "a:Inline", "a:Managed"]);
  });
});
