import { type IFunction, RecursiveLoop } from "aws-cdk-lib/aws-lambda";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { migratorEnv } from "../../shared/runtime/function-env.ts";
import type { AppConfig } from "../config/config.ts";
import type { ServiceValues } from "../config/service-values.ts";
import { consume } from "../functions/consume.ts";
import { environmentFor } from "../functions/environment.ts";
import { type Grantable, grantNeeds } from "../functions/grants.ts";
import { createServiceFunction } from "../functions/service-function.ts";
import { createWakeupQueue } from "../functions/wakeup-queue.ts";

/** A migration takes as many functions as it needs; when one dies, nobody goes on before this has passed. */
const TIMEOUT_SECONDS = 120;
/** As few as a source may have; a database is worked on by one of them. */
const MAX_CONCURRENCY = 2;

/** Databases that are being migrated. */
export const createMigrationQueue = (scope: Construct): Queue =>
  createWakeupQueue(scope, "MigrationQueue", {
    timeoutSeconds: TIMEOUT_SECONDS,
    truth: "the database's record",
  });

/** Brings the records of a database to another version, while the service goes on. */
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
    // What it does not finish it sends on to itself, which Lambda would take for a loop.
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
