import type { AwsApi } from "./aws-api.ts";

export type StackResource = {
  /** In the template, with the digits that the CDK adds. */
  readonly id: string;
  readonly type: string;
  /** As its service knows it: a name, an address or an ARN. */
  readonly name: string;
};

/** The stack of a stage's service as CloudFormation has it, with the resources of its nested stacks. */
export type DeployedStack = {
  /** Such as `UPDATE_COMPLETE`. */
  readonly status: string;
  readonly outputs: ReadonlyMap<string, string>;
  readonly resources: readonly StackResource[];
};

/** @throws AwsError ValidationError when there is none */
export async function readStack(aws: AwsApi, name: string): Promise<DeployedStack> {
  const described = await aws.query("cloudformation", "DescribeStacks", { StackName: name });
  const [stack] = described.list("Stacks");
  const outputs = (stack?.list("Outputs") ?? []).map(
    (output) => [output.text("OutputKey") ?? "", output.text("OutputValue") ?? ""] as const,
  );
  return {
    status: stack?.text("StackStatus") ?? "",
    outputs: new Map(outputs),
    resources: await resourcesOf(aws, name),
  };
}

async function resourcesOf(aws: AwsApi, stack: string): Promise<readonly StackResource[]> {
  const found: StackResource[] = [];
  for (let token: string | undefined = ""; token !== undefined; ) {
    const page = await aws.query("cloudformation", "ListStackResources", {
      StackName: stack,
      ...(token && { NextToken: token }),
    });
    for (const entry of page.list("StackResourceSummaries")) {
      found.push({
        id: entry.text("LogicalResourceId") ?? "",
        type: entry.text("ResourceType") ?? "",
        name: entry.text("PhysicalResourceId") ?? "",
      });
    }
    token = page.text("NextToken") || undefined;
  }
  const nested = found.filter(({ type }) => type === "AWS::CloudFormation::Stack");
  const within = await Promise.all(nested.map(({ name }) => resourcesOf(aws, name)));
  return [...found, ...within.flat()];
}
