import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import * as v from "valibot";
import { RunMessage } from "../../shared/queue/run-message.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import { createLog } from "../../shared/runtime/create-log.ts";
import { createMeter } from "../../shared/runtime/create-meter.ts";
import { readEnv } from "../../shared/runtime/env.ts";
import { deadLetterEnv } from "../../shared/runtime/function-env.ts";
import { connectDb } from "../../shared/stores/db.ts";
import { failDeadLetter } from "./fail-dead-letter.ts";

const env = readEnv(deadLetterEnv);
const deps = {
  db: connectDb(env),
  clock: systemClock,
  log: createLog(env.POWERTOOLS_SERVICE_NAME),
  meter: createMeter(env),
  settings: env,
};

/** Turns messages that no worker could finish into failed jobs, so that the job list is the only dead-letter list. */
export async function handler(event: SQSEvent): Promise<SQSBatchResponse> {
  const failures: SQSBatchResponse["batchItemFailures"] = [];
  for (const { body, messageId } of event.Records) {
    try {
      const { job_id } = v.parse(RunMessage, JSON.parse(body));
      await failDeadLetter(deps, job_id);
    } catch (error) {
      deps.log.error("a dead letter could not be processed", { message_id: messageId, error });
      failures.push({ itemIdentifier: messageId });
    }
  }
  return { batchItemFailures: failures };
}
