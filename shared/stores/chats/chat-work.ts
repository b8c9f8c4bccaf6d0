import { asSeen, noneOf } from "../../data/index.ts";
import { defineWork } from "../../work/index.ts";
import type { Db } from "../db.ts";
import { chatDue, messageFrom, messageKey, type StoredChatMessage } from "./message-item.ts";

/** A message of a chat that is answered. An execution is a fault from its beginning; what ends without one takes it back. */
export const chatWork = defineWork({
  kind: "chat message",
  table: "chats",
  keyOf: messageKey,
  read: messageFrom,
  open: { status: noneOf(["done", "failed"]) },
  lease: { holder: "lease_by", time: "lease_until", seconds: 60, renewals: 3, settlingSeconds: 10 },
  retry: { stalls: "faults", stallsOf: ({ faults }) => faults, most: 3, delaySeconds: () => 10 },
  due: chatDue,
  // A message group of its own: the message of a dead worker may still block the conversation's.
  message: ({ key }, now) => ({ key: String(key), group: String(key), once: `${key}#${now}` }),
  // A key may show a telephone number.
  about: () => ({}),
});

type Asking = NonNullable<StoredChatMessage["asking"]>;

/**
 * Records a further answer to what the run of a message asks.
 *
 * @param seen  what was recorded before
 * @returns     undefined where another answer came in between
 */
export const recordAnswer = (
  db: Db,
  { key, asking: seen }: Pick<StoredChatMessage, "key" | "asking">,
  asking: Asking,
): Promise<StoredChatMessage | undefined> => setAnswers(db, key, { asking }, seen);

/**
 * Records that all is answered, by the message that gave the last answer. What the run asks after that is sent, also where
 * it has the same name.
 */
export const recordAnswered = (
  db: Db,
  { key, asking: seen }: Pick<StoredChatMessage, "key" | "asking">,
  by: string,
): Promise<StoredChatMessage | undefined> =>
  setAnswers(db, key, { asking: { id: "", answers: [], by }, sending: undefined }, seen);

async function setAnswers(
  db: Db,
  key: string,
  set: { readonly asking: Asking; readonly sending?: undefined },
  seen: Asking | undefined,
): Promise<StoredChatMessage | undefined> {
  const written = await chatWork.change(db, key, { set }, { asking: asSeen(seen) });
  return written.changed ? written.record : undefined;
}

/** A queue message counts as lost after this long. Others of the conversation may be before it. */
const LOST_AFTER_SECONDS = 900;

/** Records that a message is in the queue, unless a worker has leased it already. @param now epoch seconds */
export async function recordEnqueued(db: Db, key: string, now: number): Promise<void> {
  const change = { set: { status: "enqueued" }, due: now + LOST_AFTER_SECONDS } as const;
  await chatWork.change(db, key, change, { status: "received" });
}
