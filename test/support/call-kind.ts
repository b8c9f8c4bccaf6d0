import type { AwsCall } from "../../local/aws/aws-endpoint.ts";

/**
 * What a call does to which sort of items: calls of one kind differ only in whom they are about and when.
 *
 * `Query jobs/by_status status_shard=queued COUNT`, `TransactWriteItems Put job, Put session, Put session`
 */
export function kindOf({ service, operation, body }: AwsCall): string {
  if (service !== "dynamodb") return `${service} ${operation}`;
  const { TransactItems, RequestItems, Key, Item, ExpressionAttributeValues, IndexName, Select, Limit } =
    body;
  if (Array.isArray(TransactItems)) return `${operation} ${TransactItems.map(entryKind).join(", ")}`;
  if (RequestItems) return operation;
  const values = Object.values(record(ExpressionAttributeValues));
  const about = operation === "Query" ? prefixOf(values[0]) : prefixOf(record(Key ?? Item).pk);
  return [operation, about, IndexName, Select, Limit !== undefined && "Limit"].filter(Boolean).join(" ");
}

/** Whether a call may change something. */
export const isWrite = ({ operation }: AwsCall): boolean => /^(Put|Update|Transact|Send)/.test(operation);

function entryKind(entry: unknown): string {
  const [verb = "", write] = Object.entries(record(entry))[0] ?? [];
  const { Key, Item } = record(write);
  return `${verb} ${prefixOf(record(Key ?? Item).pk)}`;
}

/** `{ S: "job#0190…" }` → `job` */
const prefixOf = (value: unknown): string => String(record(value).S).split("#")[0] ?? "";

const record = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? { ...value } : {};
