import * as v from "valibot";
import { edgeSecretEntry } from "./edge-secret.ts";
import { settingEntries } from "./settings.ts";
import { tableVariable } from "./table-env.ts";

/**
 * The environment of the authorizer, and its parts that other functions have too (`function-env.ts`). In a file of its own:
 * schemas are made when their file is loaded, and every request waits for the authorizer's cold start.
 */

const wholeNumber = () => v.pipe(v.string(), v.transform(Number), v.integer(), v.minValue(0));

/** Variables of every function. */
export const common = {
  /** Names this instance on the wire (`os_id`). */
  OS_ID: v.string(),
  STAGE: v.string(),
  POWERTOOLS_SERVICE_NAME: v.string(),
};

/** Which interfaces are served, and where; see `shared/routes/served.ts`. */
export const interfaces = {
  A2A_ENABLED: v.optional(v.picklist(["true", "false"]), "false"),
  A2A_PREFIX: v.optional(v.pipe(v.custom<`/${string}`>((path) => /^\/./.test(String(path)))), "/a2a"),
  AGUI_ENABLED: v.optional(v.picklist(["true", "false"]), "false"),
  MCP_ENABLED: v.optional(v.picklist(["true", "false"]), "false"),
};

/** What authorizing a credential needs. */
export const access = {
  ...interfaces,
  /** JSON array of issuers, see `shared/auth/identify/issuers.ts`. No issuer means: every credential is refused. */
  JWT_ISSUERS: v.optional(v.string(), "[]"),
  /** JSON: the deployment's own user pool as one more issuer. Its id is known only at the deployment, unlike the others. */
  USER_POOL_ISSUER: v.optional(v.string()),
  ADMIN_SCOPE: v.optional(v.string(), "platform:admin"),
  /** JSON object: `METHOD /path` → scopes, see `shared/auth/scopes/scope-mappings.ts`. */
  SCOPE_MAPPINGS: v.optional(v.string(), "{}"),
  /** How long a service account's valid token is cached; revoking takes effect that much later. */
  SERVICE_ACCOUNT_CACHE_SECONDS: v.optional(wholeNumber(), "30"),
  /** Requests a minute that one principal may make; 0 sets no limit. */
  REQUESTS_PER_MINUTE: v.optional(wholeNumber(), "30000"),
  /** ARN of the secret by which CloudFront's requests are known, where CloudFront is the way in. */
  ...edgeSecretEntry,
};

/** The names of the tables and of the bucket. A function's role says which of them it may use, and for what. */
export const stores = {
  ...v.entriesFromList(Object.values(tableVariable), v.string()),
  /** Holds what is too large for an item. */
  OBJECTS_BUCKET: v.string(),
  /** Whether receivers are told how runs end. */
  WEBHOOKS: v.optional(v.picklist(["on", "off"]), "off"),
  /** Name of the event bus that hears of every change; absent where there is none. */
  EVENT_BUS: v.optional(v.string()),
  /** Whether background runs may end tasks of state machines. */
  TASK_TOKENS: v.optional(v.picklist(["true", "false"]), "false"),
  ...settingEntries("JOB_INDEX_SHARDS", "DELIVERY_RETENTION_DAYS"),
};

export const authorizerEnv = v.object({ ...common, ...access, ...stores });
