import * as v from "valibot";
import { access, common, interfaces, stores } from "./authorizer-env.ts";
import { MAX_BODY_BYTES } from "./body-limit.ts";
import { chatInterfaces, chatSecrets } from "./chat-settings.ts";
import { UNPUBLISHED } from "./functions/function-versions.ts";
import { DEFAULT_BASES, hostList, KnowledgeBasesText, vectorStores } from "./knowledge-settings.ts";
import { settingEntries } from "./settings.ts";
import { toolSecretEntries } from "./tool-secrets-settings.ts";
import { tracingEntries } from "./tracing-settings.ts";

/**
 * The environment of every function but the authorizer (`authorizer-env.ts`), read once at its start. `lib/` is typed by these schemas, so a missing
 * variable does not compile there.
 */

/** Further variables of every function that serves routes. */
const api = {
  ...common,
  /** Origins that browsers may call from, separated by commas; those of the peer's UIs when empty, see `shared/http/cors.ts`. */
  CORS_ALLOWED_ORIGINS: v.optional(v.string(), ""),
  /** Largest request body in bytes. */
  MAX_BODY_BYTES: v.optional(v.pipe(v.string(), v.transform(Number), v.integer()), String(MAX_BODY_BYTES)),
  /** Scope that satisfies every other, or several separated by commas. */
  ADMIN_SCOPE: v.optional(v.string(), "platform:admin"),
};

/** What functions need besides that end runs, or change what else receivers are told of. */
const telling = { DELIVERY_QUEUE_URL: v.string() };

/** ARN of the secret that signs messages to receivers; absent where webhooks are off. */
const signing = { WEBHOOK_SECRET: v.optional(v.string()) };

/** Hosts with their ports, separated by commas, that may be called although their address is not public. */
const outgoing = { FETCH_ALLOWED_HOSTS: v.optional(v.pipe(v.string(), v.transform(hostList)), "") };

/** Who resolves approvals, see `shared/auth/may-approve.ts`. */
const approving = { APPROVERS: v.optional(v.picklist(["admins", "scope"]), "admins") };

const model = {
  /** `scripted`, `amazon-bedrock:<id>`, `openai:<id>`, `anthropic:<id>` or `openai-compatible:<id>`. */
  MODEL: v.string(),
  /** Address of the default model's provider; needed for `openai-compatible`, and replaces that of any other. */
  MODEL_BASE_URL: v.optional(v.string()),
  OPENAI_API_KEY: v.optional(v.string()),
  ANTHROPIC_API_KEY: v.optional(v.string()),
  OPENAI_COMPATIBLE_API_KEY: v.optional(v.string()),
  /** Key of the default model's provider, where its own variable is not set. Bedrock needs none: the role signs. */
  MODEL_API_KEY: v.optional(v.string()),
  /** Name of the Secrets Manager secret that holds the key of the default model's provider, where no variable does. */
  MODEL_API_KEY_SECRET: v.optional(v.string()),
  /** JSON: address and secret of further providers, see `shared/engine/model/provider-settings.ts`. */
  MODEL_PROVIDERS: v.optional(v.string()),
  /** JSON: dollars for a million tokens, by model specification. No price, no cost in the metrics. */
  MODEL_PRICES: v.optional(v.string()),
};

/** Whether background runs are accepted; `false` answers 503 wherever the queue is needed. */
const sessionPolicy = { SESSION_POLICY: v.optional(v.picklist(["queue", "parallel"]), "queue") };
/** What background runs are accepted on. */
const accepting = {
  ...sessionPolicy,
  ...settingEntries("MAX_ATTEMPTS", "MAX_QUEUE_DEPTH", "MAX_QUEUED_PER_USER"),
};
const queueSwitch = { QUEUE_ENABLED: v.optional(v.picklist(["true", "false"]), "true") };

/** What searching knowledge needs. */
const knowledge = {
  /** JSON array of knowledge bases, see `knowledge-settings.ts`. */
  KNOWLEDGE_BASES: v.optional(KnowledgeBasesText, DEFAULT_BASES),
  VECTOR_STORE: v.optional(v.picklist(vectorStores), "dynamodb"),
  /** Name of the vector bucket, where S3 Vectors is used. */
  VECTOR_BUCKET: v.optional(v.string()),
  /** `none`, `local`, `amazon-bedrock:<id>`, `openai:<id>` or `openai-compatible:<id>`. */
  EMBEDDER: v.optional(v.string(), "none"),
  /** Address of the service behind `openai-compatible`; also replaces the other providers' own address. */
  EMBEDDER_BASE_URL: v.optional(v.string()),
  EMBEDDER_API_KEY: v.optional(v.string()),
  /** Name of the Secrets Manager secret that holds the embedder's key, where no variable does. */
  EMBEDDER_API_KEY_SECRET: v.optional(v.string()),
};

/** What processing content needs besides. */
const processing = {
  ...knowledge,
  KNOWLEDGE_QUEUE_URL: v.string(),
  ...outgoing,
};

export const platformEnv = v.object({
  ...api,
  ...interfaces,
  /** JSON object: family → function name, for requests that reached only the catch-all route. */
  FAMILY_FUNCTIONS: v.string(),
  MODEL: v.string(),
});

/** The user pool's trigger, which serves no routes. */
export const preTokenEnv = v.object({ STAGE: v.string() });

/** Empties the buckets of a disposable stage that is removed. */
export const dataRemoverEnv = v.object({
  POWERTOOLS_SERVICE_NAME: v.string(),
  OBJECTS_BUCKET: v.string(),
  /** Absent where vectors are in a table. */
  VECTOR_BUCKET: v.optional(v.string()),
});

/** The page for operators: no tables, no registry. */
export const consoleEnv = v.object({
  ...common,
  /** Identity provider at which the page signs users in; absent where they bring a token. */
  CONSOLE_ISSUER: v.optional(v.string()),
  /** Id of the page as a client of that provider. */
  CONSOLE_CLIENT_ID: v.optional(v.string()),
  /** Origin of the bucket's addresses, to which the page sends large files. */
  UPLOAD_ORIGIN: v.string(),
  /** Address of S3, where it is not AWS's own. */
  AWS_ENDPOINT_URL_S3: v.optional(v.string()),
  /** What the page asks the provider for, separated by blanks. */
  CONSOLE_SCOPE: v.optional(v.string(), "openid"),
});

export const configEnv = v.object({
  ...api,
  ...interfaces,
  ...queueSwitch,
  ...sessionPolicy,
  MODEL: v.string(),
  KNOWLEDGE_BASES: knowledge.KNOWLEDGE_BASES,
  ...chatInterfaces,
  VECTOR_STORE: knowledge.VECTOR_STORE,
});
export const runnablesEnv = v.object({ ...api, ...stores, MODEL: v.string() });

/** What functions need besides that start, continue and cancel runs for a client. */
const runDoor = {
  ...telling,
  ...outgoing,
  /** Receiver of the ends of background runs that name none. */
  CALLBACK_URL: v.optional(v.string()),
  ...settingEntries(
    "MAX_FOREGROUND_PER_USER",
    "MAX_RUNNING_PER_USER",
    "LOCK_GRACE_SECONDS",
    "RETRY_BASE_DELAY_SECONDS",
    "EXECUTION_TIMEOUT_SECONDS",
    "JOB_RETENTION_SECONDS",
    "APPROVAL_EXPIRES_SECONDS",
  ),
  ...settingEntries("DAILY_TOKENS_PER_USER", "DAILY_COST_PER_USER"),
};

export const runsEnv = v.object({
  ...api,
  ...access,
  ...model,
  ...toolSecretEntries,
  ...stores,
  ...knowledge,
  ...tracingEntries,
  ...queueSwitch,
  ...approving,
  RUN_QUEUE_URL: v.string(),
  DEAD_LETTER_QUEUE_URL: v.string(),
  ...accepting,
  ...runDoor,
  /** Which component answers AG-UI where none is named; the first that is declared when absent. */
  AGUI_COMPONENT: v.optional(v.string()),
  /** Components that are tools of their own of the MCP server: `all`, or a list. */
  MCP_TOOLS: v.optional(v.string(), ""),
  /** Address of the service as its clients know it; that of the request's own host when absent. */
  PUBLIC_URL: v.optional(v.string()),
});

export const a2aEnv = v.object({
  ...api,
  ...access,
  ...stores,
  ...knowledge,
  ...queueSwitch,
  ...approving,
  /** To name the model that will execute a run; this function calls none. */
  MODEL: v.string(),
  RUN_QUEUE_URL: v.string(),
  ...accepting,
  ...runDoor,
  /** Name of the secret with the key that signs agent cards, or on one machine the key itself; absent where they are not signed. */
  A2A_CARD_KEY_SECRET: v.optional(v.string()),
  A2A_CARD_KEY: v.optional(v.string()),
  /** The component whose card is public, such as `agents/assistant`. */
  A2A_HOST_AGENT: v.optional(v.pipe(v.string(), v.regex(/^(agents|teams|workflows)\/[^/]+$/))),
  /** Address of the service as its clients know it; that of the request's own host when absent. */
  PUBLIC_URL: v.optional(v.string()),
});

export const approvalsEnv = v.object({ ...api, ...approving, ...stores });

export const queueEnv = v.object({
  ...api,
  /** JSON object: function name → log group, of the functions that execute runs or act on them. */
  RUN_LOG_GROUPS: v.string(),
  ...stores,
  ...queueSwitch,
  RUN_QUEUE_URL: v.string(),
  ...telling,
  ...settingEntries("LOCK_GRACE_SECONDS", "JOB_RETENTION_SECONDS"),
});

export const deliveriesEnv = v.object({ ...api, ...stores, ...telling, ...outgoing, ...signing });

export const deliveryWorkerEnv = v.object({
  ...common,
  ...stores,
  ...telling,
  ...outgoing,
  ...signing,
  /** Whether events of runs on the bus carry their answers. */
  EVENT_BUS_CONTENTS: v.optional(v.picklist(["true", "false"]), "false"),
});

export const componentsEnv = v.object({
  ...api,
  ...stores,
  ...telling,
  // What configs may name.
  MODEL: v.string(),
  KNOWLEDGE_BASES: knowledge.KNOWLEDGE_BASES,
});
export const serviceAccountsEnv = v.object({ ...api, ...stores, ...telling });
export const sessionsEnv = v.object({
  ...api,
  ...model,
  ...stores,
  ...settingEntries("DAILY_TOKENS_PER_USER", "DAILY_COST_PER_USER"),
  REMOVAL_QUEUE_URL: v.string(),
});

export const databasesEnv = v.object({ ...api, ...stores, MIGRATION_QUEUE_URL: v.string() });

/** `METRICS_REFRESHER`: name of the function that computes metrics. */
export const metricsEnv = v.object({ ...api, ...stores, METRICS_REFRESHER: v.string() });
export const metricsRefresherEnv = v.object({ ...common, ...stores });

export const migratorEnv = v.object({
  ...common,
  ...stores,
  MIGRATION_QUEUE_URL: v.string(),
  ...settingEntries("MIGRATION_UNITS_PER_SECOND"),
});

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
  ...telling,
  SCHEDULE_QUEUE_URL: v.string(),
});
export const memoriesEnv = v.object({
  ...api,
  ...model,
  ...stores,
  ...settingEntries("DAILY_TOKENS_PER_USER", "DAILY_COST_PER_USER"),
});
export const learningsEnv = v.object({ ...api, ...stores });
export const evalsEnv = v.object({
  ...api,
  ...stores,
  ...telling,
  MODEL: v.string(),
  /** The judge's model specification; the evaluated component's own where absent. */
  JUDGE_MODEL: v.optional(v.string()),
  KNOWLEDGE_BASES: knowledge.KNOWLEDGE_BASES,
  EVAL_QUEUE_URL: v.string(),
});

export const evalWorkerEnv = v.object({
  ...outgoing,
  ...common,
  ...model,
  ...toolSecretEntries,
  ...stores,
  ...knowledge,
  ...tracingEntries,
  EVAL_QUEUE_URL: v.string(),
  ...telling,
  /** As above; for runs that are judged after their end. */
  JUDGE_MODEL: v.optional(v.string()),
  ...settingEntries("EXECUTION_TIMEOUT_SECONDS", "APPROVAL_EXPIRES_SECONDS"),
  ...settingEntries("DAILY_TOKENS_PER_USER", "DAILY_COST_PER_USER"),
});

export const tracesEnv = v.object({ ...api, ...stores, ...settingEntries("TRACE_RETENTION_DAYS") });
export const scheduleReconcileEnv = v.object({ ...common, ...stores, ...scheduler, ...telling });

export const scheduleExecutorEnv = v.object({
  ...common,
  ...stores,
  ...telling,
  // It removes entries of schedules, and makes none.
  SCHEDULE_GROUP: scheduler.SCHEDULE_GROUP,
  /** Receives slots, and wake-ups of attempts. */
  SCHEDULE_QUEUE_URL: v.string(),
  /** Scope that satisfies every other, or several separated by commas. */
  ADMIN_SCOPE: v.optional(v.string(), "platform:admin"),
  /** JSON object: family → function name; what is called for schedules. */
  FAMILY_FUNCTIONS: v.string(),
});

export const sessionRemoverEnv = v.object({
  ...common,
  ...stores,
  REMOVAL_QUEUE_URL: v.string(),
  ...telling,
  ...settingEntries("JOB_RETENTION_SECONDS"),
});

export const webhooksEnv = v.object({
  ...api,
  ...stores,
  ...chatInterfaces,
  ...chatSecrets,
  CHAT_QUEUE_URL: v.string(),
});

export const chatWorkerEnv = v.object({
  ...common,
  ...stores,
  ...chatInterfaces,
  ...chatSecrets,
  CHAT_QUEUE_URL: v.string(),
  /** Scope that satisfies every other, or several separated by commas. */
  ADMIN_SCOPE: v.optional(v.string(), "platform:admin"),
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
  ...toolSecretEntries,
  ...stores,
  ...knowledge,
  ...tracingEntries,
  RUN_QUEUE_URL: v.string(),
  DEAD_LETTER_QUEUE_URL: v.string(),
  SCHEDULE_QUEUE_URL: v.string(),
  CHAT_QUEUE_URL: v.string(),
  ...telling,
  ...settingEntries(
    "LOCK_GRACE_SECONDS",
    "RETRY_BASE_DELAY_SECONDS",
    "EXECUTION_TIMEOUT_SECONDS",
    "SLICE_SECONDS",
    "WORKER_BATCH_SIZE",
    "RUN_PIN_DAYS",
    "MAX_RUNNING_PER_USER",
    "JOB_RETENTION_SECONDS",
    "APPROVAL_EXPIRES_SECONDS",
  ),
  ...settingEntries("DAILY_TOKENS_PER_USER", "DAILY_COST_PER_USER"),
});

export const sweeperEnv = v.object({
  ...common,
  /** Name of the function whose old versions are deleted. */
  WORKER_FUNCTION: v.string(),
  ...stores,
  RUN_QUEUE_URL: v.string(),
  DEAD_LETTER_QUEUE_URL: v.string(),
  SCHEDULE_QUEUE_URL: v.string(),
  REMOVAL_QUEUE_URL: v.string(),
  KNOWLEDGE_QUEUE_URL: v.string(),
  MIGRATION_QUEUE_URL: v.string(),
  EVAL_QUEUE_URL: v.string(),
  CHAT_QUEUE_URL: v.string(),
  ...telling,
  ...settingEntries(
    "LOCK_GRACE_SECONDS",
    "MAX_RUNNING_PER_USER",
    "JOB_RETENTION_SECONDS",
    "EXECUTION_TIMEOUT_SECONDS",
    "PAUSE_LIFE_SECONDS",
    "RUN_PIN_DAYS",
    "APPROVAL_EXPIRES_SECONDS",
  ),
});

export const deadLetterEnv = v.object({
  ...common,
  ...stores,
  RUN_QUEUE_URL: v.string(),
  DEAD_LETTER_QUEUE_URL: v.string(),
  ...telling,
  ...settingEntries(
    "LOCK_GRACE_SECONDS",
    "MAX_RUNNING_PER_USER",
    "JOB_RETENTION_SECONDS",
    "EXECUTION_TIMEOUT_SECONDS",
  ),
});
