import { Stack } from "aws-cdk-lib";
import { Effect, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import { CfnSchedule } from "aws-cdk-lib/aws-scheduler";
import type { Construct } from "constructs";

/**
 * Invokes a function at a fixed rate, without retries: the next invocation does what one could not do.
 *
 * @param rate  such as `1 minute` or `1 day`
 */
export function createTimer(scope: Construct, id: string, fn: IFunction, rate: string): void {
  const role = new Role(scope, `${id}Role`, {
    assumedBy: new ServicePrincipal("scheduler.amazonaws.com", {
      conditions: { StringEquals: { "aws:SourceAccount": Stack.of(scope).account } },
    }),
    inlinePolicies: {
      invoke: new PolicyDocument({
        statements: [
          new PolicyStatement({
            effect: Effect.ALLOW,
            actions: ["lambda:InvokeFunction"],
            resources: [fn.functionArn],
          }),
        ],
      }),
    },
  });
  new CfnSchedule(scope, id, {
    scheduleExpression: `rate(${rate})`,
    flexibleTimeWindow: { mode: "OFF" },
    target: { arn: fn.functionArn, roleArn: role.roleArn, retryPolicy: { maximumRetryAttempts: 0 } },
  });
}
