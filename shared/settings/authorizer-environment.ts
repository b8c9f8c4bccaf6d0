import * as v from "valibot";
import { access as accessSettings } from "./rows/access.ts";
import { events } from "./rows/events.ts";
import { instance } from "./rows/instance.ts";
import { interfaces as interfaceSettings } from "./rows/interfaces.ts";
import { storage } from "./rows/storage.ts";
import { variablesOf } from "./setting.ts";
import { tableVariable } from "./table-env.ts";

/**
 * The environment of the authorizer, and its parts that other functions have too (`environments.ts`). In a file of its own:
 * schemas are made when their file is loaded, and every request waits for the authorizer's cold start.
 */

/** Variables of every function. */
export const common = { ...variablesOf(instance, "osId", "stage"), POWERTOOLS_SERVICE_NAME: v.string() };

/** Which interfaces are served, and where; see `shared/routes/served.ts`. */
export const interfaces = variablesOf(
  interfaceSettings,
  "a2a",
  "a2aPrefix",
  "agui",
  "chat",
  "openai",
  "mcp",
  "mcpAuth",
);

/** What authorizing a credential needs. */
export const access = {
  ...interfaces,
  ...variablesOf(
    accessSettings,
    "jwtIssuers",
    "adminScope",
    "scopeMappings",
    "serviceAccountCacheSeconds",
    "requestsPerMinute",
    "unauthenticatedPerMinute",
  ),
  /** JSON: the deployment's own user pool as one more issuer. Its id is known only at the deployment, unlike the others. */
  USER_POOL_ISSUER: v.optional(v.string()),
  /** ARN of the secret by which CloudFront's requests are known; absent where nothing stands before the HTTP API. */
  EDGE_SECRET: v.optional(v.string()),
};

/** The names of the tables and of the bucket. A function's role says which of them it may use, and for what. */
export const stores = {
  ...v.entriesFromList(Object.values(tableVariable), v.string()),
  /** Holds what is too large for an item. */
  OBJECTS_BUCKET: v.string(),
  ...variablesOf(events, "webhooks", "eventBus"),
  /** Whether background runs may end tasks of state machines; of which ones, only the worker's rights say. */
  TASK_TOKENS: v.optional(v.picklist(["true", "false"]), "false"),
  ...variablesOf(
    storage,
    "job_index_shards",
    "run_index_shards",
    "delivery_retention_days",
    "auditRetentionDays",
  ),
};

export const authorizerEnv = v.object({ ...common, ...access, ...stores });
