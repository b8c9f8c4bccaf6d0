import type { ChatInbound, ChatWork } from "../../schemas/runs/chat-message.ts";
import type { TelegramSettings } from "../../settings/values/chats.ts";

/** The bot's own name, in lower case, and its id. */
export type BotIdentity = { readonly username: string; readonly id: string };

/**
 * Checks whether a message is meant for this bot, and removes the bot's name from it.
 *
 * @returns undefined for a message that is not: it is dropped silently
 * @source docs/interface/chat.md 4.3
 */
export function admitMessage(
  { work, target, addressing }: ChatInbound,
  settings: Pick<TelegramSettings, "reply_to_mentions_only" | "reply_to_bot_messages">,
  bot: BotIdentity,
): ChatWork | undefined {
  const isGroup = target.platform === "telegram" && target.is_group;
  const { mentions = [], replies_to, command_of } = addressing ?? {};
  if (isGroup && command_of !== undefined && command_of !== bot.username) return undefined;
  if (work.kind !== "run" || work.busy !== undefined || !isGroup) return work;
  const isNamed = mentions.includes(bot.username);
  const isReply = settings.reply_to_bot_messages && replies_to === bot.id;
  if (settings.reply_to_mentions_only && !isNamed && !isReply) return undefined;
  const text = withoutName(work.text, bot.username);
  return text === "" && work.media.length === 0 ? undefined : { ...work, text };
}

const withoutName = (text: string, username: string): string =>
  text.replace(new RegExp(`(?<![\\w@])@${username}(?!\\w)[ \\t]?`, "gi"), "").trim();
