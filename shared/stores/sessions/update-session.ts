import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../db.ts";
import { pastConflicts } from "../transact.ts";
import { type StoredSession, sessionFrom } from "./session-item.ts";
import { sessionKey } from "./session-keys.ts";
import { spillState, wholeSession } from "./spill-session.ts";

export type SessionChange = Partial<
  Pick<StoredSession, "session_name" | "session_state" | "metadata" | "summary" | "compaction">
>;

/**
 * Writes the named attributes and no other, so that the concurrent end of a run is not overwritten.
 *
 * @param now  epoch seconds
 * @returns    the session as it is now; undefined when it is no longer the one that was read
 */
export async function updateSession(
  db: Db,
  { session_id, user_id, created_at }: StoredSession,
  change: SessionChange,
  now: number,
): Promise<StoredSession | undefined> {
  const { session_state } = change;
  const spilled = session_state && (await spillState(db, { owner: user_id, session_id }, session_state));
  const written = Object.entries({ ...change, ...spilled, updated_at: now });
  // A state that fits replaces a large one.
  const removed = spilled && !spilled.state_large ? " REMOVE state_large" : "";
  // A run that ends meanwhile merges what it has changed into this state.
  const version = spilled ? " ADD state_version :one" : "";
  const update = new UpdateCommand({
    TableName: db.tables.sessions,
    Key: sessionKey(session_id),
    UpdateExpression: `SET ${written.map(([name]) => `#${name} = :${name}`).join(", ")}${removed}${version}`,
    ConditionExpression: "created_at = :created_at AND attribute_not_exists(deleted_at)",
    ExpressionAttributeNames: Object.fromEntries(written.map(([name]) => [`#${name}`, name])),
    ExpressionAttributeValues: {
      ...Object.fromEntries(written.map(([name, value]) => [`:${name}`, value])),
      ":created_at": created_at,
      ...(spilled && { ":one": 1 }),
    },
    ReturnValues: "ALL_NEW",
  });
  try {
    const { Attributes } = await pastConflicts(() => db.client.send(update));
    const session = Attributes && sessionFrom(Attributes);
    return session && wholeSession(db, session);
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}
