import * as v from "valibot";
import { mediaKinds } from "./media.ts";

const chatPlatforms = ["whatsapp", "telegram", "slack"] as const;
export type ChatPlatformName = (typeof chatPlatforms)[number];

/** A medium that is stored by the platform: what fetching it needs. */
export const ChatMedium = v.object({
  kind: v.picklist(mediaKinds),
  /** The platform's id of the file. */
  ref: v.string(),
  mime_type: v.optional(v.string()),
  filename: v.optional(v.string()),
  /** Bytes, if the platform gives the size. */
  size: v.optional(v.number()),
});
export type ChatMedium = v.InferOutput<typeof ChatMedium>;

/** What becomes of a message while a run of its sender goes on: it waits, or is said to that run. */
export const chatBusy = ["queue", "steer"] as const;
export type ChatBusy = (typeof chatBusy)[number];

export const chatCommands = ["new", "start", "help", "stop"] as const;
export type ChatCommand = (typeof chatCommands)[number];

/** The addressees of a message in a group; compared in the worker, because the webhook does not know the bot's name. */
export const ChatAddressing = v.object({
  /** Names after an `@`, in lower case. */
  mentions: v.array(v.string()),
  /** Id of the sender of the message that this one replies to. */
  replies_to: v.optional(v.string()),
  /** `/help@name`: the bot that the command is for, in lower case. */
  command_of: v.optional(v.string()),
});
export type ChatAddressing = v.InferOutput<typeof ChatAddressing>;

/** What a message requests. */
export const ChatWork = v.variant("kind", [
  v.object({
    kind: v.literal("run"),
    text: v.string(),
    media: v.array(ChatMedium),
    /** Chosen for this message by its first word. */
    busy: v.optional(v.picklist(chatBusy)),
  }),
  v.object({ kind: v.literal("command"), command: v.picklist(chatCommands) }),
  /** A type of message that cannot be read; the answer says so. */
  v.object({ kind: v.literal("unsupported"), type: v.string() }),
  /** A button under a question of a paused run. */
  v.object({
    kind: v.literal("decision"),
    run_id: v.string(),
    approved: v.boolean(),
    /** Names the question; absent on buttons of earlier releases. */
    tag: v.optional(v.string()),
    /** What the platform needs to acknowledge the button: an id, or who pressed it. */
    callback_id: v.optional(v.string()),
    /** The text above the button, where the platform sends it along. */
    question: v.optional(v.string()),
  }),
  /** What a person says about an answer, by a button below it or a reaction to it. */
  v.object({
    kind: v.literal("feedback"),
    /** The platform's id of the message that is judged. */
    about: v.string(),
    /** Absent where it is taken back. */
    score: v.optional(v.picklist([0, 1])),
    /** What alone is taken back, where the platform says it: another score stays. */
    taken_back: v.optional(v.picklist([0, 1])),
    /** The run that the button names. */
    run_id: v.optional(v.string()),
    /** What the platform needs to acknowledge the button. */
    callback_id: v.optional(v.string()),
  }),
]);
export type ChatWork = v.InferOutput<typeof ChatWork>;

/** Where the answer goes. */
const ChatTarget = v.variant("platform", [
  v.object({
    platform: v.literal("whatsapp"),
    /** The number; absent if it is hidden. */
    to: v.optional(v.string()),
    /** The id used in place of a hidden number. */
    recipient: v.optional(v.string()),
    group: v.optional(v.string()),
  }),
  v.object({
    platform: v.literal("telegram"),
    chat_id: v.number(),
    thread_id: v.optional(v.number()),
    is_group: v.boolean(),
  }),
  v.object({
    platform: v.literal("slack"),
    channel: v.string(),
    /** `ts` of the message that the thread began with. */
    thread_ts: v.string(),
  }),
]);
export type ChatTarget = v.InferOutput<typeof ChatTarget>;

/** A message as the webhook parsed it. */
export const ChatInbound = v.object({
  /** Unique over all messages: platform, our account there, the platform's id. */
  key: v.string(),
  /** The platform's id of the message, to quote it and to mark it as read. */
  message_id: v.string(),
  /** The conversation. */
  scope: v.string(),
  /** The owner of the conversation. */
  owner: v.string(),
  /** Who wrote. */
  sender: v.string(),
  target: ChatTarget,
  work: ChatWork,
  addressing: v.optional(ChatAddressing),
  /** Key of the message that this is a later text of. */
  edit_of: v.optional(v.string()),
  /** Code of the language that the sender's program is in, where the platform sends it. */
  language: v.optional(v.string()),
  /** Epoch seconds, from the platform. */
  sent_at: v.number(),
});
export type ChatInbound = v.InferOutput<typeof ChatInbound>;

export const chatStates = ["received", "enqueued", "open", "waiting", "done", "failed"] as const;
