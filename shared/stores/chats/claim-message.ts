import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import type { ChatInbound } from "../../schemas/runs/chat-message.ts";
import type { Db } from "../db.ts";
import { MESSAGE_LIFE_SECONDS, messageFrom, messageItem, type StoredChatMessage } from "./message-item.ts";

/** The wake-up of a claimed message is sent again after this long, unless it was recorded as enqueued. */
const LOST_AFTER_SECONDS = 120;

/** `new`: it was not claimed before. `unsent`: it was claimed, but not recorded as enqueued. */
export type Claim = "new" | "unsent" | "duplicate";

/**
 * Claims a message: of many deliveries only one gets `new`.
 *
 * @param now  epoch seconds
 */
export async function claimMessage(db: Db, inbound: ChatInbound, now: number): Promise<Claim> {
  const message: StoredChatMessage = {
    ...inbound,
    status: "received",
    faults: 0,
    due_at: now + LOST_AFTER_SECONDS,
    created_at: now,
    expires_at: now + MESSAGE_LIFE_SECONDS,
  };
  try {
    await db.client.send(
      new PutCommand({
        TableName: db.tables.chats,
        Item: messageItem(message),
        ConditionExpression: "attribute_not_exists(pk)",
        ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      }),
    );
    return "new";
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    // The document client leaves this Item in attribute form ({ S: … }), so it is converted here.
    const seen = error.Item && messageFrom(unmarshall(error.Item));
    return seen?.status === "received" ? "unsent" : "duplicate";
  }
}
