import * as v from "valibot";
import { MAX_BODY_BYTES } from "../runtime/body-limit.ts";
import { UNPUBLISHED } from "../runtime/functions/function-versions.ts";
import { access, common, interfaces, stores } from "./authorizer-environment.ts";
import { keyEntries, keys } from "./keys.ts";
import { access as accessSettings } from "./rows/access.ts";
import { audit as auditSettings } from "./rows/audit.ts";
import { background } from "./rows/background.ts";
import { chats as chatSettings } from "./rows/chats.ts";
import { deployment } from "./rows/deployment.ts";
import { entrance } from "./rows/entrance.ts";
import { events } from "./rows/events.ts";
import { feedback as feedbackSettings } from "./rows/feedback.ts";
import { instance } from "./rows/instance.ts";
import { interfaceOptions } from "./rows/interface-options.ts";
import { knowledge as knowledgeSettings } from "./rows/knowledge.ts";
import { models } from "./rows/models.ts";
import { receivers } from "./rows/receivers.ts";
import { runs } from "./rows/runs.ts";
import { tracing as tracingSettings } from "./rows/tracing.ts";
import { variablesOf } from "./setting.ts";

/**
 * The environment of every function but the authorizer (`authorizer-environment.ts`), read once at its start: the settings
 * that it reads, and the names that the template gives it. `lib/` is typed by these schemas, so a missing variable does not
 * compile there.
 */

const adminScope = variablesOf(accessSettings, "adminScope");

/** Further variables of every function that serves routes. */
const api = {
  ...common,
  ...variablesOf(entrance, "corsAllowedOrigins"),
  /** Largest request body in bytes. */
  MAX_BODY_BYTES: v.optional(v.pipe(v.string(), v.transform(Number), v.integer()), String(MAX_BODY_BYTES)),
  ...adminScope,
};

/** What functions need in addition that end runs, or make other changes that receivers are notified of. */
const publishing = { DELIVERY_QUEUE_URL: v.string() };

/** ARN of the secret that signs messages to receivers; absent where webhooks are off. */
const signing = { WEBHOOK_SECRET: v.optional(v.string()) };

const outgoing = variablesOf(receivers, "fetchAllowedHosts");
const approving = variablesOf(entrance, "approvers");
const defaultModel = variablesOf(models, "model");
const judge = variablesOf(models, "judgeModel");
const model = {
  ...variablesOf(
    models,
    "model",
    "helperModel",
    "modelBaseUrl",
    "modelApiKeySecret",
    "modelProviders",
    "modelPrices",
    "modelWindows",
    "modelHealth",
    "modelLimits",
    "promptCache",
    "modelFirstTokenSeconds",
    "modelSilenceSeconds",
  ),
  ...keyEntries(keys.defaultModel.names),
  ...keyEntries(keys.providers.names),
};

/** What a function that executes tools reads about them. */
const tools = {
  ...variablesOf(models, "toolSecrets", "maxParallelTools", "toolTimeoutSeconds"),
  /** JSON object with the values themselves, by name; on one machine alone, where they come from its environment. */
  TOOL_SECRET_VALUES: v.optional(v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.string())), "{}"),
};

const sessionPolicy = variablesOf(background, "sessionPolicy");
const queueSwitch = variablesOf(background, "queueEnabled");
/** What background runs are accepted on. */
const accepting = {
  ...sessionPolicy,
  ...variablesOf(runs, "max_attempts", "max_queue_depth", "max_queued_per_user"),
};
/** What functions need that claim, end or count jobs. */
const jobs = variablesOf(
  runs,
  "lock_grace_seconds",
  "max_running_per_user",
  "execution_timeout_seconds",
  "job_retention_seconds",
  "max_attempts",
);
const dailyBudgets = variablesOf(
  runs,
  "daily_tokens_per_user",
  "daily_cost_per_user",
  "daily_tokens_per_deployment",
  "daily_cost_per_deployment",
);

const bases = variablesOf(knowledgeSettings, "knowledgeBases");
const vectorStore = variablesOf(knowledgeSettings, "vectorStore");
/** What searching knowledge needs. */
const knowledge = {
  ...bases,
  ...vectorStore,
  /** Name of the vector bucket, where S3 Vectors is used. */
  VECTOR_BUCKET: v.optional(v.string()),
  ...variablesOf(knowledgeSettings, "embedder", "embedderBaseUrl", "embedderApiKeySecret"),
  ...keyEntries(["EMBEDDER_API_KEY"]),
};

/** What processing content needs in addition. */
const processing = { ...knowledge, KNOWLEDGE_QUEUE_URL: v.string(), ...outgoing };

const tracing = {
  ...variablesOf(
    tracingSettings,
    "tracing",
    "traceContent",
    "traceRedact",
    "traceParent",
    "otlpEndpoints",
    "otlpContent",
    "otlpMetrics",
    "otlpHeadersSecret",
  ),
  ...variablesOf(runs, "trace_sample_ratio", "trace_retention_days"),
  ...keyEntries(keys.spans.names),
};

const chatInterfaces = variablesOf(chatSettings, "whatsapp", "telegram", "slack");
/** What becomes of a message while another one is answered. */
const chatBusy = variablesOf(chatSettings, "chatBusy");
/** Names of the secrets that the chat platforms and we share; on one machine the secrets themselves. */
const chatSecrets = {
  ...variablesOf(chatSettings, "whatsappSecret", "telegramSecret", "slackSecret"),
  ...keyEntries(keys.chats.names),
};

export const platformEnv = v.object({
  ...api,
  ...interfaces,
  /** JSON object: family → function name, for requests that reached only the catch-all route. */
  FAMILY_FUNCTIONS: v.string(),
  ...defaultModel,
  // What `/health?deep=1` asks.
  ...stores,
  AUTHORIZER_FUNCTION: v.string(),
  RUN_QUEUE_URL: v.string(),
});

/** The user pool's trigger, which serves no routes. */
export const preTokenEnv = v.object(variablesOf(instance, "stage"));

/** Empties the buckets of a disposable stage that is removed. */
export const dataRemoverEnv = v.object({
  POWERTOOLS_SERVICE_NAME: v.string(),
  OBJECTS_BUCKET: v.string(),
  /** Absent where vectors are in a table. */
  VECTOR_BUCKET: v.optional(v.string()),
});

/** Does steps of a deployment; what it acts on is named by each request. */
export const deploymentEnv = v.object({ POWERTOOLS_SERVICE_NAME: v.string() });

/** The page for operators: no tables, no registry. */
export const consoleEnv = v.object({
  ...common,
  ...variablesOf(
    deployment,
    "consoleIssuer",
    "consoleClientId",
    "consoleScope",
    "consoleName",
    "consoleColour",
  ),
  /** Origin of the bucket's addresses, to which the page sends large files. */
  UPLOAD_ORIGIN: v.string(),
  /** Address of S3, where it is not AWS's own. */
  AWS_ENDPOINT_URL_S3: v.optional(v.string()),
});

export const configEnv = v.object({
  ...api,
  ...interfaces,
  ...queueSwitch,
  ...sessionPolicy,
  ...defaultModel,
  ...bases,
  ...chatInterfaces,
  ...vectorStore,
});
export const runnablesEnv = v.object({ ...api, ...stores, ...defaultModel });

/** What functions need in addition that start, continue and cancel runs for a client. */
const runEntryPoint = {
  ...publishing,
  ...outgoing,
  ...variablesOf(receivers, "callbackUrl"),
  ...jobs,
  ...variablesOf(
    runs,
    "max_foreground_per_user",
    "max_foreground",
    "retry_base_delay_seconds",
    "approval_expires_seconds",
  ),
  ...dailyBudgets,
};

export const runsEnv = v.object({
  ...api,
  ...access,
  ...model,
  ...tools,
  ...stores,
  ...knowledge,
  ...tracing,
  ...queueSwitch,
  ...approving,
  RUN_QUEUE_URL: v.string(),
  DEAD_LETTER_QUEUE_URL: v.string(),
  ...accepting,
  ...runEntryPoint,
  ...signing,
  ...variablesOf(feedbackSettings, "feedbackKeys", "feedbackLinks"),
  ...variablesOf(interfaceOptions, "aguiComponent", "mcpTools", "mcpConfirm", "publicUrl"),
});

export const a2aEnv = v.object({
  ...api,
  ...access,
  ...stores,
  ...knowledge,
  ...queueSwitch,
  ...approving,
  /** To name the model that will execute a run; this function calls none. */
  ...defaultModel,
  RUN_QUEUE_URL: v.string(),
  ...accepting,
  ...runEntryPoint,
  ...variablesOf(interfaceOptions, "a2aCardKeySecret", "a2aHostAgent", "publicUrl"),
  ...keyEntries(keys.cards.names),
});

export const approvalsEnv = v.object({ ...api, ...approving, ...stores });

export const queueEnv = v.object({
  ...api,
  /** JSON object: function name → log group, of the functions that execute runs or act on them. */
  RUN_LOG_GROUPS: v.string(),
  ...stores,
  ...queueSwitch,
  RUN_QUEUE_URL: v.string(),
  ...publishing,
  ...variablesOf(runs, "lock_grace_seconds", "job_retention_seconds"),
});

export const deliveriesEnv = v.object({ ...api, ...stores, ...publishing, ...outgoing, ...signing });

export const deliveryWorkerEnv = v.object({
  ...common,
  ...stores,
  ...publishing,
  ...outgoing,
  ...signing,
  ...variablesOf(events, "eventBusContents"),
});

export const componentsEnv = v.object({
  ...api,
  ...stores,
  ...publishing,
  // What configs may name.
  ...defaultModel,
  ...bases,
});
export const serviceAccountsEnv = v.object({
  ...api,
  ...stores,
  ...publishing,
  ...variablesOf(interfaceOptions, "publicUrl", "mcpGrantDays", "mcpRegistration"),
  // Whom a user who has let an app in is asked about.
  ...variablesOf(deployment, "consoleIssuer", "consoleClientId"),
  ...variablesOf(accessSettings, "jwtIssuers"),
  USER_POOL_ISSUER: access.USER_POOL_ISSUER,
});
export const sessionsEnv = v.object({
  ...api,
  ...model,
  ...stores,
  ...dailyBudgets,
  DEAD_LETTER_QUEUE_URL: v.string(),
});

export const databasesEnv = v.object({ ...api, ...stores, ...bases, DEAD_LETTER_QUEUE_URL: v.string() });

/** `METRICS_REFRESHER`: name of the function that computes figures, among other things. */
export const metricsEnv = v.object({ ...api, ...stores, ...dailyBudgets, METRICS_REFRESHER: v.string() });

/** Group of the schedules at EventBridge Scheduler, the queues they send to, and the role they send with. */
const scheduler = {
  SCHEDULE_GROUP: v.string(),
  SCHEDULE_QUEUE_ARN: v.string(),
  SCHEDULE_DEAD_LETTERS_ARN: v.string(),
  SCHEDULE_ROLE_ARN: v.string(),
};

export const schedulesEnv = v.object({
  ...api,
  ...stores,
  ...scheduler,
  ...outgoing,
  ...publishing,
  SCHEDULE_QUEUE_URL: v.string(),
});
export const memoriesEnv = v.object({
  ...api,
  ...model,
  ...stores,
  ...dailyBudgets,
});
export const learningsEnv = v.object({ ...api, ...stores });
export const auditEnv = v.object({ ...api, ...stores });
export const feedbackEnv = v.object({
  ...api,
  ...stores,
  ...publishing,
  ...signing,
  ...tracing,
  ...variablesOf(feedbackSettings, "feedbackKeys", "feedbackLinks"),
  ...variablesOf(interfaceOptions, "publicUrl"),
});
export const evalsEnv = v.object({
  ...api,
  ...stores,
  ...publishing,
  ...defaultModel,
  ...judge,
  ...bases,
  EVAL_QUEUE_URL: v.string(),
});

export const evalWorkerEnv = v.object({
  ...outgoing,
  ...common,
  ...model,
  ...tools,
  ...stores,
  ...knowledge,
  ...tracing,
  EVAL_QUEUE_URL: v.string(),
  ...publishing,
  ...judge,
  ...variablesOf(runs, "execution_timeout_seconds", "approval_expires_seconds"),
  ...dailyBudgets,
});

export const tracesEnv = v.object({ ...api, ...stores, ...variablesOf(runs, "trace_retention_days") });
export const scheduleReconcileEnv = v.object({ ...common, ...stores, ...scheduler, ...publishing });

export const scheduleExecutorEnv = v.object({
  ...common,
  ...stores,
  ...publishing,
  // It removes entries of schedules, and makes none.
  SCHEDULE_GROUP: scheduler.SCHEDULE_GROUP,
  /** Receives slots, and wake-ups of attempts. */
  SCHEDULE_QUEUE_URL: v.string(),
  ...adminScope,
  /** JSON object: family → function name; what is called for schedules. */
  FAMILY_FUNCTIONS: v.string(),
});

export const webhooksEnv = v.object({
  ...api,
  ...stores,
  ...chatInterfaces,
  ...chatSecrets,
  ...chatBusy,
  CHAT_QUEUE_URL: v.string(),
});

export const chatWorkerEnv = v.object({
  ...common,
  ...stores,
  ...chatInterfaces,
  ...chatSecrets,
  ...chatBusy,
  CHAT_QUEUE_URL: v.string(),
  // What people say about answers is published and exported.
  ...publishing,
  ...tracing,
  ...adminScope,
  /** JSON object: family → function name; runs are started there. */
  FAMILY_FUNCTIONS: v.string(),
});

export const knowledgeEnv = v.object({ ...api, ...stores, ...processing });
export const knowledgeWorkerEnv = v.object({ ...common, ...stores, ...processing });

export const workerEnv = v.object({
  ...outgoing,
  ...common,
  /** Set by Lambda: name and published version of the function that this code runs as. */
  AWS_LAMBDA_FUNCTION_NAME: v.optional(v.string(), ""),
  AWS_LAMBDA_FUNCTION_VERSION: v.optional(v.string(), UNPUBLISHED),
  ...model,
  ...tools,
  ...stores,
  ...knowledge,
  ...tracing,
  RUN_QUEUE_URL: v.string(),
  DEAD_LETTER_QUEUE_URL: v.string(),
  SCHEDULE_QUEUE_URL: v.string(),
  CHAT_QUEUE_URL: v.string(),
  ...publishing,
  ...jobs,
  ...variablesOf(
    runs,
    "retry_base_delay_seconds",
    "slice_seconds",
    "worker_batch_size",
    "run_pin_days",
    "approval_expires_seconds",
  ),
  ...dailyBudgets,
});

export const sweeperEnv = v.object({
  ...common,
  ...variablesOf(auditSettings, "auditExportBucket"),
  /** Name of the function whose old versions are deleted. */
  WORKER_FUNCTION: v.string(),
  ...stores,
  RUN_QUEUE_URL: v.string(),
  DEAD_LETTER_QUEUE_URL: v.string(),
  SCHEDULE_QUEUE_URL: v.string(),
  KNOWLEDGE_QUEUE_URL: v.string(),
  EVAL_QUEUE_URL: v.string(),
  CHAT_QUEUE_URL: v.string(),
  ...publishing,
  ...jobs,
  ...variablesOf(runs, "pause_life_seconds", "run_pin_days", "approval_expires_seconds"),
});

export const housekeeperEnv = v.object({
  ...common,
  ...stores,
  ...bases,
  RUN_QUEUE_URL: v.string(),
  DEAD_LETTER_QUEUE_URL: v.string(),
  ...publishing,
  ...jobs,
  ...variablesOf(runs, "migration_units_per_second"),
});
