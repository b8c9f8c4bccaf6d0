import { type TableEnv, tableNames, tableVariable } from "../../shared/runtime/table-env.ts";
import type { Data, Tables } from "../stacks/data-stack.ts";
import type { AppConfig } from "./config.ts";

type QueueUrls = {
  readonly RUN_QUEUE_URL: string;
  readonly DEAD_LETTER_QUEUE_URL: string;
  readonly REMOVAL_QUEUE_URL: string;
  readonly MIGRATION_QUEUE_URL: string;
  readonly KNOWLEDGE_QUEUE_URL: string;
  readonly EVAL_QUEUE_URL: string;
  readonly CHAT_QUEUE_URL: string;
  readonly DELIVERY_QUEUE_URL: string;
};
type SchedulerValues = Readonly<
  Record<
    | "SCHEDULE_GROUP"
    | "SCHEDULE_QUEUE_URL"
    | "SCHEDULE_QUEUE_ARN"
    | "SCHEDULE_DEAD_LETTERS_ARN"
    | "SCHEDULE_ROLE_ARN",
    string
  >
>;

export type ServiceValues = ReturnType<typeof serviceValues> & {
  /** JSON: the deployment's own user pool as an issuer, where there is one. */
  readonly USER_POOL_ISSUER?: string | undefined;
  /** Name of a function that another one calls. It is created from the other values, so it is added later. */
  readonly METRICS_REFRESHER: string;
  /** Log groups of functions that are created later; see `lib/functions/run-logs.ts`. */
  readonly RUN_LOG_GROUPS: string;
};

/**
 * Every environment variable of the service's functions. `environmentFor` picks from these the ones that a function's
 * schema names.
 */
export function serviceValues(
  config: AppConfig,
  { tables, objects, vectorBucket, webhookSecret }: Data,
  queueUrls: QueueUrls,
  scheduler: SchedulerValues,
) {
  return {
    OS_ID: config.osId,
    STAGE: config.stage,
    CORS_ALLOWED_ORIGINS: config.corsAllowedOrigins,
    ADMIN_SCOPE: config.adminScope,
    JWT_ISSUERS: config.jwtIssuers,
    SCOPE_MAPPINGS: config.scopeMappings,
    APPROVERS: config.approvers,
    SERVICE_ACCOUNT_CACHE_SECONDS: config.serviceAccountCacheSeconds,
    REQUESTS_PER_MINUTE: config.requestsPerMinute,
    MODEL: config.model,
    MODEL_BASE_URL: config.modelBaseUrl,
    MODEL_API_KEY_SECRET: config.modelApiKeySecret,
    MODEL_PROVIDERS: config.modelProviders,
    MODEL_PRICES: config.modelPrices,
    JUDGE_MODEL: config.judgeModel,
    TOOL_SECRETS: config.toolSecrets,
    QUEUE_ENABLED: config.queueEnabled,
    SESSION_POLICY: config.sessionPolicy,
    A2A_ENABLED: config.a2a,
    A2A_PREFIX: config.a2aPrefix,
    AGUI_ENABLED: config.agui,
    AGUI_COMPONENT: config.aguiComponent,
    MCP_ENABLED: config.mcp,
    MCP_TOOLS: config.mcpTools,
    A2A_HOST_AGENT: config.a2aHostAgent,
    A2A_CARD_KEY_SECRET: config.a2aCardKeySecret,
    PUBLIC_URL: config.publicUrl,
    KNOWLEDGE_BASES: config.knowledgeBases,
    EMBEDDER: config.embedder,
    EMBEDDER_BASE_URL: config.embedderBaseUrl,
    EMBEDDER_API_KEY_SECRET: config.embedderApiKeySecret,
    VECTOR_STORE: config.vectorStore,
    VECTOR_BUCKET: vectorBucket?.name,
    FETCH_ALLOWED_HOSTS: config.fetchAllowedHosts,
    WEBHOOKS: config.webhooks,
    WEBHOOK_SECRET: webhookSecret,
    CALLBACK_URL: config.callbackUrl,
    EVENT_BUS: config.eventBus,
    EVENT_BUS_CONTENTS: config.eventBusContents,
    TASK_TOKENS: config.taskTokens.length > 0 ? ("true" as const) : ("false" as const),
    TRACING: config.tracing,
    TRACE_CONTENT: config.traceContent,
    TRACE_REDACT: config.traceRedact,
    OTLP_ENDPOINTS: config.otlpEndpoints,
    OTLP_HEADERS_SECRET: config.otlpHeadersSecret,
    WHATSAPP: config.whatsapp,
    WHATSAPP_SECRET: config.whatsappSecret,
    TELEGRAM: config.telegram,
    TELEGRAM_SECRET: config.telegramSecret,
    SLACK: config.slack,
    SLACK_SECRET: config.slackSecret,
    ...queueUrls,
    ...scheduler,
    ...tableValues(tables),
    OBJECTS_BUCKET: objects.bucketName,
    ...config.settings,
  };
}

function tableValues(tables: Tables): TableEnv {
  const named = tableNames.map((name) => [tableVariable[name], tables[name].tableName]);
  // One entry for each name of the list; the type of Object.fromEntries does not keep the names.
  return Object.fromEntries(named) as TableEnv;
}
