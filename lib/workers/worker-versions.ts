import { CfnElement, Duration, Stack, Token } from "aws-cdk-lib";
import { LambdaDeploymentConfig, LambdaDeploymentGroup } from "aws-cdk-lib/aws-codedeploy";
import { Policy, PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Alias, type IVersion, type Function as LambdaFunction, Version } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import { LIVE_ALIAS } from "../../shared/runtime/functions/function-versions.ts";
import { createAlarm } from "../alarms/alarm.ts";
import { acknowledge } from "../config/acknowledge.ts";
import type { AppConfig } from "../config/config.ts";
import { allowPublishing, contentOf, createStep } from "../functions/deployment-steps.ts";

/**
 * Publishes the worker as it is deployed, and leads an alias to it. A deployment that changes the worker publishes the next
 * version; the one before stays, for the runs that began with it, until the sweeper deletes it. A deployment that is rolled
 * back publishes what it went back to, and its own version stays: runs may have begun with it.
 *
 *   run queue ─▶ live ─▶ version 8 ── invokes, for a run that began with it ──▶ version 7
 *                                                          sweeper ── deletes ──▶ version 6
 *
 * @decided  Versions are no resources of the template: CloudFormation refuses one that Lambda has already, which is how a
 *           second try finds the version that a rolled-back deployment has left.
 * @returns  the alias, which takes the messages
 */
export function createLiveWorker(scope: Construct, config: AppConfig, worker: LambdaFunction): Alias {
  // The id that CDK itself gives: with another one the alias of a stack that exists would be in the way.
  const id = `Alias${LIVE_ALIAS}`;
  const version = publishedVersion(scope, config, worker);
  const alias = new Alias(worker, id, { aliasName: LIVE_ALIAS, version });
  if (config.workerRollout === "canary" && config.stage !== "local") takeOverSlowly(scope, config, alias);
  return alias;
}

const ROLLOUT_PERIOD = Duration.minutes(1);

/**
 * A new version gets a tenth of the messages for ten minutes. Where it crashes or runs out of time, CodeDeploy leads the alias back
 * and CloudFormation rolls the deployment back. Runs that it began are pinned to it, and go on there.
 *
 * @source https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-attribute-updatepolicy.html
 */
function takeOverSlowly(scope: Construct, config: AppConfig, alias: Alias): void {
  const { functionName } = alias.lambda;
  // Of the version that is deployed: what the one before does in these minutes is no reason to go back to it.
  const dimensionsMap = {
    FunctionName: functionName,
    Resource: `${functionName}:${alias.aliasName}`,
    ExecutedVersion: alias.version.version,
  };
  const metric = alias.lambda.metricErrors({ period: ROLLOUT_PERIOD, statistic: "Sum", dimensionsMap });
  const alarm = createAlarm(scope, "WorkerRolloutAlarm", config, {
    ...{ metric, above: 0, periods: 1 },
    meaning: "A new version of the workers crashes or runs out of time.",
    section: "a-new-version-of-the-workers-crashes",
  });
  const group = new LambdaDeploymentGroup(scope, "WorkerRollout", {
    alias,
    alarms: [alarm],
    deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_10MINUTES,
  });
  acknowledge(group.role, {
    "AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]":
      "AWS's own policy for this: it changes aliases and reads alarms.",
  });
}

function publishedVersion(scope: Construct, config: AppConfig, worker: LambdaFunction): IVersion {
  const publication = createStep(scope, config, "WorkerPublication", {
    Step: "publish",
    FunctionName: worker.functionName,
    Content: contentOf([worker]),
  });
  // On one machine the platform itself keeps versions.
  if (publication === undefined) return worker.latestVersion;
  allowPublishing(publication, worker);
  const version = Token.asString(publication.resource.getAtt("Version"));
  return Version.fromVersionAttributes(scope, "WorkerVersion", { lambda: worker, version });
}

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
