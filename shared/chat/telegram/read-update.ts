import type { TelegramMessage, TelegramUpdate } from "../../schemas/chat/telegram-update.ts";
import type { ChatAddressing, ChatInbound } from "../../schemas/runs/chat-message.ts";
import type { TelegramSettings } from "../../settings/values/chats.ts";
import { readDecision } from "../decision-button.ts";
import { type Dropped, dropped } from "../dropped.ts";
import { judgesBy, readFeedback, type Score, scoreOfEmoji } from "../feedback.ts";
import { workOf } from "./work-of.ts";

type Reading = {
  readonly settings: Pick<
    TelegramSettings,
    "component" | "run_edited_messages" | "user_id_prefix" | "feedback"
  >;
  /** The bot's own id, the first part of its token. */
  readonly botId: string;
  /** Epoch seconds; for a message without the time at which it was sent. */
  readonly now: number;
};

/** An update that is not answered. `ignored`: it is of a type that is not read here. */
export type Unanswered = Dropped & { readonly status: "ignored" | "processing" };

const nothing = (why: string): Unanswered => ({ ...dropped(why), status: "processing" });

/**
 * The message in an update. A message and its edits are one turn at most: its key is the message's own, and an edit says of
 * which message it is one.
 *
 * @source docs/interface/chat.md 4.2
 */
export function readUpdate(update: TelegramUpdate, reading: Reading): ChatInbound | Unanswered {
  const { message, edited_message } = update;
  const received = message ?? edited_message;
  if (!received) {
    const other: Unanswered = { ...dropped("an update of another type"), status: "ignored" };
    return pressOf(update, reading) ?? reactionOf(update, reading) ?? other;
  }
  if (!message && !reading.settings.run_edited_messages) return nothing("an edited message");
  // Every move of a live location is an edit of the message that it began with.
  if (!message && received.location) return nothing("a live location that has moved");
  const work = workOf(received);
  if (!work) return nothing("nothing in it that is read");
  if (received.from?.is_bot) return nothing("written by a bot");
  const content = { work, addressing: addressingOf(received) };
  const key = `${received.chat?.id}#${received.message_id}`;
  const inbound = inboundFrom(message ? key : `${key}#edit`, received, received.from, reading, content);
  if (!inbound) return nothing("no chat or no sender");
  return message ? inbound : { ...inbound, edit_of: keyOf(reading, key) };
}

function pressOf({ callback_query, ...update }: TelegramUpdate, reading: Reading): ChatInbound | undefined {
  if (!callback_query?.message) return undefined;
  const { id: callback_id, data, message, from } = callback_query;
  const work = pressWork(data, message, reading);
  const question = { ...message, date: reading.now };
  return (
    work && inboundFrom(String(update.update_id), question, from, reading, { work: { ...work, callback_id } })
  );
}

function pressWork(data: string | undefined, { message_id }: TelegramMessage, { settings }: Reading) {
  const decision = readDecision(data);
  if (decision) return { kind: "decision" as const, ...decision };
  const said = judgesBy(settings.feedback, "buttons") ? readFeedback(data) : undefined;
  return said && { kind: "feedback" as const, about: String(message_id), ...said };
}

/**
 * What the reactions of a person to a message say, all that they have there now. One that says nothing takes back what was there.
 *
 * @source docs/interface/chat.md 6.2
 */
function reactionOf({ message_reaction, update_id }: TelegramUpdate, reading: Reading) {
  if (!message_reaction || !judgesBy(reading.settings.feedback, "reactions")) return undefined;
  const { chat, message_id, user, date, old_reaction, new_reaction } = message_reaction;
  if (user?.is_bot) return nothing("written by a bot");
  const score = scoreOf(new_reaction);
  if (score === undefined && scoreOf(old_reaction) === undefined)
    return nothing("a reaction that says nothing");
  const about = String(message_id);
  const work = { kind: "feedback" as const, about, ...(score !== undefined && { score }) };
  const message = { chat, message_id, date };
  return inboundFrom(String(update_id), message, user, reading, { work }) ?? nothing("no chat or no sender");
}

type Reactions = NonNullable<TelegramUpdate["message_reaction"]>["new_reaction"];

/** The last one counts where there are several. */
const scoreOf = (reactions: Reactions): Score | undefined =>
  reactions.flatMap(({ emoji = "" }) => scoreOfEmoji(emoji) ?? []).at(-1);

const keyOf = ({ botId }: Pick<Reading, "botId">, key: string): string => `tg#${botId}#${key}`;

function inboundFrom(
  key: string,
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
    key: keyOf({ botId }, key),
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
