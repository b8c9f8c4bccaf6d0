import * as v from "valibot";

/** How a setting names a component. */
export const ONE_COMPONENT = /^(agents|teams|workflows)\/[^/\s,]+$/;
export const NO_COMPONENT = "must be agents/<id>, teams/<id> or workflows/<id>";

/** Texts that the bot sends by itself. `{…}` is filled in. */
const texts = {
  unsupported: "I can't read {type} messages yet.",
  error: "That did not work. Please send it again in a moment.",
  new: "Fresh start: I no longer look at what we wrote before.",
  start: "Hello, this is {name}. Write to me, or send /help.",
  help: "/new starts a fresh conversation, /stop cancels what I am at, /help shows this list.",
  too_large: "This file is larger than {limit} MB. Please send a smaller one.",
  paused: "This needs an approval first. The answer follows once it is given.",
  confirm: "May I do this?",
  approve: "Yes",
  decline: "No",
  not_understood: "I did not understand that. Please answer this:",
  not_accepted: "That was not accepted. Let us begin again:",
  not_asker: "Only the person who asked can answer this.",
  cancelled: "This request was cancelled.",
  unread: "What I was at ended before I read this. Please send it again.",
  nothing_to_stop: "There is nothing to stop.",
  working: "is working on it…",
  good: "👍",
  bad: "👎",
  thanks: "Thank you.",
  over: "This button does nothing any more.",
} as const;
/** The texts of a bot whose operator has set none. */
export const defaultTexts: Readonly<Record<keyof typeof texts, string>> = texts;
export type ChatTexts = Readonly<Record<keyof typeof texts, string>>;

/** In Slack the client takes a message that begins with a slash for a command of the workspace. */
const slackTexts: ChatTexts = {
  ...texts,
  start: "Hello, this is {name}. Write to me, or send !help.",
  help: "Each thread is a conversation of its own. !new starts it afresh, !stop cancels what I am at, !help shows this list.",
};

const textsOf = (defaults: ChatTexts) =>
  v.strictObject(
    Object.fromEntries(
      Object.entries(defaults).map(([key, text]) => [key, v.optional(v.string(), text)]),
    ) as {
      // One entry for each key of the constant table above.
      [K in keyof ChatTexts]: v.OptionalSchema<v.StringSchema<undefined>, string>;
    },
  );

/** By what people judge an answer in their chat. */
export type ChatFeedback = "off" | "buttons" | "reactions" | "both";
const feedback = v.optional(v.picklist(["off", "buttons", "reactions", "both"]), "off");

const flag = (otherwise: boolean) => v.optional(v.boolean(), otherwise);
const url = (otherwise: string) => v.optional(v.pipe(v.string(), v.url("must be a URL")), otherwise);

const common = {
  /** What answers. */
  component: v.pipe(v.string(), v.regex(ONE_COMPONENT, NO_COMPONENT)),
  texts: v.optional(textsOf(texts), {}),
  /** Largest file that is accepted. */
  media_max_mb: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(20)), 20),
  media_timeout_seconds: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(60)), 30),
  show_reasoning: flag(false),
};

/**
 * Prefix of every user id that comes from the platform, so that none equals a token's subject: a token whose subject
 * begins with `tg:`, `wa:` or `sl:` is refused. Empty: the ids are the platform's own.
 */
const userIdPrefix = (otherwise: string) => v.optional(v.string(), otherwise);

/** @source docs/interface/chat.md 2.1 */
export const WhatsappSettings = v.strictObject({
  ...common,
  user_id_prefix: userIdPrefix("wa:"),
  phone_number_id: v.pipe(v.string(), v.nonEmpty()),
  api_url: url("https://graph.facebook.com"),
  api_version: v.optional(v.string(), "v25.0"),
  /** Hosts, and ends of hosts that begin with a dot, that media are fetched from. */
  media_hosts: v.optional(v.array(v.string()), [
    ".fbcdn.net",
    ".fbsbx.com",
    ".facebook.com",
    ".whatsapp.net",
  ]),
  send_user_number_to_context: flag(false),
  enable_encryption: flag(false),
  /** Whether messages in groups are answered, in the group. */
  answer_groups: flag(false),
  /** A message with buttons takes no longer text and no Markdown there, so an answer has none. */
  feedback: v.optional(v.picklist(["off", "reactions"]), "off"),
});
export type WhatsappSettings = v.InferOutput<typeof WhatsappSettings>;

/** @source docs/interface/chat.md 4.1 */
export const TelegramSettings = v.strictObject({
  ...common,
  user_id_prefix: userIdPrefix("tg:"),
  api_url: url("https://api.telegram.org"),
  reply_to_mentions_only: flag(true),
  reply_to_bot_messages: flag(true),
  run_edited_messages: flag(true),
  streaming: flag(true),
  quoted_responses: flag(false),
  feedback,
});
export type TelegramSettings = v.InferOutput<typeof TelegramSettings>;

/**
 * Slack. A thread is a conversation, so the commands are words that Slack's own slash commands do not take away.
 */
export const SlackSettings = v.strictObject({
  ...common,
  texts: v.optional(textsOf(slackTexts), {}),
  user_id_prefix: userIdPrefix("sl:"),
  api_url: url("https://slack.com/api"),
  /** In channels: whether only messages that name the bot are answered. */
  reply_to_mentions_only: flag(true),
  /** Whether channels are answered in which other organizations are. */
  answer_shared_channels: flag(false),
  streaming: flag(true),
  /** Hosts that files are fetched from, with the token. */
  media_hosts: v.optional(v.array(v.string()), ["files.slack.com"]),
  feedback,
});
export type SlackSettings = v.InferOutput<typeof SlackSettings>;
