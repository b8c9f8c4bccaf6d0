import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  type Deployed,
  derivePolicies,
  type PolicyName,
  type Statement,
} from "../../../scripts/deploy-policy/derive-policy.ts";
import { synthesizeVariants } from "../../../scripts/deploy-policy/synthesize-variants.ts";
import { settingsWithoutRights, variants } from "../../../scripts/deploy-policy/variants.ts";
import { policyFiles } from "../../../scripts/deploy-policy.ts";
import { runs } from "../../../shared/settings/rows/runs.ts";
import { settingNames } from "../../../shared/settings/table.ts";
import "../../support/bundled.ts";
import { testRegistry } from "../../support/test-registry.ts";

const deployed = synthesizeVariants(testRegistry);
const policies = derivePolicies(deployed);
const statements = Object.values(policies).flatMap(({ Statement }) => Statement);
const files = Object.entries(policyFiles) as [PolicyName, string][]; // keys of a constant table

const withResource = (Type: string, Properties = {}): Deployed[] =>
  deployed.map((one, at) =>
    at === 0 ? { ...one, resources: [...one.resources, { Type, Properties }] } : one,
  );

/** The statements that allow an action. */
const allowing = (action: string, among: readonly Statement[] = statements): Statement[] =>
  among.filter(({ Action }) => Action.includes(action));

describe("the rights of whoever deploys", () => {
  test.each(files)(
    "%s: the file is what follows from the templates (npm run deploy-policy)",
    (name, file) => {
      expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(policies[name]);
    },
  );

  test.each(files)("%s: it fits into a managed policy", (name) => {
    expect(JSON.stringify(policies[name]).length).toBeLessThan(6_144);
  });

  test("a resource of a type whose handlers are not known is refused, and so is a right without a name", () => {
    expect(() => derivePolicies(withResource("AWS::StepFunctions::StateMachine"))).toThrow(
      "AWS::StepFunctions::StateMachine: its handlers are not known",
    );
  });

  test("a property that a template begins to use brings its rights", () => {
    const table = "AWS::DynamoDB::GlobalTable";
    const replicated = withResource(table, { Replicas: [{ Region: "eu-west-1" }, { Region: "eu-west-2" }] });
    expect(allowing("dynamodb:Scan")).toEqual([]);
    const [scans] = allowing("dynamodb:Scan", derivePolicies(replicated).core.Statement);
    expect(scans?.Resource).toBe("arn:aws:dynamodb:REGION:ACCOUNT:table/agent-platform-*");
  });

  /** What no construct reads is a variable of functions, and brings no right. */
  const readByConstructs = (): string[] => {
    const files = globSync(join(import.meta.dirname, "../../../lib/*/**/*.ts"));
    const constructs = files.filter((file) => !file.includes("/lib/config/"));
    const sources = constructs.map((file) => readFileSync(file, "utf8")).join("\n");
    return settingNames.filter((name) => new RegExp(`\\b${name}\\b`).test(sources));
  };

  test("every setting that a construct reads is among the variants, or known to bring no rights", () => {
    const used = variants.flatMap(({ context }) => Object.keys(context));
    const known = new Set([...used, ...settingsWithoutRights, ...Object.keys(runs)]);
    const read = readByConstructs();
    expect(read.filter((name) => !known.has(name))).toEqual([]);
    expect(settingsWithoutRights.filter((name) => !read.includes(name))).toEqual([]);
  });

  test.each([
    ["sns:Unsubscribe", "*"],
    ["sns:GetSubscriptionAttributes", "*"],
    ["application-autoscaling:Describe*", "*"],
    ["logs:DescribeIndexPolicies", "*"],
    ["kms:RevokeGrant", "arn:aws:kms:REGION:ACCOUNT:key/*"],
    [
      "iam:CreateServiceLinkedRole",
      "arn:aws:iam::ACCOUNT:role/aws-service-role/ops.apigateway.amazonaws.com/*",
    ],
    ["cloudfront:CreateCachePolicy", "*"],
    ["lambda:InvokeFunction", "arn:aws:lambda:REGION:ACCOUNT:function:agent-platform-*"],
  ])("%s is among them, on %s", (action, resource) => {
    expect(allowing(action).map(({ Resource }) => Resource)).toEqual([resource]);
  });

  test("no data is read or written with them, but the code and the secret of CloudFront", () => {
    const data =
      /^(dynamodb:(Get|Put|Update|Delete|BatchWrite|BatchGet)Item|dynamodb:(Query|Scan)|s3:(Get|Put|Delete)Object.*|s3vectors:(Get|Put|Query|Delete)Vectors|sqs:(Send|Receive|Delete)Message|secretsmanager:GetSecretValue)$/;
    const found = statements.flatMap(({ Sid, Action }) =>
      Action.filter((action) => data.test(action)).map((action) => `${Sid} ${action}`),
    );
    expect(found).toEqual([
      "Code s3:GetObject",
      "Code s3:GetObjectVersion",
      "Secrets secretsmanager:GetSecretValue",
    ]);
  });

  test("no action is a whole service, and roles are passed to functions, schedules and takeovers alone", () => {
    const wide = statements.flatMap(({ Action }) => Action.filter((action) => /:[A-Z]?\*$/.test(action)));
    expect(wide).toEqual([]);
    const [passes, ...others] = allowing("iam:PassRole");
    expect(others).toEqual([]);
    expect(passes?.Condition).toEqual({
      StringEquals: {
        "iam:PassedToService": [
          "lambda.amazonaws.com",
          "scheduler.amazonaws.com",
          "codedeploy.amazonaws.com",
        ],
      },
    });
  });

  test("what does not fit into the policies of roles may become managed policies, and no other policy is touched", () => {
    const overflow = "arn:aws:iam::ACCOUNT:policy/agent-platform-*OverflowPolicy*";
    const created = deployed.flatMap(({ option, resources }) =>
      resources.some(({ Type }) => Type === "AWS::IAM::ManagedPolicy") ? [option] : [],
    );
    expect(created).toEqual(["ManyTools"]);
    for (const action of ["iam:CreatePolicy", "iam:CreatePolicyVersion", "iam:DeletePolicy"])
      expect(allowing(action)).toEqual([expect.objectContaining({ Resource: overflow })]);
    // AWS's own policy, with which CodeDeploy changes an alias and can do nothing else.
    const rollout = "arn:aws:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited";
    for (const action of ["iam:AttachRolePolicy", "iam:DetachRolePolicy"])
      for (const allowed of allowing(action))
        expect(allowed).toMatchObject({
          Resource: "arn:aws:iam::ACCOUNT:role/agent-platform-*",
          Condition: { ArnLike: { "iam:PolicyARN": [overflow, rollout] } },
        });
    expect(allowing("iam:AttachRolePolicy")).toHaveLength(2);
  });
});
