import { createHash } from "node:crypto";
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { putItem, write } from "../../data/index.ts";
import type { ChatInbound, ChatPlatformName, ChatWork } from "../../schemas/runs/chat-message.ts";
import type { Db } from "../db.ts";
import type { RunAddress } from "../runs/run-keys.ts";

/** Version of the stored shape; raised with every change of it. */
export const SENT_SHAPE = 2;

/** @source docs/interface/chat.md 6.3 */
const SENT_LIFE_SECONDS = 30 * 86_400;

/**
 * Which run a message of an answer comes from. Whoever asks for it knows the conversation's owner, who may be a telephone number and is
 * left out: of the key, which is a digest, and of the session's id.
 */
export const StoredSent = v.object({
  run_id: v.string(),
  /** The session's id without its owner: what is before, between and after. */
  session_parts: v.array(v.string()),
  expires_at: v.number(),
});

/** A message of ours, by the conversation's owner: its id leads nowhere from another conversation. */
export type SentMessage = {
  readonly platform: ChatPlatformName;
  readonly owner: string;
  /** The platform's id of it. */
  readonly id: string;
};

/** Items of earlier releases, with the owner in their key, are not found, and expire. */
const sentKey = ({ platform, owner, id }: SentMessage) => ({
  pk: `sent#${createHash("sha256")
    .update(JSON.stringify([platform, owner, id]))
    .digest("hex")}`,
  sk: "sent",
});

/** Records that a message was sent with a part of a run's answer. @param now epoch seconds */
export async function recordSent(
  db: Db,
  sent: SentMessage,
  { run_id, session_id }: Omit<RunAddress, "owner">,
  now: number,
): Promise<void> {
  const expires_at = now + SENT_LIFE_SECONDS;
  const session_parts = session_id.split(sent.owner);
  const item = { ...sentKey(sent), run_id, session_parts, expires_at, shape: SENT_SHAPE };
  await write(db, putItem("chats", item));
}

type Said = Extract<ChatWork, { kind: "feedback" }>;

/**
 * The run that feedback of a conversation is about. A button must name the run that its message was sent for: a client can send
 * any payload for it.
 *
 * @param now  epoch seconds
 * @returns    undefined where the message is no part of an answer in that conversation, or is too old
 * @source docs/interface/chat.md 6.4, 6.5
 */
export async function runOfFeedback(
  db: Db,
  { owner, target }: Pick<ChatInbound, "owner" | "target">,
  { about, run_id: named }: Said,
  now: number,
): Promise<RunAddress | undefined> {
  const Key = sentKey({ platform: target.platform, owner, id: about });
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.chats, Key, ConsistentRead: true }),
  );
  const sent = Item && v.parse(StoredSent, Item);
  if (!sent || sent.expires_at <= now) return undefined;
  const { run_id, session_parts } = sent;
  const session_id = session_parts.join(owner);
  return named === undefined || named === run_id ? { owner, run_id, session_id } : undefined;
}
