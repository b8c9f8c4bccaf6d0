import type { TableName } from "../settings/table-env.ts";

/**
 * How the tables are laid out. Read by `lib/` to create them and by the stores to use them; no side effects.
 *
 * Every table has a string partition key `pk` and a string sort key `sk`; items of a family that belong together
 * share a partition. `expires_at` (epoch seconds) is the time-to-live attribute everywhere, and what has expired
 * is ignored on read, because deletion lags.
 */
export type TableLayout = {
  readonly indexes: Readonly<
    Record<string, { readonly pk: string; readonly sk: string; readonly project: "keys" | readonly string[] }>
  >;
};

/**
 * jobs
 *   pk `job#<id>`            sk `job`                  the job
 *   pk `key#<user>#<key>`    sk `key`                  an idempotency key, while its job row lives; one of a
 *                                                      run without a job says where that run is
 *   pk `counter#<shard>`     sk `ended#<expires_at>`   how many jobs ended, by status, in the hour they disappear; after
 *                            and `…#<number>`          a conflict in one of several
 *   pk `uncounted`           sk `<id>#<change>`        a change of these that is added to one of them later
 *   pk `lock-check`          sk `lock-check`           when the check of the locks comes that is under way
 *   pk `reminder#<shard>`    sk `<due_at>#<id>`        a timer: a paused job is processed then, answered or not
 *   pk `waiting#<shard>`     sk `<reason>#<user>#<id>` a queued job that waits without a message, until another run's
 *                                                      end wakes it; the user is hashed
 *
 * Index by_status: pk `<status>#<shard>`, sk `<created_at>#<id>`; carries what lists filter and sort by, so that a
 * list reads rows only for the page it shows.
 * Index by_user: pk `user#<user_id>`, or `<number>user#<user_id>` where a user has several, sk `<status>#<id>`; jobs that are queued or
 * running.
 */
const jobs = {
  indexes: {
    by_status: {
      pk: "status_shard",
      sk: "accepted",
      project: [
        "id",
        "status",
        "attempt",
        "component_type",
        "component_id",
        "user_id",
        "available_at",
        "created_at",
        "updated_at",
        "completed_at",
        "expires_at",
      ],
    },
    by_user: { pk: "user_partition", sk: "user_place", project: "keys" },
  },
} as const satisfies TableLayout;

/**
 * runs
 *   pk `session#<owner>#<session_id>`   sk `run#<run_id>`                     a run record; the owner is in the key
 *   pk `run#<run_id>`                   sk `event#<attempt>#<first index>`    several events of one attempt; the last
 *                                                                             ones of an ended run are on its record
 *   pk `run#<run_id>`                   sk `tool#<call id>#<digest>`          a tool call that must not happen twice,
 *                                                                             written before its start
 *   pk `run#<run_id>`                   sk `task`                             another agent's message started it
 *   pk `run#<run_id>`                   sk `cancellation`                     an admin cancelled it without naming its
 *                                                                             session
 *   pk `elicited#<digest>`              sk `answer`                           what a person answered to a client of the
 *                                                                             MCP server, for the process that waits
 *
 * Runs that no other run started are in three indexes by creation, whose attributes never change afterwards, so that a
 * change of the run writes no index: by_owner with a partition for each user, by_component with four for each component,
 * by_opening with four over everybody's, or as many as `RUN_INDEX_SHARDS` says. by_status has only runs that rest as ERROR, CANCELLED or PAUSED, four
 * partitions for each, sorted by creation too.
 *
 * Only tasks are in the other two, by their last change: by_task has a partition for each component and user,
 * by_component_task four for each component.
 */
const listedRun = ["run_id", "session_id", "owner", "component_type", "component_id"] as const;
const listedTask = ["run_id", "session_id", "owner", "status"] as const;
const runs = {
  indexes: {
    by_owner: { pk: "owner_key", sk: "opened", project: listedRun },
    by_component: { pk: "component_key", sk: "opened", project: listedRun },
    by_opening: { pk: "all_key", sk: "opened", project: listedRun },
    by_status: { pk: "status_key", sk: "opened", project: listedRun },
    by_task: { pk: "task_key", sk: "task_changed", project: listedTask },
    by_component_task: { pk: "component_task_key", sk: "task_changed", project: listedTask },
  },
} as const satisfies TableLayout;

/** Fields that a list of sessions filters and sorts by. No run changes them, so runs cause no index writes. */
const listed = ["session_id", "session_type", "component_id", "session_name", "user_id", "created_at"];

/**
 * sessions
 *   pk `session#<session_id>`   sk `session`   a session, or the tombstone of one that is being removed
 *   pk `tally#<partition>`      sk `tally`     how many sessions a partition of an index has up to some point
 *
 * Index by_owner: pk `owner#<user>`, sk `<created_at>#<session_id>`. Index by_opening: pk `all#<shard>`, or `removed`
 * for tombstones, with the same sort key; the shards are four, or as many as `RUN_INDEX_SHARDS` says.
 */
const sessions = {
  indexes: {
    by_owner: { pk: "owner_key", sk: "opened", project: listed },
    by_opening: { pk: "all_key", sk: "opened", project: [...listed, "deleted_at"] },
  },
} as const satisfies TableLayout;

/**
 * service_accounts
 *   pk `accounts`            sk `<id>`    an account; they are few, so a list reads them all
 *   pk `token#<sha-256>`     sk `token`   what validating a token needs, in one consistent read
 *   pk `name#<name>`         sk `name`    the account that has a name, or had it last
 *   pk `failures#<address>`  sk `window`  refused tokens of the current minute
 *   pk `requests#<who>`      sk `window`  requests of the current minute, as far as instances have written them
 *   pk `client#<id>`         sk `client`  a client of the MCP server that has registered itself
 *   pk `code#<sha-256>`      sk `code`    a code by which a client gets its first tokens
 *   pk `grant#<id>`          sk `grant`   what a user has let a client do, and its latest refresh token
 *   pk `granted#<user>`      sk `<id>`    which of these are the user's
 *   pk `app-token#<sha-256>` sk `token`   a token of a client, with its grant
 *
 * The expiry of an account is called `valid_until` here: an expired account stays listed and keeps its name, and under
 * `expires_at` the table would delete it.
 */
const service_accounts = { indexes: {} } as const satisfies TableLayout;

/**
 * budgets
 *   pk `user#<user_id>`      sk `day#<yyyy-mm-dd>`      used and reserved amounts of a day, see `daily-budget.ts`
 *   pk `user#<user_id>`      sk `foreground#<number>`   a place that a foreground run has, see `foreground-slots.ts`
 *   pk `deployment`          the same two for all users together
 *   pk `model#<spec>`        sk `model`                 what all workers know of a model, see `model-item.ts`
 *   pk `model#<spec>`        sk `key#<digest>`          how much its service lets one key ask
 */
const budgets = { indexes: {} } as const satisfies TableLayout;

/**
 * approvals: pk `approval#<id>`, sk `approval`.
 *
 * Both indexes sort by creation and carry what lists filter by: by_status has four partitions for each status (pending
 * ones are few), by_user one for each user. The record's own `expires_at` is stored as `deadline`, so that the table
 * does not delete it.
 */
const approvalFields = [
  "id",
  "status",
  "approval_type",
  "source_type",
  "pause_type",
  "agent_id",
  "team_id",
  "workflow_id",
  "user_id",
  "schedule_id",
  "run_id",
  "deadline",
] as const;
const approvals = {
  indexes: {
    by_status: { pk: "status_shard", sk: "asked", project: approvalFields },
    by_user: { pk: "user_key", sk: "asked", project: approvalFields },
  },
} as const satisfies TableLayout;

/**
 * databases
 *   pk `database#<db_id>`   sk `database`   its version, and the progress of its migration
 *   pk `views#<user>`       sk `views`      the views of the console that a user has saved
 *   pk `user-removals`      sk `<user>`     a request to remove everything of a user; a month longer than it takes
 */
const databases = { indexes: {} } as const satisfies TableLayout;
/**
 * components
 *   pk `component#<id>`      sk `component`          the component; every change of it or a version raises its revision
 *   pk `component#<id>`      sk `version#<number>`   a version, whose number has six digits at least
 *   pk `component#<id>`      sk `label#<label>`      which version has a label
 *   pk `component#<id>`      sk `pins`               how many versions of others link to it, and to each of its versions
 *   pk `counts#<audience>`   sk `<shard>`            how many components an audience has, by state and type
 *
 * Both indexes sort by creation, the newest first: by_audience has a partition for each state, audience and type,
 * by_type one for each state and type. See `component-keys.ts`.
 */
const components = {
  indexes: {
    by_audience: { pk: "audience_key", sk: "opened", project: ["component_id"] },
    by_type: { pk: "type_key", sk: "opened", project: ["component_id"] },
  },
} as const satisfies TableLayout;

/**
 * schedules
 *   pk `schedule#<id>`               sk `schedule`        a schedule
 *   pk `schedule#<id>`               sk `run#<run id>`    an attempt at one of its slots; ids sort by time
 *   pk `schedule#<id>`               sk `turn`            which slot is being run, and which wait for it
 *   pk `name#<owner>#<name>`         sk `name`            the schedule with a name; owner and name are unique together
 *   pk `target#<type>#<id>`          sk `schedule#<id>`   a schedule targets this component
 *   pk `comparison`                  sk `comparison`      the last comparison with the scheduler's entries
 *   pk `removed`                     sk `<removed>#<id>`  a removed schedule whose runs are not all purged yet
 *   pk `tally#<partition>`           sk `tally`           as in sessions
 *
 * Indexes as those of sessions, and by_due: pk `due#<shard>`, sk `<due_at>#<run id>`, attempts that wait for something.
 */
const listedSchedule = ["id", "user_id", "enabled", "created_at", "plan_id", "entries"];
const schedules = {
  indexes: {
    by_owner: { pk: "owner_key", sk: "opened", project: listedSchedule },
    by_opening: { pk: "all_key", sk: "opened", project: listedSchedule },
    by_due: { pk: "due_shard", sk: "due", project: "keys" },
  },
} as const satisfies TableLayout;

/** What every index of owned records carries, of a record or of an owner. */
const listedOwned = ["user_id", "created_at", "changed_at_ms", "records"];

/**
 * memories, learnings: keys as in `owned/owned.ts`.
 *
 * Indexes as those of sessions, but sorted by last change. Partitions `owners#<shard>` of by_opening list the owners.
 */
const listedMemory = [...listedOwned, "memory_id", "memory", "topics", "agent_id", "team_id"];
const memories = {
  indexes: {
    by_owner: { pk: "owner_key", sk: "opened", project: listedMemory },
    by_opening: { pk: "all_key", sk: "opened", project: listedMemory },
  },
} as const satisfies TableLayout;

const listedLearning = [
  ...listedOwned,
  "learning_id",
  "learning_type",
  "namespace",
  "agent_id",
  "team_id",
  "session_id",
  "entity_id",
  "entity_type",
];
const learnings = {
  indexes: {
    by_owner: { pk: "owner_key", sk: "opened", project: listedLearning },
    by_opening: { pk: "all_key", sk: "opened", project: listedLearning },
  },
} as const satisfies TableLayout;

/** Fields that a list of contents sorts by. */
const contentFields = ["id", "name", "type", "size", "status", "description", "created_at", "updated_at"];

/**
 * knowledge
 *   pk `content#<base>#<id>`          sk `content`   a content: what the wire shows, and its pending work
 *   pk `tally#<whose>#<shard>`        sk `tally`     how many contents, and keys of metadata, an owner has in a base
 *   pk `share#<owner>`                sk `slot#<n>`, `waiter#<created_at>#<base>#<id>`   contents of a user that are processed, or wait for it
 *   pk `upload#<id>`                  sk `upload`    a file that a client uploads to the bucket itself
 *
 * Index by_owner: pk `<base>#user#<owner>` or `<base>#shared`. Index by_base: pk `<base>#<shard>`. Both sort by
 * `<created_at>#<id>`. Index by_due: pk `due#<shard>`, sk `<due_at>#<id>`; only contents with pending work are in it.
 */
const knowledge = {
  indexes: {
    by_owner: { pk: "owner_key", sk: "opened", project: contentFields },
    by_base: { pk: "base_key", sk: "opened", project: contentFields },
    by_due: { pk: "due_key", sk: "due", project: ["knowledge_id", "id"] },
  },
} as const satisfies TableLayout;

/**
 * chunks
 *   pk `<index>#<shard>`   sk `vector#<key>`   a chunk's vector and the tags that searches filter by, if they are not in S3
 *                                              Vectors
 *   pk `<index>#<shard>`   sk `text#<key>`     its text, which is read only for the chunks that are found
 *   pk `words#<base>`      sk `part#<name>`    a part of the base's index of words; the words are an object
 *   pk `words#<base>`      sk `gone#<content>_<hash>`   a generation that is to leave the parts that it shares
 *   pk `words#<base>`      sk `lock`           who puts parts together
 */
const chunks = { indexes: {} } as const satisfies TableLayout;

/**
 * evals
 *   pk `eval#<id>`             sk `eval`              an evaluation; of a removed one its tombstone
 *   pk `parts#<id>`            sk `plan`              its plan
 *   pk `parts#<id>`            sk `trial#<number>`    the result of one trial; numbers have six digits at least
 *   pk `version-evals#<component>#<version>`  sk `<created_at>#<id>`  where the gate of a version finds its evaluations
 *   pk `online#<kind>#<component>`            sk `day#<day>`          totals of judging runs of a component on a day
 *   pk `dataset#<id>`          sk `dataset`           a dataset; of a removed one its tombstone
 *   pk `dataset-versions#<id>` sk `version#<number>`  its cases at one version
 *   pk `case-source#<digest of a session>`    sk `<dataset>`     a dataset that has cases of the session
 *   pk `dataset-evals#<dataset>`              sk `<evaluation>`  an evaluation with such cases in its plan
 *   pk `tally#<partition>`     sk `tally`             as in sessions
 *
 * Indexes as those of sessions, in which datasets have partitions of their own, and by_due: pk `due`,
 * sk `<due_at>#<id>`; only evaluations under way, and evaluations and datasets to be purged.
 */
const listedEval = [
  "id",
  "user_id",
  "eval_type",
  "name",
  "agent_id",
  "team_id",
  "model_id",
  "status",
  "created_at",
  "updated_at",
];
const evals = {
  indexes: {
    by_owner: { pk: "owner_key", sk: "opened", project: listedEval },
    by_opening: { pk: "all_key", sk: "opened", project: listedEval },
    by_due: { pk: "due_key", sk: "due", project: ["id"] },
  },
} as const satisfies TableLayout;

/**
 * feedback
 *   pk `run#<run_id>`   sk `<key>#<message>#<digest of the author>`   what an author said about a run
 *   pk `run#<run_id>`   sk `summary`                                  its sums by key
 *
 * Indexes by creation: by_owner with a partition for each user whose runs it is about, by_opening with four over everybody's,
 * by_component with four for each component. See `feedback-item.ts`.
 */
const listedFeedback = [
  "feedback_id",
  "run_id",
  "user_id",
  "component_type",
  "component_id",
  "component_version",
  "key",
  "score",
  "role",
  "source",
  "review_status",
  "created_at",
];
const feedback = {
  indexes: {
    by_owner: { pk: "owner_key", sk: "opened", project: listedFeedback },
    by_opening: { pk: "all_key", sk: "opened", project: listedFeedback },
    by_component: { pk: "component_key", sk: "opened", project: listedFeedback },
  },
} as const satisfies TableLayout;

/** Fields that a list of traces filters by. */
const listedTrace = [
  "trace_id",
  "name",
  "status",
  "start_ms",
  "end_ms",
  "created_ms",
  "run_id",
  "session_id",
  "user_id",
  "agent_id",
  "team_id",
  "workflow_id",
];

/**
 * traces
 *   pk `trace#<trace_id>`   sk `owner#<user>#trace`                     a trace: its run, and sums over its spans
 *   pk `trace#<trace_id>`   sk `owner#<user>#spans#<attempt>#<time>`    several spans; a later one of an id counts
 *   pk `tally#<partition>`  sk `tally`                                  as in sessions
 *
 * Indexes as those of sessions, sorted by the start of the run, and by_component and by_session; by_failure has only
 * failed traces. A component has one partition, and with more than four over everybody's as many of its own too. A reader that may see only its own traces has the owner in every key.
 */
const traces = {
  indexes: {
    by_owner: { pk: "owner_key", sk: "opened", project: listedTrace },
    by_opening: { pk: "all_key", sk: "opened", project: listedTrace },
    by_component: { pk: "component_key", sk: "opened", project: listedTrace },
    by_session: { pk: "session_key", sk: "opened", project: listedTrace },
    by_failure: { pk: "failed_key", sk: "opened", project: listedTrace },
  },
} as const satisfies TableLayout;

/**
 * metrics
 *   pk `all` or `user#<user_id>`   sk `day#<yyyy-mm-dd>`   the figures of a day, for everybody or for one user
 *   pk `all` or `user#<user_id>`   sk `refresh`            the current or last refresh of these days
 *   pk `slices#<all or user>#<day>`   sk `progress`                  how far a day of many sessions is counted, and
 *                                     sk `part#<bucket>#<number>`    the entries of each slice, for a day at most
 */
const metrics = { indexes: {} } as const satisfies TableLayout;

/**
 * chats
 *   pk `message#<key>`   sk `message`   a message of a chat platform, the progress of its answer, and the claim on it
 *   pk `chat#<scope>`    sk `chat`      a conversation: which session it is in, and what is being answered
 *   pk `run#<run id>`    sk `run`       which message a run that waits for a decision answers
 *   pk `sent#<digest>`   sk `sent`      which run a message of ours comes from, for feedback: by platform, conversation and message
 *
 * Index by_due: pk `due#<shard>`, sk `<due_at>#<digest of the key>`; only unfinished messages are in it.
 */
const chats = {
  indexes: { by_due: { pk: "due_shard", sk: "due", project: ["key"] } },
} as const satisfies TableLayout;

/**
 * outbox
 *   pk `<subject>`             sk `event#<order>`              what happened to a record; the ping of an endpoint
 *   pk `<subject>`             sk `delivery#<target>#<order>`  an event for one receiver
 *   pk `run#<run id>`          sk `watch#lease`                when to look whether a foreground run's process is lost
 *   pk `endpoint#<id>`         sk `endpoint`                   a standing receiver
 *   pk `endpoints-of#<owner>`  sk `endpoints`                  how many an owner has
 *   pk `endpoints`             sk `endpoints`                  how many there are, and which kinds they ask for
 *   pk `callbacks-of#<owner>`  sk `keys`                       which key signs the callbacks of a user's runs
 *   pk `host#<host>`           sk `slot#<number>`              a message that is on the way to a host
 *
 * A subject is the kind of a record and its id, such as `run#<run id>` or `ping#<id>`. Indexes by_owner and by_opening as those of sessions, of deliveries;
 * endpoints are in partitions of their own (`endpoint-item.ts`). by_due: pk `due#<shard>`, sk `<due_at>#<subject>`.
 */
const listedDelivery = ["status", "target_id"];
const outbox = {
  indexes: {
    by_owner: { pk: "owner_key", sk: "opened", project: listedDelivery },
    by_opening: { pk: "all_key", sk: "opened", project: listedDelivery },
    by_due: { pk: "due_shard", sk: "due", project: "keys" },
  },
} as const satisfies TableLayout;

/**
 * audit
 *   pk `month#<yyyy-mm>`     sk `<epoch ms>#<id>`   a record of the audit; it is created once, and its seal is added
 *   pk `seals#<yyyy-mm-dd>`  sk `seal#<number>`     a seal, which links records to all that were sealed before
 *   pk `chain`               sk `chain`             the last seal
 *
 * Index by_due: pk `unsealed` or `unexported`, sk the place; only records without a seal, and seals to be exported.
 */
const audit = {
  indexes: { by_due: { pk: "due", sk: "due_at", project: "keys" } },
} as const satisfies TableLayout;

export const tables = {
  jobs,
  runs,
  sessions,
  service_accounts,
  budgets,
  approvals,
  components,
  databases,
  schedules,
  memories,
  learnings,
  knowledge,
  chunks,
  evals,
  feedback,
  traces,
  metrics,
  chats,
  outbox,
  audit,
} as const satisfies Record<TableName, TableLayout>;
