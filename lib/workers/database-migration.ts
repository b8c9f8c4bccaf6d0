import { type IFunction, RecursiveLoop } from "aws-cdk-lib/aws-lambda";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { migratorEnv } from "../../shared/settings/environments.ts";
import type { AppConfig } from "../config/config.ts";
import type { ServiceValues } from "../config/service-values.ts";
import { consume } from "../functions/consume.ts";
import { environmentFor } from "../functions/environment.ts";
import { type Grantable, grantNeeds } from "../functions/grants.ts";
import { createServiceFunction } from "../functions/service-function.ts";
import { createWakeupQueue } from "../functions/wakeup-queue.ts";

/** A migration takes as many invocations as it needs; after a crash, the next one starts no sooner than this. */
const TIMEOUT_SECONDS = 120;
/** The minimum for an event source; only one of them works on a database. */
const MAX_CONCURRENCY = 2;

/** Wake-up messages for databases that are being migrated. */
export const createMigrationQueue = (scope: Construct): Queue =>
  createWakeupQueue(scope, "MigrationQueue", {
    timeoutSeconds: TIMEOUT_SECONDS,
    truth: "the database's record",
  });

/** The function that migrates a database's records to another version while the service runs. */
export function createMigrator(
  scope: Construct,
  config: AppConfig,
  values: ServiceValues,
  resources: Grantable,
): IFunction {
  const migrator = createServiceFunction(scope, "Migrator", config, {
    bundle: "migrator",
    description: "Migrates the records of a database",
    timeoutSeconds: TIMEOUT_SECONDS,
    memoryMb: 512,
    // It sends unfinished work to its own queue, which Lambda would detect as a loop.
    recursiveLoop: RecursiveLoop.ALLOW,
    environment: environmentFor(migratorEnv, { ...values, POWERTOOLS_SERVICE_NAME: "migrator" }),
  });
  consume(migrator, resources.migrationQueue, {
    batchSize: 1,
    maxConcurrency: MAX_CONCURRENCY,
  });
  grantNeeds(migrator, "migrator", resources);
  return migrator;
}
