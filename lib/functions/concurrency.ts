import { Annotations, type Stack } from "aws-cdk-lib";
import { CfnEventSourceMapping, CfnFunction } from "aws-cdk-lib/aws-lambda";
import type { AppConfig } from "../config/config.ts";
import { FUNCTIONS_OF_A_POLLER } from "./poller-limits.ts";

/** What Lambda keeps for functions that reserve nothing; it refuses a reservation that leaves less. @source Lambda quotas */
const UNRESERVED = 100;

/** @source Service Quotas of AWS Lambda */
const QUOTA = "Concurrent executions (L-B99A9384)";

/**
 * Reports how many invocations at a time the functions of a stack may need: an account that has never run functions may have 10
 * in all, which is unknown before the deployment. Called when every function has been created.
 */
export function reportConcurrency(stack: Stack, { stage, worker_concurrency }: AppConfig): void {
  if (stage === "local") return;
  const all = stack.node.findAll();
  const sources = all.filter((one) => CfnEventSourceMapping.isCfnEventSourceMapping(one));
  const consumers = sum(
    sources.map(
      ({ scalingConfig, provisionedPollerConfig }) =>
        numberIn(scalingConfig, "maximumConcurrency") +
        numberIn(provisionedPollerConfig, "maximumPollers") * FUNCTIONS_OF_A_POLLER,
    ),
  );
  const functions = all.filter((one) => CfnFunction.isCfnFunction(one));
  const reserved = sum(functions.map((fn) => fn.reservedConcurrentExecutions ?? 0));
  const needed = Math.max(consumers + reserved, UNRESERVED + reserved);
  const reservation =
    reserved === 0
      ? ""
      : ` streamConcurrency reserves ${reserved}, and Lambda keeps ${UNRESERVED} for the rest: an account with less than ${UNRESERVED + reserved} refuses the deployment.`;
  Annotations.of(stack).addInfo(
    `Lambda: queues may take ${consumers} invocations at a time (worker_concurrency: ${worker_concurrency}), and requests take more.${reservation}` +
      ` A new account may have 10 in all: ask Service Quotas for ${needed} or more, ${QUOTA}; until then set worker_concurrency=2.`,
  );
}

const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);

const numberIn = (value: unknown, name: string): number => {
  const found: unknown = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
  return typeof found === "number" ? found : 0;
};
