import type { FunctionName } from "../../lib/functions/function-needs.ts";

/** Grants that stay although no platform of the suite needs them, and why. */
export type Justified = {
  readonly bundles: readonly FunctionName[] | "all";
  readonly actions: readonly string[];
  /** Short names of resources; `*` stands for any characters. */
  readonly on: readonly string[];
  readonly reason: string;
};

export const justified: readonly Justified[] = [
  {
    bundles: "all",
    actions: ["logs:CreateLogStream", "logs:PutLogEvents"],
    on: ["*Logs"],
    reason: "Lambda writes the log with the function's role, and on this machine nothing stands for it.",
  },
  {
    bundles: "all",
    actions: ["xray:PutTraceSegments", "xray:PutTelemetryRecords"],
    on: ["*"],
    reason:
      "Lambda tells X-Ray of invocations with the function's role, and on this machine nothing stands for it.",
  },
  {
    bundles: "all",
    actions: [
      "sqs:ReceiveMessage",
      "sqs:ChangeMessageVisibility",
      "sqs:GetQueueUrl",
      "sqs:DeleteMessage",
      "sqs:GetQueueAttributes",
    ],
    on: ["*Queue", "DeadLetters"],
    reason: "Lambda polls the function's queue with the function's role. The CDK grants these five together.",
  },
  {
    bundles: "all",
    actions: ["s3:ListBucket"],
    on: ["*"],
    reason: "Without it S3 answers a missing object like a forbidden one.",
  },
  {
    bundles: ["schedule-executor"],
    actions: ["lambda:InvokeFunction"],
    on: [
      "Config*",
      "ServiceAccounts*",
      "Approvals*",
      "Sessions*",
      "Knowledge*",
      "Components*",
      "Databases*",
      "Schedules*",
    ],
    reason: "A schedule may call any route of the platform, so its executor may call any family.",
  },
  {
    bundles: ["schedule-executor"],
    actions: ["lambda:InvokeFunction"],
    on: ["Memories*", "Learnings*", "Evals*", "Traces*", "Metrics*", "Webhooks*", "A2a*", "Platform*"],
    reason: "As above: any family.",
  },
  {
    bundles: ["platform"],
    actions: ["lambda:InvokeFunction"],
    on: ["Webhooks*"],
    reason:
      "It passes on what a family takes although no route of the gateway fits, whichever family that is.",
  },
  {
    bundles: ["worker", "eval-worker"],
    actions: ["dynamodb:GetItem"],
    on: ["Sessions"],
    reason: "The engine reads the summary of a session, for agents that keep one; `runs` is seen to.",
  },
  {
    bundles: ["worker", "eval-worker"],
    actions: ["dynamodb:BatchGetItem"],
    on: ["Memories", "Learnings", "Chunks"],
    reason: "The engine reads what agents remember, learned and look up; `runs` is seen to do it.",
  },
  {
    bundles: ["worker", "eval-worker"],
    actions: ["dynamodb:Query"],
    on: ["Memories/index/by_owner", "Learnings/index/by_owner", "Chunks", "Traces"],
    reason:
      "As above, and what a run's trace holds already when an attempt goes on; `runs` is seen to do it.",
  },
  {
    bundles: ["worker", "eval-worker"],
    actions: ["dynamodb:PutItem", "dynamodb:UpdateItem"],
    on: ["Learnings"],
    reason: "The engine keeps what agents learn in runs; `runs` is seen to do it.",
  },
  {
    bundles: ["runs"],
    actions: ["dynamodb:BatchGetItem"],
    on: ["Chunks"],
    reason:
      "A search that filters reads the chunks that it found by their keys; `knowledge` is seen to do it.",
  },
  {
    bundles: ["eval-worker"],
    actions: ["dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:UpdateItem"],
    on: ["Memories", "Approvals"],
    reason: "What it evaluates may remember and ask like any other run; `runs` is seen to do it.",
  },
  {
    bundles: ["eval-worker"],
    actions: ["dynamodb:GetItem"],
    on: ["Components", "Learnings"],
    reason: "As above, and what is evaluated may be a stored component.",
  },
  {
    bundles: ["eval-worker"],
    actions: ["dynamodb:UpdateItem"],
    on: ["Budgets"],
    reason: "Its model calls are reserved in the daily budget where there is one; `runs` is seen to do it.",
  },
  {
    bundles: ["eval-worker"],
    actions: ["dynamodb:BatchGetItem"],
    on: ["Knowledge"],
    reason: "A search tells which contents its passages are of; `runs` is seen to do it.",
  },
  {
    bundles: ["eval-worker"],
    actions: ["s3vectors:GetVectors", "s3vectors:QueryVectors"],
    on: ["bucket/*/index/*"],
    reason: "What is evaluated may look something up; `runs` is seen to do it.",
  },
  {
    bundles: ["worker"],
    actions: ["dynamodb:PutItem"],
    on: ["Jobs"],
    reason: "A workflow that waits for a limited time leaves a reminder for the sweeper with its job.",
  },
  {
    bundles: ["dead-letter", "sweeper", "session-remover"],
    actions: ["dynamodb:PutItem"],
    on: ["Runs"],
    reason: "Whoever ends a run from outside writes its last event; `worker` is seen to do it.",
  },
  {
    bundles: ["runs", "a2a", "dead-letter", "sweeper", "session-remover"],
    actions: ["dynamodb:UpdateItem"],
    on: ["Schedules"],
    reason: "Whoever ends a run tells the schedule that started it; `worker` is seen to do it.",
  },
  {
    bundles: ["a2a", "dead-letter", "session-remover"],
    actions: ["dynamodb:GetItem", "dynamodb:UpdateItem"],
    on: ["Approvals"],
    reason:
      "Whoever ends a run settles the approvals that it waits for; `sweeper` and `runs` are seen to do it.",
  },
  {
    bundles: ["a2a"],
    actions: ["dynamodb:PutItem"],
    on: ["Approvals"],
    reason: "A continued task has its approvals recorded; `runs` is seen to do it.",
  },
  {
    bundles: ["a2a"],
    actions: ["dynamodb:UpdateItem"],
    on: ["Sessions"],
    reason: "A task in a session that was made without a component adopts it; `runs` is seen to do it.",
  },
  {
    bundles: ["dead-letter", "sweeper", "session-remover", "chat-worker", "sessions", "eval-worker"],
    actions: ["s3:GetObject", "s3:PutObject"],
    on: ["*/sessions/*"],
    reason: "Values that no item may hold are objects: of runs, of messages, of a session's state.",
  },
  {
    bundles: ["a2a", "schedules", "schedule-executor", "traces"],
    actions: ["s3:GetObject"],
    on: ["*/sessions/*"],
    reason: "As above, where they are only read.",
  },
  {
    bundles: ["queue"],
    actions: ["s3:PutObject"],
    on: ["*/sessions/*"],
    reason: "As above: a job that is requeued has its large input written anew.",
  },
  {
    bundles: ["session-remover"],
    actions: ["s3:DeleteObject"],
    on: ["*/sessions/*"],
    reason: "What a removed session kept as objects goes with it.",
  },
  {
    bundles: ["evals", "eval-worker"],
    actions: ["s3:GetObject", "s3:PutObject"],
    on: ["*/evals/*"],
    reason: "Cases and outputs that no item may hold are objects.",
  },
  {
    bundles: ["eval-worker"],
    actions: ["s3:DeleteObject"],
    on: ["*/evals/*"],
    reason: "They go with a removed evaluation.",
  },
  {
    bundles: ["knowledge"],
    actions: ["s3:GetObject", "s3:DeleteObject"],
    on: ["*/knowledge/*"],
    reason: "The door tends small contents as the worker does, which is seen to read and remove their bytes.",
  },
  {
    bundles: ["knowledge"],
    actions: ["s3vectors:CreateIndex", "s3vectors:PutVectors", "s3vectors:DeleteVectors"],
    on: ["bucket/*/index/*"],
    reason: "As above: it puts new metadata on chunks, and may find that they are to be removed.",
  },
  {
    bundles: ["knowledge"],
    actions: ["dynamodb:DeleteItem"],
    on: ["Knowledge"],
    reason: "As above: a content that was found removed is forgotten.",
  },
  {
    bundles: ["knowledge"],
    actions: ["s3:GetObject"],
    on: ["*team-files/*"],
    reason: "As above: a content that is tended anew is read from its source.",
  },
  {
    bundles: ["knowledge-worker"],
    actions: ["s3vectors:GetVectors"],
    on: ["bucket/*/index/*"],
    reason: "It puts new metadata on the chunks of large contents; `knowledge` is seen to do it.",
  },
  {
    bundles: ["traces"],
    actions: ["dynamodb:PutItem"],
    on: ["Traces"],
    reason: "A list remembers what it counted of rows that lie far back, which no test waits for.",
  },
  {
    bundles: ["sweeper"],
    actions: ["sqs:SendMessage"],
    on: ["KnowledgeQueue", "EvalQueue", "RemovalQueue", "MigrationQueue", "ChatQueue"],
    reason:
      "It sends lost messages again, which tests in one process see; no platform of the suite loses these.",
  },
  {
    bundles: ["migrator"],
    actions: ["sqs:SendMessage"],
    on: ["MigrationQueue"],
    reason: "Work that outlasts a function wakes the next one, which tests in one process see.",
  },
  {
    bundles: ["eval-worker"],
    actions: ["sqs:SendMessage"],
    on: ["EvalQueue"],
    reason: "As above.",
  },
  {
    bundles: ["chat-worker"],
    actions: ["sqs:SendMessage"],
    on: ["ChatQueue"],
    reason: "As above.",
  },
  {
    bundles: ["schedules"],
    actions: ["dynamodb:GetItem"],
    on: ["Runs"],
    reason: "A long answer is shown whole, from its run, where one attempt is asked for.",
  },
  {
    bundles: ["migrator"],
    actions: ["dynamodb:UpdateItem"],
    on: ["Runs", "ServiceAccounts", "Budgets"],
    reason: "A migration writes in every table that it reads; `Jobs` is seen.",
  },
  {
    bundles: ["schedule-reconcile"],
    actions: ["dynamodb:DeleteItem", "dynamodb:BatchWriteItem"],
    on: ["Schedules"],
    reason: "It removes the attempts of schedules that were removed, once their time has come.",
  },
  {
    bundles: ["schedule-reconcile"],
    actions: ["scheduler:CreateSchedule", "scheduler:DeleteSchedule"],
    on: ["schedule/*"],
    reason: "It mends what the scheduler lacks or has too much of, which tests in one process see.",
  },
  {
    bundles: ["schedule-reconcile"],
    actions: ["iam:PassRole"],
    on: ["ScheduleRole"],
    reason: "Whoever creates an entry hands it its role.",
  },
];
