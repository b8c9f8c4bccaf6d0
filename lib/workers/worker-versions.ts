import { CfnElement, Stack } from "aws-cdk-lib";
import { Policy, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Alias, Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import { LIVE_ALIAS } from "../../shared/runtime/functions/function-versions.ts";
import { acknowledge } from "../config/acknowledge.ts";

/**
 * Publishes the worker as it is deployed, and leads an alias to it. A deployment that changes the worker publishes the next
 * version; the one before stays, for the runs that began with it, until the sweeper deletes it.
 *
 *   run queue ─▶ live ─▶ version 8 ── invokes, for a run that began with it ──▶ version 7
 *                                                          sweeper ── deletes ──▶ version 6
 *
 * @returns the alias, which takes the messages
 */
export const createLiveWorker = (worker: LambdaFunction): Alias => worker.addAlias(LIVE_ALIAS);

/**
 * Lets the worker invoke its versions, and the sweeper list and delete them. Their numbers are not known before they are
 * published, so they are named by a pattern; it does not match the function itself, which must not be deleted.
 *
 * The statements are policies of their own: in the role's default policy, on which the function depends, they would be a
 * circle.
 */
export function grantVersions(scope: Construct, worker: LambdaFunction, sweeper: LambdaFunction): void {
  const versions = `${worker.functionArn}:*`;
  const reason = { [findingOf(worker)]: "Versions have numbers that Lambda gives." };
  const invokes = grant(scope, "WorkerInvokesVersions", worker, [
    new PolicyStatement({ actions: ["lambda:InvokeFunction"], resources: [versions] }),
  ]);
  const deletes = grant(scope, "SweeperDeletesVersions", sweeper, [
    new PolicyStatement({ actions: ["lambda:DeleteFunction"], resources: [versions] }),
    new PolicyStatement({
      actions: ["lambda:ListVersionsByFunction", "lambda:GetAlias"],
      resources: [worker.functionArn],
    }),
  ]);
  for (const policy of [invokes, deletes]) acknowledge(policy, reason);
}

const grant = (
  scope: Construct,
  id: string,
  { role }: LambdaFunction,
  statements: PolicyStatement[],
): Policy => new Policy(scope, id, { statements, ...(role && { roles: [role] }) });

/** How the checks of the template name the pattern. */
function findingOf(worker: LambdaFunction): string {
  const { defaultChild } = worker.node;
  const id = CfnElement.isCfnElement(defaultChild) ? Stack.of(worker).getLogicalId(defaultChild) : "";
  return `AwsSolutions-IAM5[Resource::<${id}.Arn>:*]`;
}
