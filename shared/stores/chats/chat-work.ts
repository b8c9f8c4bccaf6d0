import { noneOf } from "../../data/guard.ts";
import { defineWork } from "../../work/define-work.ts";
import { chatDue, messageFrom, messageKey } from "./message-item.ts";

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
