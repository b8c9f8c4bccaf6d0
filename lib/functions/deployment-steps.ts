import { createHash } from "node:crypto";
import { CfnCustomResource, Duration, Lazy, Stack } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { CfnFunction, Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import type { Construct, IDependable } from "constructs";
import { deploymentEnv } from "../../shared/settings/environments.ts";
import { acknowledge } from "../config/acknowledge.ts";
import type { AppConfig } from "../config/config.ts";
import type { Data } from "../stacks/data-stack.ts";
import { grantKey } from "../storage/customer-key.ts";
import { environmentFor } from "./environment.ts";
import { createServiceFunction } from "./service-function.ts";

/** A version of a function in a VPC waits for its network. */
const TIMEOUT = Duration.minutes(10);
const ANSWER_SECONDS = 60;

/** What `functions/deployment` is asked to do. It is asked again when any of it changes. */
type Step =
  | { readonly Step: "publish"; readonly FunctionName: string; readonly Content: string }
  | { readonly Step: "check"; readonly Address: string; readonly Content: string }
  | { readonly Step: "version"; readonly Queue: string }
  | {
      readonly Step: "record";
      readonly Table: string;
      readonly RetentionDays: string;
      readonly Settings: Readonly<Record<string, string>>;
    };

export type DeploymentStep = {
  readonly resource: CfnCustomResource;
  readonly fn: LambdaFunction;
};

/**
 * A step of the deployment that no resource type of CloudFormation does. All of them are done by one function.
 *
 * @returns undefined on one machine, where nothing is deployed
 */
export function createStep(
  scope: Construct,
  config: AppConfig,
  id: string,
  step: Step,
): DeploymentStep | undefined {
  if (config.stage === "local") return undefined;
  const fn = deploymentFunction(scope, config);
  const resource = new CfnCustomResource(scope, id, {
    serviceToken: fn.functionArn,
    serviceTimeout: TIMEOUT.toSeconds() + ANSWER_SECONDS,
  });
  for (const [name, value] of Object.entries(step)) resource.addPropertyOverride(name, value);
  // Its rights must be there when it is called.
  resource.node.addDependency(fn);
  return { resource, fn };
}

const ID = "Deployment";

function deploymentFunction(scope: Construct, config: AppConfig): LambdaFunction {
  const existing = scope.node.tryFindChild(ID);
  if (existing instanceof LambdaFunction) return existing;
  return createServiceFunction(scope, ID, config, {
    bundle: "deployment",
    description: "Does steps of a deployment",
    timeoutSeconds: TIMEOUT.toSeconds(),
    memoryMb: 256,
    environment: environmentFor(deploymentEnv, { POWERTOOLS_SERVICE_NAME: "deployment" }),
  });
}

/** Lets a step publish versions of a function. Their numbers are not known before, so they are named by a pattern. */
export function allowPublishing({ fn }: DeploymentStep, published: LambdaFunction): void {
  const { functionArn } = published;
  fn.addToRolePolicy(new PolicyStatement({ actions: ["lambda:PublishVersion"], resources: [functionArn] }));
  fn.addToRolePolicy(
    new PolicyStatement({ actions: ["lambda:GetFunctionConfiguration"], resources: [`${functionArn}:*`] }),
  );
  const { defaultChild } = published.node;
  const id = CfnFunction.isCfnFunction(defaultChild) ? Stack.of(published).getLogicalId(defaultChild) : "";
  if (fn.role)
    acknowledge(fn.role, {
      [`AwsSolutions-IAM5[Resource::<${id}.Arn>:*]`]: "Versions have numbers that Lambda gives.",
    });
}

/**
 * The last step of a deployment that changes a function: the service must answer at its address, or the deployment fails and is
 * rolled back. Called when everything is there.
 *
 * @param address  that AWS gave: a name of the owner's may not lead there yet
 * @param after    what must be there before
 */
export function checkAnswers(
  scope: Construct,
  config: AppConfig,
  address: string,
  after: readonly IDependable[],
): void {
  // A firewall of the owner's may refuse this request.
  if (config.webAclArn !== undefined) return;
  const functions = scope.node.findAll().filter((one) => one instanceof LambdaFunction);
  const content = contentOf(functions);
  const check = createStep(scope, config, "AddressCheck", {
    Step: "check",
    Address: address,
    Content: content,
  });
  check?.resource.node.addDependency(...after);
}

/**
 * Records what a deployment sets and whether its database is new. Called when every function is there.
 *
 * @param migrations  the queue of the housekeeper, which migrates
 */
export function recordDeployment(scope: Construct, config: AppConfig, data: Data, migrations: IQueue): void {
  recordSettings(scope, config, data);
  settleNewDatabase(scope, config, migrations);
}

/** Longest setting that is recorded itself; of a longer one its digest. */
const MAX_SETTING_CHARS = 500;

/**
 * Records the settings of each deployment in the audit, with those that they replace. None of them is a secret: a template
 * names secrets and holds none.
 */
function recordSettings(scope: Construct, config: AppConfig, { tables, key }: Data): void {
  const table = tables.audit;
  const settings = Object.entries<string | undefined>(config.environment).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value.length > MAX_SETTING_CHARS ? digestOf(value) : value] as const],
  );
  const step = createStep(scope, config, "SettingsRecord", {
    Step: "record",
    Table: table.tableName,
    RetentionDays: String(config.auditRetentionDays),
    Settings: Object.fromEntries(settings),
  });
  step?.fn.addToRolePolicy(
    new PolicyStatement({ actions: ["dynamodb:PutItem"], resources: [table.tableArn] }),
  );
  if (step?.fn.role) grantKey(step.fn.role, key, Stack.of(scope).region);
}

/**
 * Has the housekeeper look whether the database is new: then it is of the newest version. It looks when every function is there, so
 * that none of an earlier release is started any more.
 */
function settleNewDatabase(scope: Construct, config: AppConfig, queue: IQueue): void {
  const functions = scope.node.findAll().filter((one) => CfnFunction.isCfnFunction(one));
  const step = createStep(scope, config, "DatabaseVersion", { Step: "version", Queue: queue.queueUrl });
  if (!step) return;
  step.resource.node.addDependency(...functions);
  // The key of the account's own is granted where settings are recorded.
  step.fn.addToRolePolicy(new PolicyStatement({ actions: ["sqs:SendMessage"], resources: [queue.queueArn] }));
}

const digestOf = (text: string): string => `sha256:${createHash("sha256").update(text).digest("hex")}`;

/** A digest of the code, the environment and the configuration of functions, as the template has them at its end. */
export const contentOf = (functions: readonly LambdaFunction[]): string =>
  Lazy.uncachedString({
    produce: ({ scope }) => {
      const described = functions.map(({ node: { defaultChild } }) =>
        CfnFunction.isCfnFunction(defaultChild)
          ? Stack.of(scope).resolve(defaultChild._toCloudFormation())
          : {},
      );
      return createHash("sha256").update(JSON.stringify(described)).digest("hex").slice(0, 32);
    },
  });
