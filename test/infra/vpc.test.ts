import { App, Stack } from "aws-cdk-lib";
import { type IVpc, SubnetType, Vpc } from "aws-cdk-lib/aws-ec2";
import { describe, expect, test } from "vitest";
import { readManifest } from "../../build/project/read-manifest.ts";
import { AgentPlatform, type AgentPlatformProps, type Built } from "../../lib/agent-platform.ts";
import { readConfig } from "../../lib/config/config.ts";
import { BUNDLED_LATER } from "../../lib/functions/function-code.ts";
import { isAllowed } from "../../local/iam/policy.ts";
import { cloudModel } from "../../local/template/cloud-model.ts";
import { emptyManifest } from "../../shared/runtime/registry-manifest.ts";
import { testProject } from "../support/test-registry.ts";
import { bundleOf, type Resource, synthesized } from "./synthesized.ts";

const settings = { stage: "prod", model: "scripted", a2a: "true" } as const;
const ids = {
  vpcId: "vpc-0123456789abcdef0",
  vpcSubnetIds: ["subnet-0123456789abcdef0", "subnet-0123456789abcdef1"],
};
const without = await synthesized(settings);
const byId = await synthesized({ ...settings, ...ids });
const withGroup = await synthesized({
  ...settings,
  vpcId: ids.vpcId,
  vpcSubnetIds: ids.vpcSubnetIds.join(", "),
  vpcSecurityGroupIds: "sg-0123456789abcdef0",
});

const executing = ["eval-worker handler", "runs handler", "runs stream", "worker handler"];
const nameOf = (fn: Resource): string =>
  `${bundleOf(fn)} ${String(fn.properties.Handler).replace("index.", "")}`;
type Templates = Pick<typeof without, "ofType">;
const joined = ({ ofType }: Templates): readonly Resource[] =>
  ofType("AWS::Lambda::Function").filter(({ properties }) => properties.VpcConfig);

/** Functions whose role names network interfaces in a statement with this effect. */
function rightsOf({ ofType }: Templates, effect: string): string[] {
  const roles = ofType("AWS::IAM::Role").filter(({ properties }) =>
    (properties.Policies ?? []).some(({ PolicyDocument }: { PolicyDocument: { Statement: object[] } }) =>
      PolicyDocument.Statement.some(
        (statement) =>
          Object(statement).Effect === effect &&
          JSON.stringify(statement).includes("ec2:CreateNetworkInterface"),
      ),
    ),
  );
  const arns = roles.map(({ id }) => `<${id}>.Arn`);
  return ofType("AWS::Lambda::Function")
    .filter(({ properties }) => arns.includes(properties.Role))
    .map(nameOf)
    .sort();
}

describe("a VPC that is named by its ids", () => {
  test("is joined by the functions that execute tools, and by no other", () => {
    expect(joined(byId).map(nameOf).sort()).toEqual(executing);
    for (const { properties } of joined(byId)) {
      expect(properties.VpcConfig.SubnetIds).toEqual(ids.vpcSubnetIds);
    }
    expect(joined(without)).toEqual([]);
  });

  test("gives rights on network interfaces to their roles alone, and for Lambda's use alone", () => {
    expect(rightsOf(byId, "Allow")).toEqual(executing);
    expect(rightsOf(byId, "Deny")).toEqual(executing);
    expect(JSON.stringify(without.resources)).not.toContain("ec2:");
    const denied = JSON.stringify(
      byId.ofType("AWS::IAM::Role").find(({ id }) => id.startsWith("WorkerRole")),
    );
    expect(denied).toContain('"ArnLike":{"lambda:SourceFunctionArn":"arn:<AWS::Partition>:lambda:');
  });

  test("has one security group for them all, which is an output, unless one is given", () => {
    const [group, ...others] = byId.ofType("AWS::EC2::SecurityGroup");
    expect(others).toEqual([]);
    expect(group?.properties).toMatchObject({ VpcId: ids.vpcId });
    expect(group?.properties.SecurityGroupIngress).toBeUndefined();
    for (const { properties } of joined(byId)) {
      expect(properties.VpcConfig.SecurityGroupIds).toEqual([`<${group?.id}>.GroupId`]);
    }
    expect(byId.outputs).toMatchObject({ ToolSecurityGroupId: { Value: `<${group?.id}>.GroupId` } });
    expect(withGroup.ofType("AWS::EC2::SecurityGroup")).toEqual([]);
    for (const { properties } of joined(withGroup)) {
      expect(properties.VpcConfig).toMatchObject({
        SubnetIds: ids.vpcSubnetIds,
        SecurityGroupIds: ["sg-0123456789abcdef0"],
      });
    }
  });

  test("changes nothing on one machine but the rights, of which the code in a function has none", () => {
    const worker = cloudModel(byId.stacks, "http://127.0.0.1:9").functions.find(
      ({ label }) => label === "Worker",
    );
    const made = { action: "ec2:CreateNetworkInterface", resource: "*" };
    expect(isAllowed(worker?.statements ?? [], made)).toBe(false);
  });

  test("warns of nothing that is not in the template without it", () => {
    expect(byId.warnings).toEqual(without.warnings);
  });
});

test("a VPC of the app's own stacks is a property of the construct", () => {
  process.env.CDK_VALIDATION = "false";
  const { dist } = testProject;
  const built: Built = { dist, needs: readManifest(dist)?.needs ?? emptyManifest.needs };
  const context = { "aws:cdk:disable-asset-staging": true, [BUNDLED_LATER]: true };
  const app = new App({ context, analyticsReporting: false, treeMetadata: false });
  const vpc = new Vpc(new Stack(app, "Network"), "Vpc", {
    natGateways: 1,
    subnetConfiguration: [
      { name: "public", subnetType: SubnetType.PUBLIC },
      { name: "tools", subnetType: SubnetType.PRIVATE_WITH_EGRESS },
    ],
  });
  const props: AgentPlatformProps = {
    ...settings,
    // The CDK's own types do not hold with exactOptionalPropertyTypes.
    vpc: { vpc: vpc as IVpc, subnets: { subnetGroupName: "tools" } },
  };
  new AgentPlatform(app, "Agents", props, built);
  const service = app.synth().stacks.find(({ stackName }) => stackName === "agent-platform-prod");
  const configs = Object.values<{ Properties?: { VpcConfig?: { SubnetIds: unknown[] } } }>(
    service?.template.Resources,
  ).flatMap(({ Properties }) => Properties?.VpcConfig ?? []);
  expect(configs).toHaveLength(executing.length);
  for (const { SubnetIds } of configs) {
    expect(JSON.stringify(SubnetIds)).toContain("Network:ExportsOutputRefVpctoolsSubnet1");
    expect(SubnetIds).toHaveLength(2);
  }
  expect(() => new AgentPlatform(new App({ context }), "Agents", { ...props, ...ids }, built)).toThrow(
    "vpc: give it or vpcId, not both",
  );
});

test.each([
  [{ vpcId: "vpc-0123456789abcdef0" }, /vpcId and vpcSubnetIds: one needs the other/],
  [{ vpcSubnetIds: "subnet-0123456789abcdef0" }, /vpcId and vpcSubnetIds: one needs the other/],
  [{ vpcSecurityGroupIds: "sg-0123456789abcdef0" }, /vpcSecurityGroupIds: they need vpcId/],
  [{ ...ids, vpcId: "my-vpc" }, /vpcId: must be the id of a VPC/],
  [{ ...ids, vpcSubnetIds: "subnet-0123456789abcdef0 subnet-1" }, /vpcSubnetIds: must be ids of subnets/],
  [{ ...ids, vpcSecurityGroupIds: "default" }, /vpcSecurityGroupIds: must be ids of security groups/],
])("a network that cannot be is refused: %o", (context: Record<string, unknown>, reason) => {
  expect(() => readConfig((name) => context[name], Object.keys(context))).toThrow(reason);
});
