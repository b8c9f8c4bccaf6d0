import type { TelegramSettings } from "../../runtime/chat-settings.ts";
import type { TelegramMessage, TelegramUpdate } from "../../schemas/chat/telegram-update.ts";
import type { ChatAddressing, ChatInbound } from "../../schemas/runs/chat-message.ts";
import { readDecision } from "../chat/decision-button.ts";
import { workOf } from "./work-of.ts";

type Reading = {
  readonly settings: Pick<TelegramSettings, "component" | "run_edited_messages" | "user_id_prefix">;
  /** The bot's own id, the first part of its token. */
  readonly botId: string;
  /** Epoch seconds; for a message without the time at which it was sent. */
  readonly now: number;
};

/**
 * The message in an update. `ignored`: the update is of a type that is not read here. `nothing`: its type is read, but
 * there is nothing to do.
 *
 * @source contract, chat-webhooks section 7
 */
export function readUpdate(update: TelegramUpdate, reading: Reading): ChatInbound | "ignored" | "nothing" {
  const { message, edited_message } = update;
  const received = message ?? edited_message;
  if (!received) return decisionOf(update, reading) ?? "ignored";
  if (!message && !reading.settings.run_edited_messages) return "nothing";
  const work = workOf(received);
  if (!work || received.from?.is_bot) return "nothing";
  const content = { work, addressing: addressingOf(received) };
  return inboundFrom(update, received, received.from, reading, content) ?? "nothing";
}

function decisionOf(
  { callback_query, ...update }: TelegramUpdate,
  reading: Reading,
): ChatInbound | undefined {
  const decision = readDecision(callback_query?.data);
  if (!callback_query?.message || !decision) return undefined;
  const work = { kind: "decision" as const, ...decision, callback_id: callback_query.id };
  const { message, from } = callback_query;
  const question = { ...message, date: reading.now };
  return inboundFrom({ ...update }, question, from, reading, { work });
}

function inboundFrom(
  { update_id }: Pick<TelegramUpdate, "update_id">,
  { chat, message_id, message_thread_id, date }: TelegramMessage,
  from: TelegramMessage["from"],
  { settings, botId, now }: Reading,
  content: Pick<ChatInbound, "work" | "addressing">,
): ChatInbound | undefined {
  if (!chat || from === undefined) return undefined;
  const is_group = chat.type === "group" || chat.type === "supergroup";
  const sender = settings.user_id_prefix + String(from.id);
  const place = [chat.id, ...(message_thread_id === undefined ? [] : [message_thread_id])].join(":");
  return {
    key: `tg#${botId}#${update_id}`,
    message_id: String(message_id),
    // With the prefix: sessions of users without it are another owner's.
    scope: `tg:${settings.component.split("/")[1]}:${settings.user_id_prefix}${place}`,
    owner: is_group ? `${settings.user_id_prefix}tg-chat:${chat.id}` : sender,
    sender,
    target: {
      platform: "telegram",
      chat_id: chat.id,
      ...(message_thread_id !== undefined && { thread_id: message_thread_id }),
      is_group,
    },
    ...content,
    ...(from.language_code !== undefined && { language: from.language_code }),
    sent_at: date ?? now,
  };
}

/** Whom a message addresses. Entities mark mentions exactly; without them the text is searched. */
function addressingOf(message: TelegramMessage): ChatAddressing {
  const text = message.text ?? message.caption ?? "";
  const entities = message.entities ?? message.caption_entities;
  const named = entities
    ? entities
        .filter(({ type }) => type === "mention")
        .map(({ offset, length }) => text.slice(offset + 1, offset + length))
    : [...text.matchAll(/(?<![\w@])@(\w+)/g)].map(([, name = ""]) => name);
  const command_of = /^\/\w+@(\w+)/.exec(text.trimStart())?.[1]?.toLowerCase();
  const replied = message.reply_to_message?.from?.id;
  return {
    mentions: named.map((name) => name.toLowerCase()),
    ...(replied !== undefined && { replies_to: String(replied) }),
    ...(command_of !== undefined && { command_of }),
  };
}
