import { type TableEnv, tableNames, tableVariable } from "../../shared/settings/table-env.ts";
import type { Data, Tables } from "../stacks/data-stack.ts";
import type { AppConfig } from "./config.ts";

type QueueUrls = {
  readonly RUN_QUEUE_URL: string;
  readonly DEAD_LETTER_QUEUE_URL: string;
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
    ...config.environment,
    TASK_TOKENS: config.taskTokens.length > 0 ? ("true" as const) : ("false" as const),
    VECTOR_BUCKET: vectorBucket?.name,
    WEBHOOK_SECRET: webhookSecret,
    ...queueUrls,
    ...scheduler,
    ...tableValues(tables),
    OBJECTS_BUCKET: objects.bucketName,
  };
}

function tableValues(tables: Tables): TableEnv {
  const named = tableNames.map((name) => [tableVariable[name], tables[name].tableName]);
  // One entry for each name of the list; the type of Object.fromEntries does not keep the names.
  return Object.fromEntries(named) as TableEnv;
}
