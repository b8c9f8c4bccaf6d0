import { busesOf } from "../events/bus-entries.ts";
import { accountId, logGroupArn, region, secretArn } from "../template/names.ts";
import type { Permission } from "./policy.ts";

/** The parts of a request to AWS that permissions depend on. */
export type AwsRequest = {
  readonly service: string;
  readonly operation: string;
  readonly body: Readonly<Record<string, unknown>>;
};

/**
 * The permissions that a role needs for this request.
 *
 * @returns undefined for an operation that is not in the list; the caller refuses it
 */
export function requiredPermissions(request: AwsRequest): Permission[] | undefined {
  switch (request.service) {
    case "dynamodb":
      return dynamodb(request.operation, request.body);
    case "sqs":
      return sqs(request.operation, request.body);
    case "s3":
      return s3(request.operation, request.body);
    case "s3vectors":
      return s3vectors(request.operation, request.body);
    case "secretsmanager":
      return secretsmanager(request.operation, request.body);
    case "scheduler":
      return scheduler(request.operation, request.body);
    case "logs":
      return logs(request.operation, request.body);
    case "events":
      return events(request.operation, request.body);
    case "states":
      return states(request.operation);
    case "lambda":
      return lambda(request.operation, request.body);
    default:
      return undefined;
  }
}

const onOneTable = new Set([
  "GetItem",
  "PutItem",
  "UpdateItem",
  "DeleteItem",
  "DescribeTable",
  "DescribeTimeToLive",
]);
const onTableOrIndex = new Set(["Query", "Scan"]);
const onManyTables = new Set(["BatchGetItem", "BatchWriteItem"]);
const entryActions: Readonly<Record<string, string>> = {
  Put: "dynamodb:PutItem",
  Update: "dynamodb:UpdateItem",
  Delete: "dynamodb:DeleteItem",
  ConditionCheck: "dynamodb:ConditionCheckItem",
  Get: "dynamodb:GetItem",
};

function dynamodb(operation: string, body: AwsRequest["body"]): Permission[] | undefined {
  const action = `dynamodb:${operation}`;
  if (onOneTable.has(operation)) return [{ action, resource: tableArn(body.TableName) }];
  if (onTableOrIndex.has(operation)) {
    const index = body.IndexName === undefined ? "" : `/index/${body.IndexName}`;
    return [{ action, resource: tableArn(body.TableName) + index }];
  }
  if (onManyTables.has(operation)) {
    return Object.keys(record(body.RequestItems)).map((name) => ({ action, resource: tableArn(name) }));
  }
  if (operation === "TransactWriteItems" || operation === "TransactGetItems") {
    return transaction(Array.isArray(body.TransactItems) ? body.TransactItems : []);
  }
  return undefined;
}

/** One permission per entry; an entry of an unknown kind makes the whole transaction unknown. */
function transaction(entries: readonly unknown[]): Permission[] | undefined {
  const permissions: Permission[] = [];
  for (const entry of entries) {
    const [kind, details] = Object.entries(record(entry))[0] ?? [];
    const action = kind && entryActions[kind];
    if (!action) return undefined;
    permissions.push({ action, resource: tableArn(record(details).TableName) });
  }
  return permissions;
}

const queueActions: Readonly<Record<string, string>> = {
  SendMessage: "sqs:SendMessage",
  SendMessageBatch: "sqs:SendMessage",
  ReceiveMessage: "sqs:ReceiveMessage",
  DeleteMessage: "sqs:DeleteMessage",
  DeleteMessageBatch: "sqs:DeleteMessage",
  ChangeMessageVisibility: "sqs:ChangeMessageVisibility",
  ChangeMessageVisibilityBatch: "sqs:ChangeMessageVisibility",
  GetQueueAttributes: "sqs:GetQueueAttributes",
  GetQueueUrl: "sqs:GetQueueUrl",
};

function sqs(operation: string, body: AwsRequest["body"]): Permission[] | undefined {
  const action = queueActions[operation];
  if (!action) return undefined;
  const name = body.QueueName ?? String(body.QueueUrl).split("/").at(-1);
  return [{ action, resource: `arn:aws:sqs:${region}:${accountId}:${name}` }];
}

const objectActions: Readonly<Record<string, string>> = {
  PutObject: "s3:PutObject",
  GetObject: "s3:GetObject",
  HeadObject: "s3:GetObject",
  DeleteObject: "s3:DeleteObject",
};

function s3(
  operation: string,
  { Bucket, Key, Prefix, CopySource }: AwsRequest["body"],
): Permission[] | undefined {
  const bucket = `arn:aws:s3:::${Bucket}`;
  if (operation === "ListObjectsV2") {
    const context = typeof Prefix === "string" ? { "s3:prefix": Prefix } : {};
    return [{ action: "s3:ListBucket", resource: bucket, context }];
  }
  if (operation === "CopyObject") {
    return [
      { action: "s3:GetObject", resource: `arn:aws:s3:::${CopySource}` },
      { action: "s3:PutObject", resource: `${bucket}/${Key}` },
    ];
  }
  const action = objectActions[operation];
  return action === undefined ? undefined : [{ action, resource: `${bucket}/${Key}` }];
}

/** A query that filters by metadata or returns it needs the permission to read vectors too. */
function s3vectors(operation: string, body: AwsRequest["body"]): Permission[] | undefined {
  const known = ["CreateIndex", "PutVectors", "GetVectors", "DeleteVectors", "QueryVectors"].includes(
    operation,
  );
  if (!known) return undefined;
  const { vectorBucketName, indexName, filter, returnMetadata } = body;
  const resource = `arn:aws:s3vectors:${region}:${accountId}:bucket/${vectorBucketName}/index/${indexName}`;
  const reads = operation === "QueryVectors" && (filter !== undefined || returnMetadata === true);
  const actions = reads ? [operation, "GetVectors"] : [operation];
  return actions.map((action) => ({ action: `s3vectors:${action}`, resource }));
}

/** The service appends a dash and six random characters to the name in an ARN. */
function secretsmanager(operation: string, { SecretId }: AwsRequest["body"]): Permission[] | undefined {
  if (operation !== "GetSecretValue") return undefined;
  return [{ action: "secretsmanager:GetSecretValue", resource: secretArn(String(SecretId)) }];
}

const entryOperations = new Set(["CreateSchedule", "UpdateSchedule", "GetSchedule", "DeleteSchedule"]);

/** A caller that gives an entry a role needs `iam:PassRole` for that role. */
function scheduler(operation: string, { Name, GroupName, Target }: AwsRequest["body"]) {
  const action = `scheduler:${operation}`;
  if (operation === "ListSchedules") return [{ action, resource: "*" }];
  if (operation === "GetScheduleGroup")
    return [{ action, resource: `arn:aws:scheduler:${region}:${accountId}:schedule-group/${Name}` }];
  if (!entryOperations.has(operation)) return undefined;
  const resource = `arn:aws:scheduler:${region}:${accountId}:schedule/${GroupName}/${Name}`;
  const { RoleArn } = record(Target);
  if (RoleArn === undefined) return [{ action, resource }];
  const context = { "iam:PassedToService": "scheduler.amazonaws.com" };
  return [
    { action, resource },
    { action: "iam:PassRole", resource: String(RoleArn), context },
  ];
}

function tableArn(name: unknown): string {
  const text = String(name);
  return text.startsWith("arn:") ? text : `arn:aws:dynamodb:${region}:${accountId}:table/${text}`;
}

function logs(operation: string, { logGroupName }: AwsRequest["body"]): Permission[] | undefined {
  if (operation !== "FilterLogEvents") return undefined;
  return [{ action: `logs:${operation}`, resource: logGroupArn(String(logGroupName)) }];
}

function events(operation: string, body: AwsRequest["body"]): Permission[] | undefined {
  if (operation !== "PutEvents") return undefined;
  const prefix = `arn:aws:events:${region}:${accountId}:event-bus`;
  return busesOf(body).map((name) => ({ action: "events:PutEvents", resource: `${prefix}/${name}` }));
}

/** Which state machine a token belongs to only the service knows; here it is one named `local`. */
function states(operation: string): Permission[] | undefined {
  if (operation !== "SendTaskSuccess" && operation !== "SendTaskFailure") return undefined;
  const resource = `arn:aws:states:${region}:${accountId}:stateMachine:local`;
  return [{ action: `states:${operation}`, resource }];
}

const onOneVersion = new Set(["InvokeFunction", "DeleteFunction"]);
const onFunction = new Set(["ListVersionsByFunction", "GetAlias"]);

/** A request that names a version or an alias needs the permission for that one; one for the function does not serve. */
function lambda(
  operation: string,
  { FunctionName, Qualifier }: AwsRequest["body"],
): Permission[] | undefined {
  if (!onOneVersion.has(operation) && !onFunction.has(operation)) return undefined;
  const arn = functionArn(String(FunctionName));
  const resource = onOneVersion.has(operation) && Qualifier !== undefined ? `${arn}:${Qualifier}` : arn;
  return [{ action: `lambda:${operation}`, resource }];
}

function functionArn(name: string): string {
  return name.startsWith("arn:") ? name : `arn:aws:lambda:${region}:${accountId}:function:${name}`;
}

const record = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
