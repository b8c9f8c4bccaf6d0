import { Duration } from "aws-cdk-lib";
import { Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import {
  Architecture,
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
import { removalOf } from "../storage/removal.ts";
import { checkEnvironmentSize } from "./environment-size.ts";
import { settledVariables, withCode } from "./function-code.ts";
import { interfaceReasons, interfaceRights, networkOf } from "./tool-network.ts";

export type ServiceFunction = {
  /** Folder in `functions/` and in `dist/`. */
  readonly bundle: string;
  /** Name under which the bundle exports the handler. */
  readonly entry?: "handler" | "stream";
  readonly description: string;
  readonly timeoutSeconds: number;
  /** Also determines the share of a processor: 1769 MB is one. Mostly cold starts need it. */
  readonly memoryMb: number;
  /** Its variables. Those whose values are known now are deployed with its code; see `function-code.ts`. */
  readonly environment: Record<string, string>;
  readonly recursiveLoop?: RecursiveLoop;
  /** Most invocations at a time; taken out of what the account's other functions share. */
  readonly reservedConcurrency?: number;
};

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
  const { bundle, entry = "handler", description, recursiveLoop, reservedConcurrency } = props;
  const { settings, environment } = settledVariables(props.environment);
  const logGroup = createLogGroup(scope, `${id}Logs`, config);
  const network = networkOf(scope, config, bundle);
  const role = new Role(scope, `${id}Role`, {
    assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
    description: `Of the function: ${description}`,
    ...(network && { inlinePolicies: { interfaces: interfaceRights(scope) } }),
  });
  if (network) acknowledge(role, interfaceReasons);
  logGroup.grantWrite(role);
  if (config.xray === "on") {
    acknowledge(role, {
      "AwsSolutions-IAM5[Resource::*]": "X-Ray knows no resources; segments can only be added.",
    });
  }
  const fn = withCode(
    scope,
    bundle,
    settings,
    (code) =>
      new LambdaFunction(scope, id, {
        runtime: Runtime.NODEJS_24_X,
        architecture: Architecture.ARM_64,
        code,
        handler: `index.${entry}`,
        description,
        timeout: Duration.seconds(props.timeoutSeconds),
        memorySize: props.memoryMb,
        environment,
        role,
        ...network,
        logGroup,
        loggingFormat: LoggingFormat.JSON,
        tracing: config.xray === "on" ? Tracing.ACTIVE : Tracing.DISABLED,
        ...(recursiveLoop && { recursiveLoop }),
        ...(reservedConcurrency !== undefined && { reservedConcurrentExecutions: reservedConcurrency }),
      }),
  );
  checkEnvironmentSize(fn);
  return fn;
}

/** A log group with the configured retention; on a disposable stage it is deleted with the stack. */
export const createLogGroup = (scope: Construct, id: string, config: AppConfig): LogGroup =>
  new LogGroup(scope, id, { retention: config.logRetentionDays, removalPolicy: removalOf(config) });
