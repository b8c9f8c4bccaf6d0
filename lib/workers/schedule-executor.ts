import { type IFunction, RecursiveLoop } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import { scheduleExecutorEnv } from "../../shared/settings/environments.ts";
import type { HttpFunctions } from "../api/http-api.ts";
import type { AppConfig } from "../config/config.ts";
import type { ServiceValues } from "../config/service-values.ts";
import { consume } from "../functions/consume.ts";
import { environmentFor } from "../functions/environment.ts";
import { allowCalls, familyFunctionNames } from "../functions/family-functions.ts";
import { type Grantable, grantNeeds } from "../functions/grants.ts";
import { createServiceFunction } from "../functions/service-function.ts";

/** An endpoint answers within half a minute; AWS recommends a sixth of the queue's visibility timeout. */
const TIMEOUT_SECONDS = 60;
const BATCH_SIZE = 10;
/** Ten calls each: enough for a thousand slots in one minute, and few enough to leave the family functions to clients. */
const MAX_CONCURRENCY = 10;

/**
 * The function that runs the slots of schedules: it reads the queue and calls a family's function.
 *
 * It sends messages to its own queue (retries, turns), which Lambda would detect as a loop.
 */
export function createScheduleExecutor(
  scope: Construct,
  config: AppConfig,
  values: ServiceValues,
  resources: Grantable,
  { feedback: _, ...families }: HttpFunctions["families"], // what a person says is said by no schedule, and names need room in the environment
): IFunction {
  const executor = createServiceFunction(scope, "ScheduleExecutor", config, {
    bundle: "schedule-executor",
    description: "Calls the endpoints of schedules and records what came of it",
    timeoutSeconds: TIMEOUT_SECONDS,
    memoryMb: 512,
    recursiveLoop: RecursiveLoop.ALLOW,
    environment: environmentFor(scheduleExecutorEnv, {
      ...values,
      POWERTOOLS_SERVICE_NAME: "schedule-executor",
      FAMILY_FUNCTIONS: familyFunctionNames(scope, families),
    }),
  });
  consume(executor, resources.scheduler.queue, {
    batchSize: BATCH_SIZE,
    maxConcurrency: MAX_CONCURRENCY,
  });
  grantNeeds(executor, "schedule-executor", resources);
  allowCalls(executor, families);
  return executor;
}
