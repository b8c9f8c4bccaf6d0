import { Stack } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";

type ByFamily = Readonly<Record<string, IFunction>>;

/** Names of family functions as JSON, for the environment of a function that calls them. */
export function familyFunctionNames(scope: Construct, families: ByFamily): string {
  const names = Object.entries(families).map(([family, fn]) => [family, fn.functionName]);
  return Stack.of(scope).toJsonString(Object.fromEntries(names));
}

/** Lets a function call family functions, in their current version only. */
export function allowCalls(fn: IFunction, families: ByFamily): void {
  fn.addToRolePolicy(
    new PolicyStatement({
      actions: ["lambda:InvokeFunction"],
      resources: Object.values(families).map(({ functionArn }) => functionArn),
    }),
  );
}
