import type { FunctionName } from "../../lib/functions/needs/needs.ts";

/** Grants that stay although no platform of the suite uses them, and the reason. */
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
    reason: "Lambda writes the log with the function's role; the local platform does not simulate that.",
  },
  {
    bundles: "all",
    actions: ["xray:PutTraceSegments", "xray:PutTelemetryRecords"],
    on: ["*"],
    reason:
      "Lambda sends traces to X-Ray with the function's role; the local platform does not simulate that.",
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
      "Deliveries*",
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
    reason: "It forwards requests of any family that no route of the gateway matches.",
  },
  {
    bundles: ["sweeper"],
    actions: ["lambda:ListVersionsByFunction", "lambda:GetAlias", "lambda:DeleteFunction"],
    on: ["Worker*"],
    reason:
      "Once an hour it deletes old versions of the worker; `test/local/function-versions.test.ts` sees that code do it.",
  },
  {
    bundles: ["worker", "eval-worker"],
    actions: ["dynamodb:GetItem"],
    on: ["Sessions"],
    reason: "The engine reads the summary of a session, for agents that have one; `runs` is seen to do it.",
  },
  {
    bundles: ["worker", "eval-worker"],
    actions: ["dynamodb:BatchGetItem"],
    on: ["Memories", "Learnings", "Chunks"],
    reason: "The engine reads agents' memories, learnings and knowledge; `runs` is seen to do it.",
  },
  {
    bundles: ["worker", "eval-worker"],
    actions: ["dynamodb:Query"],
    on: ["Memories/index/by_owner", "Learnings/index/by_owner", "Chunks", "Traces"],
    reason:
      "As above, and the spans that a run's trace has already when an attempt resumes; `runs` is seen to do it.",
  },
  {
    bundles: ["worker", "eval-worker"],
    actions: ["dynamodb:PutItem", "dynamodb:UpdateItem"],
    on: ["Learnings"],
    reason: "The engine saves agents' learnings; `runs` is seen to do it.",
  },
  {
    bundles: ["runs"],
    actions: ["dynamodb:BatchGetItem"],
    on: ["Chunks"],
    reason: "A search with a filter reads its hits by their keys; `knowledge` is seen to do it.",
  },
  {
    bundles: ["eval-worker"],
    actions: ["dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:UpdateItem"],
    on: ["Memories", "Approvals"],
    reason: "An evaluated run may use memories and approvals like any other; `runs` is seen to do it.",
  },
  {
    bundles: ["eval-worker"],
    actions: ["dynamodb:GetItem"],
    on: ["Components", "Learnings"],
    reason: "As above, and an evaluated component may be a stored one.",
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
    reason: "A search reads the contents of its hits; `runs` is seen to do it.",
  },
  {
    bundles: ["eval-worker"],
    actions: ["s3vectors:GetVectors", "s3vectors:QueryVectors"],
    on: ["bucket/*/index/*"],
    reason: "An evaluated agent may search knowledge; `runs` is seen to do it.",
  },
  {
    bundles: ["worker", "eval-worker"],
    actions: ["s3:GetObject"],
    on: ["*/words/*"],
    reason: "Their runs may search knowledge by words; `runs` is seen to do it.",
  },
  {
    bundles: ["housekeeper"],
    actions: ["dynamodb:Scan", "dynamodb:UpdateItem"],
    on: ["Knowledge"],
    reason: "A migration has older contents indexed by their words, which in-process tests cover.",
  },
  {
    bundles: ["worker"],
    actions: ["dynamodb:PutItem"],
    on: ["Jobs"],
    reason: "A workflow that pauses for a limited time puts a pause timer for the sweeper beside its job.",
  },
  {
    bundles: ["housekeeper", "sweeper"],
    actions: ["dynamodb:PutItem"],
    on: ["Runs"],
    reason: "A function that ends a run from outside writes its terminal event; `worker` is seen to do it.",
  },
  {
    bundles: ["a2a", "queue", "eval-worker", "housekeeper", "sweeper"],
    actions: ["dynamodb:GetItem", "dynamodb:PutItem"],
    on: ["Outbox"],
    reason:
      "A function that ends a run notifies receivers of it, if there are any; `worker` is seen to do it, and `test/deliveries/endings.test.ts` walks the endings.",
  },
  {
    bundles: ["components", "service-accounts", "schedule-executor", "schedule-reconcile"],
    actions: ["dynamodb:GetItem", "dynamodb:PutItem"],
    on: ["Outbox"],
    reason:
      "Archiving, revoking and missed slots change schedules, which is published where it has subscribers; `schedules` is seen to do it.",
  },
  {
    bundles: ["components", "service-accounts", "schedule-executor", "schedule-reconcile"],
    actions: ["sqs:SendMessage"],
    on: ["DeliveryQueue"],
    reason: "As above: it wakes the worker of deliveries.",
  },
  {
    bundles: ["runs", "eval-worker"],
    actions: ["dynamodb:PutItem", "dynamodb:DeleteItem"],
    on: ["Outbox"],
    reason: "As above, and the watch over the lease of a foreground run; in-process tests cover it.",
  },
  {
    bundles: ["runs", "a2a", "queue", "eval-worker", "housekeeper", "sweeper"],
    actions: ["sqs:SendMessage"],
    on: ["DeliveryQueue"],
    reason: "As above: it wakes the worker of deliveries.",
  },
  {
    bundles: ["delivery-worker"],
    actions: ["dynamodb:BatchGetItem"],
    on: ["Outbox"],
    reason: "It reads the endpoints that subscribe to an event; in-process tests cover it.",
  },
  {
    bundles: ["delivery-worker"],
    actions: ["s3:GetObject"],
    on: ["*/sessions/*"],
    reason: "Answers too large for an item are objects.",
  },
  {
    bundles: ["delivery-worker"],
    actions: ["sqs:SendMessage"],
    on: ["DeliveryQueue"],
    reason: "It wakes itself for further tries; in-process tests cover it.",
  },
  {
    bundles: ["runs", "a2a", "housekeeper", "sweeper"],
    actions: ["dynamodb:UpdateItem"],
    on: ["Schedules"],
    reason:
      "A function that ends a run records it in the schedule that started it; `worker` is seen to do it.",
  },
  {
    bundles: ["a2a", "housekeeper"],
    actions: ["dynamodb:GetItem", "dynamodb:UpdateItem"],
    on: ["Approvals"],
    reason:
      "A function that ends a run resolves the approvals that it waits for; `sweeper` and `runs` are seen to do it.",
  },
  {
    bundles: ["a2a"],
    actions: ["dynamodb:PutItem"],
    on: ["Approvals"],
    reason: "Continuing a task records its approvals; `runs` is seen to do it.",
  },
  {
    bundles: ["a2a"],
    actions: ["dynamodb:UpdateItem"],
    on: ["Sessions"],
    reason:
      "A task in a session that was created without a component sets the component; `runs` is seen to do it.",
  },
  {
    bundles: ["housekeeper", "sweeper", "chat-worker", "sessions", "eval-worker"],
    actions: ["s3:GetObject", "s3:PutObject"],
    on: ["*/sessions/*"],
    reason: "Values too large for an item are objects: of runs, of messages, of a session's state.",
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
    reason: "As above: requeuing a job writes its large input again.",
  },
  {
    bundles: ["housekeeper"],
    actions: ["s3:DeleteObject"],
    on: ["*/sessions/*"],
    reason: "The objects of a removed session are deleted with it.",
  },
  {
    bundles: ["evals", "eval-worker"],
    actions: ["s3:GetObject", "s3:PutObject"],
    on: ["*/evals/*"],
    reason: "Cases and outputs too large for an item are objects.",
  },
  {
    bundles: ["eval-worker"],
    actions: ["s3:DeleteObject"],
    on: ["*/evals/*"],
    reason: "They are deleted with their evaluation.",
  },
  {
    bundles: ["knowledge"],
    actions: ["s3:GetObject", "s3:DeleteObject"],
    on: ["*/knowledge/*"],
    reason:
      "The family function processes small contents as the worker does, which is seen to read and remove their bytes.",
  },
  {
    bundles: ["knowledge"],
    actions: ["s3vectors:CreateIndex", "s3vectors:PutVectors", "s3vectors:DeleteVectors"],
    on: ["bucket/*/index/*"],
    reason: "As above: it updates the metadata of chunks, and may have to remove chunks then.",
  },
  {
    bundles: ["knowledge"],
    actions: ["s3:PutObject", "s3:DeleteObject"],
    on: ["*/words/*"],
    reason:
      "As above: it indexes the words of chunks from before there was such an index, and removes words.",
  },
  {
    bundles: ["knowledge"],
    actions: [
      "dynamodb:PutItem",
      "dynamodb:UpdateItem",
      "dynamodb:DeleteItem",
      "dynamodb:ConditionCheckItem",
    ],
    on: ["Chunks"],
    reason: "As above: the rows of these words; `knowledge-worker` is seen to do it.",
  },
  {
    bundles: ["knowledge"],
    actions: ["dynamodb:DeleteItem"],
    on: ["Knowledge"],
    reason: "As above: a removed content is purged.",
  },
  {
    bundles: ["knowledge"],
    actions: ["s3:GetObject"],
    on: ["*team-files/*"],
    reason: "As above: a content that is processed again is read from its source.",
  },
  {
    bundles: ["knowledge-worker"],
    actions: ["s3vectors:GetVectors"],
    on: ["bucket/*/index/*"],
    reason: "It updates the metadata of large contents' chunks; `knowledge` is seen to do it.",
  },
  {
    bundles: ["traces"],
    actions: ["dynamodb:PutItem"],
    on: ["Traces"],
    reason: "A list caches its count of old rows, which no test waits for.",
  },
  {
    bundles: ["sweeper"],
    actions: ["sqs:SendMessage"],
    on: ["KnowledgeQueue", "EvalQueue", "ChatQueue"],
    reason:
      "It sends lost messages again, which in-process tests cover; no platform of the suite loses these.",
  },
  {
    bundles: ["housekeeper"],
    actions: ["sqs:SendMessage"],
    on: ["DeadLetters"],
    reason: "Work that outlasts a function sends a wake-up message, which in-process tests cover.",
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
    reason: "The request for one attempt returns a long answer whole, from its run.",
  },
  {
    bundles: ["housekeeper"],
    actions: ["dynamodb:UpdateItem"],
    on: ["Runs", "ServiceAccounts", "Budgets"],
    reason: "A migration writes in every table that it reads; `Jobs` is seen.",
  },
  {
    bundles: ["schedule-reconcile"],
    actions: ["dynamodb:DeleteItem", "dynamodb:BatchWriteItem"],
    on: ["Schedules"],
    reason: "It removes the attempts of removed schedules when they expire.",
  },
  {
    bundles: ["schedule-reconcile"],
    actions: ["scheduler:CreateSchedule", "scheduler:DeleteSchedule"],
    on: ["schedule/*"],
    reason:
      "It creates missing entries of the scheduler and deletes extra ones, which in-process tests cover.",
  },
  {
    bundles: ["schedule-reconcile"],
    actions: ["iam:PassRole"],
    on: ["ScheduleRole"],
    reason: "Creating an entry passes it its role.",
  },
];
