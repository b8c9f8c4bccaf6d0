import { type IFunction, RecursiveLoop } from "aws-cdk-lib/aws-lambda";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { housekeeperEnv } from "../../shared/settings/environments.ts";
import type { AppConfig } from "../config/config.ts";
import type { ServiceValues } from "../config/service-values.ts";
import { consume } from "../functions/consume.ts";
import { environmentFor } from "../functions/environment.ts";
import { type Grantable, grantNeeds } from "../functions/grants.ts";
import { createServiceFunction } from "../functions/service-function.ts";

/** Figures of all days take minutes, and of a large session the removal; what is left then is continued. */
export const HOUSEKEEPER_TIMEOUT_SECONDS = 900;
const BATCH_SIZE = 5;
/** So that a round of removals leaves room for checks of locks, and the tables for runs. */
const MAX_CONCURRENCY = 10;

/**
 * The function that does what is to be done now and then, none of which executes tools or calls models: checks of locks, dead letters,
 * removals of sessions, migrations of databases, and the figures of each day.
 *
 * One for all, because an idle deployment pays for each queue that is polled and for each function that an alarm watches.
 */
export function createHousekeeper(
  scope: Construct,
  config: AppConfig,
  values: Omit<ServiceValues, "METRICS_REFRESHER" | "RUN_LOG_GROUPS">,
  queue: IQueue,
  resources: Grantable,
): IFunction {
  const housekeeper = createServiceFunction(scope, "Housekeeper", config, {
    bundle: "housekeeper",
    description:
      "Recovers silent jobs, fails undeliverable ones, removes sessions, migrates, computes figures",
    timeoutSeconds: HOUSEKEEPER_TIMEOUT_SECONDS,
    // A slice of a day's sessions is in memory.
    memoryMb: 1024,
    // A check of the locks sends the next one, and so does unfinished work, which Lambda would detect as a loop.
    recursiveLoop: RecursiveLoop.ALLOW,
    environment: environmentFor(housekeeperEnv, { ...values, POWERTOOLS_SERVICE_NAME: "housekeeper" }),
  });
  consume(housekeeper, queue, { batchSize: BATCH_SIZE, maxConcurrency: MAX_CONCURRENCY });
  grantNeeds(housekeeper, "housekeeper", resources);
  return housekeeper;
}
