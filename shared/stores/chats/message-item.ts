import { createHash } from "node:crypto";
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { type Item, isNew, putItem, write } from "../../data/index.ts";
import { ChatInbound, chatStates } from "../../schemas/runs/chat-message.ts";
import { dueIndex, dueShardOf, dueShards } from "../../work/index.ts";
import type { Db } from "../db.ts";

/** Version of the stored shape; raised with every change of it. */
export const CHAT_MESSAGE_SHAPE = 4;

/**
 * How long a message is stored, so that a repeated delivery is recognized.
 *
 * @source docs/interface/chat.md 1.3
 */
const MESSAGE_LIFE_SECONDS = 8 * 86_400;

/** A message, from its claim to the last part of its answer. */
export const StoredChatMessage = v.object({
  ...ChatInbound.entries,
  /** Removed at the end: the text is not needed any more. */
  work: v.optional(ChatInbound.entries.work),
  status: v.picklist(chatStates),
  /** The run that answers it. */
  run: v.optional(v.object({ run_id: v.string(), session_id: v.string() })),
  /** Set where it was said to that run, which answers an earlier message too. */
  joins: v.optional(v.literal(true)),
  /** Set where it waits for its turn: its run begins when those before it in the conversation are answered. */
  turn: v.optional(v.literal(true)),
  /** Executions that failed, and the one that is going on. */
  faults: v.number(),
  /** What is being sent, and how many parts of it the platform has received. */
  sending: v.optional(v.object({ what: v.string(), sent: v.number() })),
  /** What the run asks now, by the pause's name: the answers so far, and which message gave the last one. */
  asking: v.optional(v.object({ id: v.string(), answers: v.array(v.unknown()), by: v.optional(v.string()) })),
  /** Id of the message that shows the answer while it grows. */
  live_id: v.optional(v.string()),
  /** Since when the platform takes nothing of the answer, epoch seconds, and how often it was tried. */
  postponed: v.optional(v.object({ since: v.number(), times: v.number() })),
  /** Which worker has leased it, until when; epoch seconds. */
  lease_by: v.optional(v.string()),
  lease_until: v.optional(v.number()),
  /** When the sweeper wakes it; epoch seconds. Absent at the end. */
  due_at: v.optional(v.number()),
  created_at: v.number(),
  expires_at: v.number(),
});
export type StoredChatMessage = v.InferOutput<typeof StoredChatMessage>;

export const messageKey = (key: string) => ({ pk: `message#${key}`, sk: "message" });
export const chatKey = (scope: string) => ({ pk: `chat#${scope}`, sk: "chat" });
const runKey = (runId: string) => ({ pk: `run#${runId}`, sk: "run" });

/** Unfinished messages, by their keys. */
export const chatDue = dueIndex<string>({
  table: "chats",
  partition: "due_shard",
  partitions: dueShards,
  keyOf: (key) => {
    const digest = createHash("sha256").update(key).digest("hex").slice(0, 16);
    return { partition: dueShardOf(digest), sort: digest };
  },
  storesTime: true,
  perRound: 250,
});

export const messageItem = (message: StoredChatMessage): Item => ({
  ...messageKey(message.key),
  ...message,
  ...(message.due_at !== undefined && chatDue.keys(message.key, message.due_at)),
  shape: CHAT_MESSAGE_SHAPE,
});

/** @throws when the item is not a message of a shape that this code reads: a defect, never an answer */
export const messageFrom = (item: Item): StoredChatMessage => v.parse(StoredChatMessage, item);

/** @param now epoch seconds; an expired message is not returned */
export async function getMessage(db: Db, key: string, now: number): Promise<StoredChatMessage | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.chats, Key: messageKey(key), ConsistentRead: true }),
  );
  const message = Item && messageFrom(Item);
  return message && message.expires_at > now ? message : undefined;
}

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
  const claimed = await write(db, putItem("chats", messageItem(message), isNew));
  if (claimed.written) return "new";
  return claimed.seen && messageFrom(claimed.seen).status === "received" ? "unsent" : "duplicate";
}

/** Version of the stored shape; raised with every change of it. */
export const RUN_MESSAGE_SHAPE = 1;

/** Which message a run answers. */
export const StoredRunMessage = v.object({ message_key: v.string(), expires_at: v.number() });

/** Records it for a run that waits for a decision: a button sends only the run's id. @param expires_at epoch seconds */
export async function recordRunMessage(
  db: Db,
  runId: string,
  message_key: string,
  expires_at: number,
): Promise<void> {
  const item = { ...runKey(runId), message_key, expires_at, shape: RUN_MESSAGE_SHAPE };
  await write(db, putItem("chats", item));
}

/** The key of the message. @param now epoch seconds */
export async function messageOfRun(db: Db, runId: string, now: number): Promise<string | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.chats, Key: runKey(runId), ConsistentRead: true }),
  );
  const stored = Item && v.parse(StoredRunMessage, Item);
  return stored && stored.expires_at > now ? stored.message_key : undefined;
}
