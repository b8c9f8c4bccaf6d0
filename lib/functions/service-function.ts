import { join } from "node:path";
import { Duration, RemovalPolicy } from "aws-cdk-lib";
import { Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import {
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  type RecursiveLoop,
  Runtime,
  Tracing,
} from "aws-cdk-lib/aws-lambda";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import { acknowledge } from "../config/acknowledge.ts";
import type { AppConfig } from "../config/config.ts";

export type ServiceFunction = {
  /** Folder in `functions/` and in `dist/`. */
  readonly bundle: string;
  /** Name under which the bundle exports the handler. */
  readonly entry?: "handler" | "stream";
  readonly description: string;
  readonly timeoutSeconds: number;
  /** Also determines the share of a processor: 1769 MB is one. Mostly cold starts need it. */
  readonly memoryMb: number;
  readonly environment: Record<string, string>;
  readonly recursiveLoop?: RecursiveLoop;
  /** Most invocations at a time; taken out of what the account's other functions share. */
  readonly reservedConcurrency?: number;
  /** Whether the versions that it publishes stay when a deployment replaces them; see `worker-versions.ts`. */
  readonly keepsVersions?: true;
};

/** Set by the local platform alone. */
const BUNDLED_LATER = "agent-platform:bundledLater";
/** Folder with the bundles; set by what builds the app. */
export const DIST = "agent-platform:dist";

/**
 * One function with a role and a log group of its own. The role may write to that log group and send traces to X-Ray;
 * `grants.ts` grants everything else.
 */
export function createServiceFunction(
  scope: Construct,
  id: string,
  config: AppConfig,
  props: ServiceFunction,
): LambdaFunction {
  const { bundle, entry = "handler", description, environment, recursiveLoop, reservedConcurrency } = props;
  const logGroup = createLogGroup(scope, `${id}Logs`, config);
  const role = new Role(scope, `${id}Role`, {
    assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
    description: `Of the function: ${description}`,
  });
  logGroup.grantWrite(role);
  if (config.xray === "on") {
    acknowledge(role, {
      "AwsSolutions-IAM5[Resource::*]": "X-Ray knows no resources; segments can only be added.",
    });
  }
  return new LambdaFunction(scope, id, {
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    // Where the code is run from its folder it may be bundled later, so its digest is not part of the template.
    code: Code.fromAsset(
      join(String(scope.node.getContext(DIST)), bundle),
      scope.node.tryGetContext(BUNDLED_LATER) ? { assetHash: bundle } : {},
    ),
    handler: `index.${entry}`,
    description,
    timeout: Duration.seconds(props.timeoutSeconds),
    memorySize: props.memoryMb,
    environment,
    role,
    logGroup,
    loggingFormat: LoggingFormat.JSON,
    tracing: config.xray === "on" ? Tracing.ACTIVE : Tracing.DISABLED,
    ...(props.keepsVersions && { currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN } }),
    ...(recursiveLoop && { recursiveLoop }),
    ...(reservedConcurrency !== undefined && { reservedConcurrentExecutions: reservedConcurrency }),
  });
}

/** A log group with the configured retention; on a disposable stage it is deleted with the stack. */
export function createLogGroup(
  scope: Construct,
  id: string,
  { disposable, logRetentionDays }: AppConfig,
): LogGroup {
  return new LogGroup(scope, id, {
    retention: logRetentionDays,
    removalPolicy: disposable ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
  });
}
