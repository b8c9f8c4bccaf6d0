import { readFileSync } from "node:fs";
import { chatSecretVariables } from "../../shared/runtime/chat-settings.ts";
import { queueSettings } from "../../shared/runtime/settings.ts";
import type { Identity } from "../identity.ts";

/** Environment variables, besides the queue's settings, that `npm start` passes to the app, and their context names. */
const passedOn: Readonly<Record<string, string>> = {
  OS_ID: "osId",
  MODEL: "model",
  MODEL_BASE_URL: "modelBaseUrl",
  MODEL_PROVIDERS: "modelProviders",
  MODEL_PRICES: "modelPrices",
  JUDGE_MODEL: "judgeModel",
  TOOL_SECRETS: "toolSecrets",
  CORS_ALLOWED_ORIGINS: "corsAllowedOrigins",
  ADMIN_SCOPE: "adminScope",
  SCOPE_MAPPINGS: "scopeMappings",
  APPROVERS: "approvers",
  SERVICE_ACCOUNT_CACHE_SECONDS: "serviceAccountCacheSeconds",
  REQUESTS_PER_MINUTE: "requestsPerMinute",
  QUEUE_ENABLED: "queueEnabled",
  SESSION_POLICY: "sessionPolicy",
  A2A_ENABLED: "a2a",
  A2A_PREFIX: "a2aPrefix",
  AGUI_ENABLED: "agui",
  AGUI_COMPONENT: "aguiComponent",
  MCP_ENABLED: "mcp",
  MCP_TOOLS: "mcpTools",
  A2A_HOST_AGENT: "a2aHostAgent",
  PUBLIC_URL: "publicUrl",
  KNOWLEDGE_BASES: "knowledgeBases",
  VECTOR_STORE: "vectorStore",
  EMBEDDER: "embedder",
  EMBEDDER_BASE_URL: "embedderBaseUrl",
  FETCH_ALLOWED_HOSTS: "fetchAllowedHosts",
  WEBHOOKS: "webhooks",
  CALLBACK_URL: "callbackUrl",
  EVENT_BUS: "eventBus",
  EVENT_BUS_CONTENTS: "eventBusContents",
  TASK_TOKENS: "taskTokens",
  TRACING: "tracing",
  TRACE_CONTENT: "traceContent",
  TRACE_REDACT: "traceRedact",
  OTLP_ENDPOINTS: "otlpEndpoints",
  WHATSAPP: "whatsapp",
  TELEGRAM: "telegram",
  SLACK: "slack",
  CONSOLE: "console",
  CONSOLE_ISSUER: "consoleIssuer",
  CONSOLE_CLIENT_ID: "consoleClientId",
  CONSOLE_SCOPE: "consoleScope",
  EDGE: "edge",
};

/** What `npm start` reads instead of context values: the settings as variables. Those that mean nothing here are left out. */
export function environmentOf(settings: Readonly<Record<string, unknown>>): Record<string, string> {
  const queue = Object.keys(queueSettings).map((name): [string, string] => [name, name.toLowerCase()]);
  return Object.fromEntries(
    [...queue, ...Object.entries(passedOn)].flatMap(([variable, context]) => {
      const value = settings[context];
      if (value === undefined) return [];
      return [[variable, typeof value === "object" ? JSON.stringify(value) : String(value)]];
    }),
  );
}

/** Keys of model providers. On AWS they come from a secret or a role, here from the environment of `npm start`. */
const keyVariables = [
  "MODEL_API_KEY",
  "OPENAI_API_KEY",
  "ANTHROPIC_API_KEY",
  "OPENAI_COMPATIBLE_API_KEY",
  "AWS_BEARER_TOKEN_BEDROCK",
  "EMBEDDER_API_KEY",
];

/** The key that signs agent cards. On AWS it comes from a secret. */
const CARD_KEY = "A2A_CARD_KEY";

/** Variables that this machine alone reads. */
const localVariables = [
  "PORT",
  "DATA_DIR",
  "OPEN_ACCESS",
  "LOCAL_CONCURRENCY",
  "LAMBDA_CONCURRENCY",
  "JWT_JWKS_FILE",
  "JWT_VERIFICATION_KEY",
  "DYNAMODB_ENDPOINT",
  "DYNAMODB_ENGINE",
];

/** Every variable that `npm start` reads. */
export const knownVariables: readonly string[] = [
  ...Object.keys(queueSettings),
  ...Object.keys(passedOn),
  ...keyVariables,
  ...chatSecretVariables,
  CARD_KEY,
  ...localVariables,
];

/** Whether a variable is a setting, and neither a key nor a secret. */
export const isSetting = (name: string): boolean =>
  knownVariables.includes(name) && ![...keyVariables, ...chatSecretVariables, CARD_KEY].includes(name);

/** The model providers' keys in the environment. They are never written to a template or a file. */
export const modelKeys = (
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> => valuesOf(keyVariables, environment);

/** The chat platforms' keys in the environment. They are never written to a template or a file. */
export const chatKeys = (environment: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  valuesOf(chatSecretVariables, environment);

/** The key of agent cards in the environment. It is never written to a template or a file. */
export const cardKeys = (environment: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  valuesOf([CARD_KEY], environment);

function valuesOf(
  names: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const key = environment[name];
      return key ? [[name, key]] : [];
    }),
  );
}

/**
 * Context values of the CDK app for this machine: the local identity provider, the scripted model unless another is
 * configured, and every setting in the environment.
 */
export function appContext(
  identity: Identity,
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const settings = Object.keys(queueSettings).map((name) => [name, name.toLowerCase()]);
  const configured = [...settings, ...Object.entries(passedOn)].flatMap(([variable = "", context = ""]) => {
    const value = environment[variable];
    return value ? [[context, value]] : [];
  });
  return {
    stage: "local",
    model: "scripted",
    jwtIssuers: JSON.stringify([identity.issuer, ...furtherIssuers(environment)]),
    ...Object.fromEntries(configured),
  };
}

/** @source contract, auth section 3, "Static keys" and "JWKS" */
function furtherIssuers(environment: Readonly<Record<string, string | undefined>>): object[] {
  const { JWT_JWKS_FILE, JWT_VERIFICATION_KEY } = environment;
  return [
    ...(JWT_JWKS_FILE ? [{ jwks: JSON.parse(readFileSync(JWT_JWKS_FILE, "utf8")) }] : []),
    ...(JWT_VERIFICATION_KEY ? [{ public_keys: [JWT_VERIFICATION_KEY] }] : []),
  ];
}
