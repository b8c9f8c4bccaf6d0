import { forEachTable } from "../../../shared/settings/table-env.ts";
import type { TableAction, TableNeeds } from "./needs.ts";

export const described = forEachTable(() => ({ actions: ["DescribeTable"] as const })) satisfies TableNeeds;

/** Tables that a run reads to search knowledge. */
export const searched = {
  knowledge: { actions: ["BatchGetItem"] },
  chunks: { actions: ["Query", "BatchGetItem"] },
} as const satisfies TableNeeds;

/** What a function needs that publishes its changes, in the same transaction. */
export const publishing = {
  outbox: { actions: ["GetItem", "PutItem"] },
} as const satisfies TableNeeds;

/** What a function needs that records what it does in the audit: it can write records, and read or change none. */
export const recording = { audit: { actions: ["PutItem"] } } as const satisfies TableNeeds;

/** The same as `publishing` for one that executes runs in the foreground: it looks after their leases too. */
export const publishingForeground = {
  outbox: { actions: ["GetItem", "PutItem", "DeleteItem"] },
} as const satisfies TableNeeds;

/** Chunks, and the parts of the index of words, which are replaced in transactions. */
export const chunkWriting = [
  "BatchGetItem",
  "BatchWriteItem",
  "ConditionCheckItem",
  "PutItem",
  "UpdateItem",
  "DeleteItem",
] as const satisfies readonly TableAction[];

/** What is looked at to count what there is of a user. */
export const countingOfUser = {
  sessions: { actions: [], indexes: ["by_owner"] },
  schedules: { actions: [], indexes: ["by_owner"] },
  memories: { actions: ["Query"] },
  learnings: { actions: ["Query"] },
  knowledge: { actions: ["BatchGetItem"], indexes: ["by_owner"] },
  evals: { actions: ["BatchGetItem"], indexes: ["by_owner"] },
  outbox: { actions: ["BatchGetItem"], indexes: ["by_owner"] },
  service_accounts: { actions: ["GetItem", "Query"] },
} as const satisfies TableNeeds;

/** Whose token it is, when it was used, and how often an address or a principal has called. */
export const authorizing = { actions: ["GetItem", "Query", "UpdateItem"] } as const;

/**
 * Tables by which a model call is admitted and paid for: what all workers know of the model and of its limits, the day of its
 * user, and whose account it is that calls.
 */
export const paying = {
  budgets: { actions: ["Query", "UpdateItem"] },
  service_accounts: { actions: ["GetItem"] },
} as const satisfies TableNeeds;

/** Tables that the execution of a run uses, in addition to those of the run itself, its job and its session. */
export const executing = {
  ...paying,
  approvals: { actions: ["GetItem", "PutItem", "UpdateItem"] },
  ...searched,
  // For agents with memories and learnings.
  memories: { actions: ["GetItem", "BatchGetItem", "PutItem", "UpdateItem"], indexes: ["by_owner"] },
  learnings: { actions: ["GetItem", "BatchGetItem", "PutItem", "UpdateItem"], indexes: ["by_owner"] },
  components: { actions: ["GetItem"] },
  ...publishing,
  // A run that is judged after its end.
  evals: { actions: ["PutItem"] },
  // For traced runs.
  traces: { actions: ["Query", "PutItem", "BatchWriteItem"] },
} as const satisfies TableNeeds;

/** The same for runs that a schedule may have started: their end is recorded in the schedule's run. */
export const executingForSchedules = {
  ...executing,
  schedules: { actions: ["UpdateItem"] },
} as const satisfies TableNeeds;
