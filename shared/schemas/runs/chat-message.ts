import * as v from "valibot";
import { mediaKinds } from "./media.ts";

const chatPlatforms = ["whatsapp", "telegram"] as const;
export type ChatPlatformName = (typeof chatPlatforms)[number];

/** A medium that the platform keeps for us: what is needed to fetch it. */
export const ChatMedium = v.object({
  kind: v.picklist(mediaKinds),
  /** The platform's id of the file. */
  ref: v.string(),
  mime_type: v.optional(v.string()),
  filename: v.optional(v.string()),
  /** Bytes, where the platform tells. */
  size: v.optional(v.number()),
});
export type ChatMedium = v.InferOutput<typeof ChatMedium>;

export const chatCommands = ["new", "start", "help", "stop"] as const;
export type ChatCommand = (typeof chatCommands)[number];

/** What a message of a group says about whom it is meant for; the worker knows the bot's name, the door does not. */
export const ChatAddressing = v.object({
  /** Names after an `@`, in lower case. */
  mentions: v.array(v.string()),
  /** Id of the sender of the message that this one replies to. */
  replies_to: v.optional(v.string()),
  /** `/help@name`: whose command it is, in lower case. */
  command_of: v.optional(v.string()),
});
export type ChatAddressing = v.InferOutput<typeof ChatAddressing>;

/** What somebody wants by a message. */
export const ChatWork = v.variant("kind", [
  v.object({ kind: v.literal("run"), text: v.string(), media: v.array(ChatMedium) }),
  v.object({ kind: v.literal("command"), command: v.picklist(chatCommands) }),
  /** Something that cannot be read; it is answered so. */
  v.object({ kind: v.literal("unsupported"), type: v.string() }),
  /** A button under a question of a paused run. */
  v.object({
    kind: v.literal("decision"),
    run_id: v.string(),
    approved: v.boolean(),
    /** What the platform wants back for the button. */
    callback_id: v.optional(v.string()),
  }),
]);
export type ChatWork = v.InferOutput<typeof ChatWork>;

/** Where the answer goes. */
const ChatTarget = v.variant("platform", [
  v.object({
    platform: v.literal("whatsapp"),
    /** The number; absent for somebody who hides it. */
    to: v.optional(v.string()),
    /** The id that stands for the number where it is hidden. */
    recipient: v.optional(v.string()),
    group: v.optional(v.string()),
  }),
  v.object({
    platform: v.literal("telegram"),
    chat_id: v.number(),
    thread_id: v.optional(v.number()),
    is_group: v.boolean(),
  }),
]);
export type ChatTarget = v.InferOutput<typeof ChatTarget>;

/** A message as a door understood it. */
export const ChatInbound = v.object({
  /** Unique over everything that was ever received: platform, our account there, the platform's id. */
  key: v.string(),
  /** The platform's id of the message; what is quoted and marked as read. */
  message_id: v.string(),
  /** The conversation. */
  scope: v.string(),
  /** Whose the conversation is. */
  owner: v.string(),
  /** Who wrote. */
  sender: v.string(),
  target: ChatTarget,
  work: ChatWork,
  addressing: v.optional(ChatAddressing),
  /** Epoch seconds, as the platform says. */
  sent_at: v.number(),
});
export type ChatInbound = v.InferOutput<typeof ChatInbound>;

export const chatStates = ["received", "enqueued", "open", "waiting", "done", "failed"] as const;
