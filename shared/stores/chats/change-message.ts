import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../db.ts";
import { pastConflicts } from "../transact.ts";
import { dueKeys, messageFrom, messageKey, type StoredChatMessage } from "./message-item.ts";

/** What a write changes; `undefined` removes a field. */
export type MessageChange = {
  readonly [K in
    | "status"
    | "run"
    | "faults"
    | "sending"
    | "live_id"
    | "postponed"
    | "asking"
    | "lease_by"
    | "lease_until"
    | "due_at"
    | "work"]?: StoredChatMessage[K] | undefined;
};

export type MessageGuard = {
  readonly condition: string;
  readonly values?: Readonly<Record<string, unknown>>;
  /** Added to a number, in the same write. */
  readonly adds?: { readonly faults: number };
};

/** One conditional write. @returns the message after it; undefined if the condition does not hold */
export async function changeMessage(
  db: Db,
  key: string,
  change: MessageChange,
  guard: MessageGuard,
): Promise<StoredChatMessage | undefined> {
  const sets: Record<string, unknown> = { ...change, ...dueOf(key, change) };
  const written = Object.keys(sets).filter((name) => sets[name] !== undefined);
  const removed = Object.keys(sets).filter((name) => sets[name] === undefined);
  const update = new UpdateCommand({
    TableName: db.tables.chats,
    Key: messageKey(key),
    UpdateExpression: [
      written.length > 0 ? `SET ${written.map((name) => `#${name} = :${name}`).join(", ")}` : "",
      guard.adds ? "ADD #faults :added" : "",
      removed.length > 0 ? `REMOVE ${removed.map((name) => `#${name}`).join(", ")}` : "",
    ]
      .join(" ")
      .trim(),
    ConditionExpression: `attribute_exists(pk) AND ${guard.condition}`,
    ExpressionAttributeNames: Object.fromEntries([
      ...namesIn(guard.condition, sets),
      ...(guard.adds ? [["#faults", "faults"] as const] : []),
    ]),
    ExpressionAttributeValues: {
      ...Object.fromEntries(written.map((name) => [`:${name}`, sets[name]])),
      ...guard.values,
      ...(guard.adds && { ":added": guard.adds.faults }),
    },
    ReturnValues: "ALL_NEW",
  });
  try {
    const { Attributes } = await pastConflicts(() => db.client.send(update));
    return messageFrom(Attributes ?? {});
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}

function dueOf(key: string, change: MessageChange) {
  if (!("due_at" in change)) return {};
  return change.due_at === undefined ? { due_shard: undefined, due: undefined } : dueKeys(key, change.due_at);
}

function namesIn(condition: string, sets: Readonly<Record<string, unknown>>): [string, string][] {
  const inCondition = [...condition.matchAll(/#(\w+)/g)].map(([, name = ""]) => name);
  return [...new Set([...Object.keys(sets), ...inCondition])].map((name) => [`#${name}`, name]);
}
