import type { Context, SQSBatchResponse, SQSEvent } from "aws-lambda";
import * as v from "valibot";
import { connectMigrations } from "../../shared/migrations/connect-migrations.ts";
import { MigrationMessage } from "../../shared/queue/migration-queue.ts";
import { newId } from "../../shared/runtime/ids.ts";
import { createMeter } from "../../shared/runtime/metrics/create-meter.ts";
import { migratorEnv } from "../../shared/settings/environments.ts";
import { readEnv } from "../../shared/settings/read-env.ts";
import { type MigratorDeps, migrateSlice } from "./migrate-slice.ts";

const env = readEnv(migratorEnv);
const deps: MigratorDeps = {
  ...connectMigrations(env),
  newWorkerId: newId,
  meter: createMeter(env),
  settings: env,
};

/** Continues the migration that a message names; a message that failed comes back. */
export async function handler(event: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  const failures: SQSBatchResponse["batchItemFailures"] = [];
  for (const { body, messageId } of event.Records) {
    try {
      const { db_id } = v.parse(MigrationMessage, JSON.parse(body));
      await migrateSlice(deps, db_id, context.getRemainingTimeInMillis());
    } catch (error) {
      deps.log.error("a migration could not be continued", { message_id: messageId, error });
      failures.push({ itemIdentifier: messageId });
    }
  }
  return { batchItemFailures: failures };
}
