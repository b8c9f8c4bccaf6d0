import { Duration } from "aws-cdk-lib";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import { Queue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { chatWorkerEnv } from "../../shared/settings/environments.ts";
import type { HttpFunctions } from "../api/http-api.ts";
import type { AppConfig } from "../config/config.ts";
import type { ServiceValues } from "../config/service-values.ts";
import { consume } from "../functions/consume.ts";
import { environmentFor } from "../functions/environment.ts";
import { allowCalls, familyFunctionNames } from "../functions/family-functions.ts";
import { type Grantable, grantNeeds } from "../functions/grants.ts";
import { createServiceFunction } from "../functions/service-function.ts";

/** A run that takes longer sends a wake-up message at its end, and is answered then. */
const TIMEOUT_SECONDS = 180;
/** Conversations that are answered concurrently. */
const MAX_CONCURRENCY = 50;
/** A message's record counts its failures, up to three; this limit is for messages whose record cannot be read. */
const MAX_RECEIVE_COUNT = 10;

/** Whether any chat platform is configured: without one the queue is neither polled nor watched. */
export const hasChats = ({ whatsapp, telegram, slack }: AppConfig): boolean =>
  [whatsapp, telegram, slack].some((settings) => settings !== undefined);

export type ChatQueues = { readonly chatQueue: Queue; readonly chatDeadLetters: Queue };

/**
 * The queue of messages from chat platforms, in order within a conversation.
 *
 * A message that is not deleted blocks its conversation, so one whose worker crashed is visible again as soon as that
 * worker cannot be alive: after one timeout, not six as for other queues.
 */
export function createChatQueues(scope: Construct): ChatQueues {
  const chatDeadLetters = new Queue(scope, "ChatDeadLetters", {
    fifo: true,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
  });
  const chatQueue = new Queue(scope, "ChatQueue", {
    fifo: true,
    enforceSSL: true,
    retentionPeriod: Duration.days(1),
    visibilityTimeout: Duration.seconds(TIMEOUT_SECONDS),
    deadLetterQueue: { queue: chatDeadLetters, maxReceiveCount: MAX_RECEIVE_COUNT },
  });
  return { chatQueue, chatDeadLetters };
}

/** The function that answers chat messages by runs. */
export function createChatWorker(
  scope: Construct,
  config: AppConfig,
  values: ServiceValues,
  resources: Grantable,
  families: HttpFunctions["families"],
): IFunction {
  const worker = createServiceFunction(scope, "ChatWorker", config, {
    bundle: "chat-worker",
    description: "Answers messages of chat platforms",
    timeoutSeconds: TIMEOUT_SECONDS,
    // It holds media in memory.
    memoryMb: 512,
    environment: environmentFor(chatWorkerEnv, {
      ...values,
      POWERTOOLS_SERVICE_NAME: "chat-worker",
      FAMILY_FUNCTIONS: familyFunctionNames(scope, { runs: families.runs }),
    }),
  });
  consume(worker, resources.chatQueue, {
    // A batch ends with its slowest message: one long answer would delay other conversations.
    batchSize: 1,
    maxConcurrency: MAX_CONCURRENCY,
    enabled: hasChats(config),
  });
  grantNeeds(worker, "chat-worker", resources);
  allowCalls(worker, { runs: families.runs });
  return worker;
}
