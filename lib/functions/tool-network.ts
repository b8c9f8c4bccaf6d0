import { Annotations, CfnOutput, Stack } from "aws-cdk-lib";
import {
  type ISecurityGroup,
  type ISubnet,
  type IVpc,
  SecurityGroup,
  Subnet,
  Vpc,
} from "aws-cdk-lib/aws-ec2";
import { Effect, PolicyDocument, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { FunctionOptions } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import type { AppConfig } from "../config/config.ts";
import type { ToolVpc } from "../config/tool-vpc.ts";
import { needs } from "./function-needs.ts";
import type { Needs } from "./needs/needs.ts";

/** Functions join it by the bundle that they run: those whose roles have the rights of tools. */
const executesTools = (bundle: string): boolean =>
  Object.entries<Needs>(needs).some(([name, { tools }]) => name === bundle && tools === true);

type Network = Required<Pick<FunctionOptions, "vpc" | "securityGroups">> &
  Pick<FunctionOptions, "vpcSubnets">;

/** The network of each stack's functions: it is made for the first of them, and serves the others too. */
const networks = new WeakMap<Stack, Network>();

/**
 * The network of a function.
 *
 * @param bundle  of the function
 * @returns undefined for functions that execute no tools, and where no network is configured
 */
export function networkOf(scope: Construct, config: AppConfig, bundle: string): Network | undefined {
  const stack = Stack.of(scope);
  const isConfigured = config.vpc !== undefined || config.vpcId !== undefined;
  if (!isConfigured || !executesTools(bundle)) return undefined;
  const network = networks.get(stack) ?? createNetwork(stack, config.vpc ?? vpcById(stack, config));
  networks.set(stack, network);
  return network;
}

const createNetwork = (stack: Stack, { vpc, subnets, securityGroups }: ToolVpc): Network => ({
  vpc,
  ...(subnets && { vpcSubnets: subnets }),
  securityGroups: securityGroups ? [...securityGroups] : [createGroup(stack, vpc)],
});

/** A network that is only named: nothing is looked up in the account. */
function vpcById(stack: Stack, { vpcId = "", vpcSubnetIds = [], vpcSecurityGroupIds }: AppConfig): ToolVpc {
  // The zones are in no resource; the CDK wants some.
  const vpc = Vpc.fromVpcAttributes(stack, "ToolVpc", { vpcId, availabilityZones: ["unknown"] });
  const subnets = vpcSubnetIds.map((id, at) => namedSubnet(stack, `ToolSubnet${at}`, id));
  const securityGroups = vpcSecurityGroupIds?.map((id, at) =>
    SecurityGroup.fromSecurityGroupId(stack, `ToolGroup${at}`, id),
  );
  return { vpc, subnets: { subnets }, ...(securityGroups && { securityGroups }) };
}

function namedSubnet(stack: Stack, id: string, subnetId: string): ISubnet {
  const subnet = Subnet.fromSubnetId(stack, id, subnetId);
  Annotations.of(subnet).acknowledgeWarning(
    "@aws-cdk/aws-ec2:noSubnetRouteTableId",
    "Nothing here reads its routes.",
  );
  return subnet;
}

/** One for all functions, whose id is an output: a database is opened for it once. */
function createGroup(stack: Stack, vpc: IVpc): ISecurityGroup {
  const group = new SecurityGroup(stack, "ToolSecurityGroup", {
    vpc,
    description: "Functions of the agent platform that execute tools",
    allowAllOutbound: true,
  });
  new CfnOutput(stack, "ToolSecurityGroupId", {
    value: group.securityGroupId,
    description: "Security group of the functions that execute tools",
  });
  return group;
}

/** What Lambda does with the role's rights, to connect the function. @source the managed policy AWSLambdaVPCAccessExecutionRole */
const interfaceActions = [
  "ec2:CreateNetworkInterface",
  "ec2:DescribeNetworkInterfaces",
  "ec2:DescribeSubnets",
  "ec2:DeleteNetworkInterface",
  "ec2:AssignPrivateIpAddresses",
  "ec2:UnassignPrivateIpAddresses",
];

/**
 * Rights of a function in a network. Lambda uses them, with the function's role; the code in the function, tools among it,
 * may not: calls that come from inside a function carry its ARN, and are denied.
 */
export function interfaceRights(scope: Construct): PolicyDocument {
  const { partition, region, account } = Stack.of(scope);
  return new PolicyDocument({
    statements: [
      new PolicyStatement({ actions: interfaceActions, resources: ["*"] }),
      new PolicyStatement({
        effect: Effect.DENY,
        actions: interfaceActions,
        resources: ["*"],
        conditions: {
          ArnLike: { "lambda:SourceFunctionArn": `arn:${partition}:lambda:${region}:${account}:function:*` },
        },
      }),
    ],
  });
}

/** Why the template check's finding about these rights is accepted. */
export const interfaceReasons: Readonly<Record<string, string>> = {
  "AwsSolutions-IAM5[Resource::*]":
    "Network interfaces have no names before they are made; only Lambda itself may use the rights.",
};
