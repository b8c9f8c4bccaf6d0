import type { Context, SQSBatchResponse, SQSEvent } from "aws-lambda";
import * as v from "valibot";
import { connectKnowledge, readInProcess } from "../../shared/knowledge/index.ts";
import { connectProcessing, processContent } from "../../shared/knowledge/intake.ts";
import { KnowledgeMessage } from "../../shared/queue/knowledge-queue.ts";
import { createLog } from "../../shared/runtime/create-log.ts";
import { inLogScope } from "../../shared/runtime/log-scope.ts";
import { createMeter } from "../../shared/runtime/metrics/create-meter.ts";
import { knowledgeWorkerEnv } from "../../shared/settings/environments.ts";
import { readEnv } from "../../shared/settings/read-env.ts";
import { connectDb } from "../../shared/stores/db.ts";

const env = readEnv(knowledgeWorkerEnv);
const log = createLog(env.POWERTOOLS_SERVICE_NAME);
const deps = {
  ...connectProcessing(connectKnowledge(connectDb(env), env), env, log),
  meter: createMeter(env),
  // The bundle of `read-process.ts`, beside this one.
  readFile: readInProcess(new URL("./read-process.mjs", import.meta.url)),
};

/** Time reserved at the end of the function's life, enough to write a batch of chunks. */
const ENDING_MS = 60_000;

/** Processes the contents of a batch; what could not be written comes back as a message. */
export async function handler(event: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  const failures: SQSBatchResponse["batchItemFailures"] = [];
  for (const { body, messageId } of event.Records) {
    try {
      const message = v.parse(KnowledgeMessage, JSON.parse(body));
      const until = deps.clock.now() + context.getRemainingTimeInMillis() - ENDING_MS;
      await inLogScope({ content_id: message.id }, () => processContent(deps, message, until));
    } catch (error) {
      log.error("a content could not be processed", { message_id: messageId, error });
      failures.push({ itemIdentifier: messageId });
    }
  }
  return { batchItemFailures: failures };
}
