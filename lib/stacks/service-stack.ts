import { Annotations, Stack } from "aws-cdk-lib";
import type { HttpApi } from "aws-cdk-lib/aws-apigatewayv2";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { createAlarmTopic } from "../alarms/alarm-topic.ts";
import { createAlarms } from "../alarms/alarms.ts";
import { createDashboard } from "../alarms/dashboard.ts";
import { createApiFunctions } from "../api/api-functions.ts";
import { createConsole } from "../api/console.ts";
import { createEdgeSecret } from "../api/edge-secret.ts";
import { createApiDomain, createHttpApi, paceRoutes } from "../api/http-api.ts";
import { createPublicAddress } from "../api/public-address.ts";
import { type AppConfig, publishesEvents } from "../config/config.ts";
import { reportSpending } from "../config/report-spending.ts";
import { serviceValues } from "../config/service-values.ts";
import { chatSecretArns, createWebhookOutputs } from "../functions/chat-access.ts";
import { reportConcurrency } from "../functions/concurrency.ts";
import { checkAnswers, recordDeployment } from "../functions/deployment-steps.ts";
import { allowCalls } from "../functions/family-functions.ts";
import { needs } from "../functions/function-needs.ts";
import { knowledgeAccess } from "../functions/knowledge-access.ts";
import { configuredModels, modelAccess, secretAccess } from "../functions/model-access.ts";
import { grantRunLogs, runLogGroups } from "../functions/run-logs.ts";
import { toolAccess } from "../functions/tool-access.ts";
import { encryptWith } from "../storage/customer-key.ts";
import { createScheduler, schedulerValues } from "../storage/scheduler.ts";
import { createChatQueues, createChatWorker, hasChats } from "../workers/chat.ts";
import { createDeliveryQueue, createDeliveryWorker } from "../workers/deliveries.ts";
import { createEvalQueue, createEvalWorker } from "../workers/evals.ts";
import { createHousekeeper } from "../workers/housekeeping.ts";
import { createKnowledgeQueue, createKnowledgeWorker } from "../workers/knowledge.ts";
import { createQueueFunctions, createQueues } from "../workers/run-queue.ts";
import { createScheduleExecutor } from "../workers/schedule-executor.ts";
import { createScheduleReconcile } from "../workers/schedule-reconcile.ts";
import type { Data } from "./data-stack.ts";
import type { Users } from "./user-stack.ts";

/** What other stacks of an app may build on. */
export type Service = {
  /** Address at which clients reach it. */
  readonly url: string;
  readonly api: HttpApi;
  readonly runQueue: Queue;
  readonly deadLetters: Queue;
  readonly functions: Readonly<Record<string, IFunction>>;
};

/**
 * Resources that may be replaced at any time: API, functions, queues, edge and alarms.
 *
 * @param users  the deployment's own, whose pool is a further issuer
 */
export function createServiceStack(
  scope: Construct,
  config: AppConfig,
  data: Data,
  users: Users | undefined,
): Service {
  const stack = new Stack(scope, "Service", {
    stackName: `agent-platform-${config.stage}`,
    description: "API, functions and queues of the agent platform",
  });
  reportSettings(stack, config);
  encryptWith(stack, data.key);
  const queues = createQueues(stack);
  const knowledgeQueue = createKnowledgeQueue(stack);
  const evalQueue = createEvalQueue(stack);
  const deliveryQueue = createDeliveryQueue(stack);
  const { chatQueue, chatDeadLetters } = createChatQueues(stack);
  const scheduler = createScheduler(stack, config, data.key);
  const urls = {
    RUN_QUEUE_URL: queues.runQueue.queueUrl,
    DEAD_LETTER_QUEUE_URL: queues.deadLetters.queueUrl,
    KNOWLEDGE_QUEUE_URL: knowledgeQueue.queueUrl,
    EVAL_QUEUE_URL: evalQueue.queueUrl,
    CHAT_QUEUE_URL: chatQueue.queueUrl,
    DELIVERY_QUEUE_URL: deliveryQueue.queueUrl,
  };
  const common = {
    ...serviceValues(config, data, urls, schedulerValues(scheduler)),
    USER_POOL_ISSUER: users && stack.toJsonString(users.issuer),
  };
  const model = modelAccess(stack, configuredModels(config));
  const knowledge = knowledgeAccess(stack, config, data.vectorBucket);
  const resources = {
    ...data,
    runQueue: queues.runQueue,
    deadLetters: queues.deadLetters,
    knowledgeQueue,
    evalQueue,
    scheduler,
    model,
    tools: toolAccess(stack, config),
    knowledge,
    spanHeaders: secretAccess(stack, config.otlpHeadersSecret),
    cardKey: secretAccess(stack, config.a2aCardKeySecret),
    chatQueue,
    deliveryQueue,
    chatSecrets: chatSecretArns(stack, config),
  };

  const housekeeper = createHousekeeper(stack, config, common, queues.deadLetters, resources);
  const values = {
    ...common,
    METRICS_REFRESHER: housekeeper.functionName,
    RUN_LOG_GROUPS: runLogGroups(stack),
  };
  const edgeSecret = createEdgeSecret(stack, config);
  const api = createApiFunctions(stack, config, values, resources, edgeSecret);
  allowCalls(api.families.metrics, { housekeeper });
  const functions = createQueueFunctions(stack, config, values, queues, resources);
  const knowledgeWorker = createKnowledgeWorker(stack, config, values, resources);
  const evalWorker = createEvalWorker(stack, config, values, resources);
  const chatWorker = createChatWorker(stack, config, values, resources, api.families);
  const deliveryWorker = createDeliveryWorker(stack, config, values, resources);
  const scheduleExecutor = createScheduleExecutor(stack, config, values, resources, api.families);
  const reconcile = createScheduleReconcile(stack, config, values, resources);
  // Once every function is there, and with it its log group.
  grantRunLogs(stack, api.families.queue, needs.queue.runLogs);
  const domain = createApiDomain(stack, config);
  const routed = createHttpApi(stack, config, api, domain);
  const { httpApi } = routed;
  const address = createPublicAddress(stack, config, httpApi, domain, api.streams, edgeSecret);
  createConsole(stack, config, routed, { ...address, objects: data.objects, users, families: api.families });
  paceRoutes(routed);
  recordDeployment(stack, config, data, queues.deadLetters);
  checkAnswers(stack, config, address.defaultUrl, [routed.routes, httpApi, address.answers]);
  const watched = {
    httpApi,
    queues,
    functions,
    scheduler,
    reconcile,
    streams: [...api.streams.values()],
    housekeeper,
    chatDeadLetters,
    tables: data.tables,
    workers: [functions.worker, knowledgeWorker, evalWorker, scheduleExecutor],
    wakeupQueues: [
      knowledgeQueue,
      evalQueue,
      ...(hasChats(config) ? [chatQueue] : []),
      ...(publishesEvents(config) ? [deliveryQueue] : []),
    ],
  };
  createAlarmTopic(stack, config);
  const alarms = createAlarms(stack, config, watched);
  createDashboard(stack, config, { ...watched, alarms });
  createWebhookOutputs(stack, config, address.baseUrl);
  reportConcurrency(stack, config);
  return {
    url: address.baseUrl,
    api: httpApi,
    runQueue: queues.runQueue,
    deadLetters: queues.deadLetters,
    functions: {
      ...api.families,
      ...functions,
      authorizer: api.authorizer,
      housekeeper,
      knowledgeWorker,
      evalWorker,
      chatWorker,
      deliveryWorker,
      scheduleExecutor,
    },
  };
}

/** What may be spent, and a warning where no user can sign in. */
function reportSettings(stack: Stack, config: AppConfig): void {
  reportSpending(stack, config);
  const { jwtIssuers, stage, userPool } = config;
  if (jwtIssuers.length > 0 || userPool === "true" || stage === "local") return;
  Annotations.of(stack).addWarningV2(
    "agent-platform:noIssuer",
    "No issuer is configured (context jwtIssuers): every credential will be refused.",
  );
}
