import * as v from "valibot";
import type { Clock } from "../../runtime/clock.ts";
import type { TelegramSettings } from "../../settings/values/chats.ts";
import { answerParts } from "../answer-parts.ts";
import type { Addressed, ChatPart, ChatPort } from "../chat-port.ts";
import type { ChatSecrets } from "../chat-secrets.ts";
import { decisionId } from "../decision-button.ts";
import { feedbackId, type Score } from "../feedback.ts";
import { liveAnswer } from "../live-answer.ts";
import { limitersOf, type RateLimiter, rateLimiter } from "../rate-limiter.ts";
import { admitMessage, type BotIdentity } from "./admit-message.ts";
import { type BotClient, botClient, sentFrom } from "./bot-client.ts";
import { EVERY_MS, EVERY_MS_IN_GROUPS, finishLive, liveMessage } from "./live-message.ts";
import { sendText } from "./send-text.ts";
import { telegramChunks } from "./telegram-html.ts";
import { fetchTelegramMedium, sendTelegramMedium } from "./telegram-media.ts";

/** Telegram hides the typing indicator after five seconds. */
const TYPING_EVERY_MS = 4_000;

const Me = v.looseObject({ id: v.number(), username: v.string() });

/** Telegram, as the worker uses it. */
export function connectTelegram(
  settings: TelegramSettings,
  secrets: ChatSecrets["telegram"],
  clock: Clock,
): ChatPort {
  const token = async () => {
    const { token } = await secrets();
    if (!token) throw new Error("the token of the Telegram bot is not configured");
    return token;
  };
  const client = botClient(settings, token, clock);
  const identify = cachedIdentity(client);
  const every = (ms: number) => limitersOf(() => rateLimiter(client.blockedUntil, clock, ms));
  const [chats, groups] = [every(EVERY_MS), every(EVERY_MS_IN_GROUPS)];
  const limiterOf = (message: Addressed): RateLimiter => {
    const { chat_id, is_group } = targetOf(message);
    return (is_group ? groups : chats)(String(chat_id));
  };
  return {
    texts: settings.texts,
    component: settings.component,
    mediaMaxMb: settings.media_max_mb,
    feedback: settings.feedback,
    typingEveryMs: TYPING_EVERY_MS,
    maxAgeSeconds: undefined,
    showTyping: async (message) => {
      if (client.blockedUntil() > clock.now()) return;
      await client.call("sendChatAction", { ...placeOf(message), action: "typing" });
    },
    partsOf: (answer) => answerParts(settings, answer, telegramChunks),
    send: async (message, part, { index, of }) => {
      const place = {
        ...placeOf(message),
        ...(index === 0 && quoteOf(settings, message)),
        ...buttonsBelow(part, settings),
      };
      const { live_id } = message;
      if (live_id !== undefined && index === 0) await limiterOf(message).waitTurn();
      if (live_id !== undefined && part.kind === "text" && index === 0) {
        const finished = of === 1 ? await finishLive(client, place, live_id, part.text) : undefined;
        if (finished) return finished;
        await client.call("deleteMessage", { chat_id: place.chat_id, message_id: Number(live_id) });
      }
      return sendPart(client, place, part);
    },
    fetchMedium: (medium) => fetchTelegramMedium(client, settings, medium),
    admit: async (inbound) => {
      // Only in a group does the bot need its own name.
      const isGroup = inbound.target.platform === "telegram" && inbound.target.is_group;
      if (!isGroup) return inbound.work;
      const identity = await identify();
      return identity ? admitMessage(inbound, settings, identity) : "later";
    },
    acknowledgeButton: async (_message, { callback_id: callback_query_id }, effect) => {
      const { not_asker, over } = settings.texts;
      const said = { applied: undefined, over, not_theirs: not_asker }[effect];
      if (callback_query_id !== undefined)
        await client.call("answerCallbackQuery", { callback_query_id, ...(said && { text: said }) });
    },
    acknowledgeFeedback: async (callback_query_id, isRecorded) => {
      const { thanks, over } = settings.texts;
      await client.call("answerCallbackQuery", { callback_query_id, text: isRecorded ? thanks : over });
    },
    ...(settings.streaming && {
      live: (message, onSent) => {
        const place = { ...placeOf(message), ...quoteOf(settings, message) };
        return liveAnswer(liveMessage(client, place), limiterOf(message), message.live_id, onSent);
      },
    }),
  };
}

/** @returns undefined while Telegram does not answer */
function cachedIdentity(client: BotClient): () => Promise<BotIdentity | undefined> {
  let known: BotIdentity | undefined;
  return async () => {
    if (known) return known;
    const called = await client.call("getMe", {});
    if (!called.ok) return undefined;
    const { id, username } = v.parse(Me, called.result);
    known = { id: String(id), username: username.toLowerCase() };
    return known;
  };
}

function targetOf({ target }: Addressed) {
  if (target.platform !== "telegram") throw new Error("a message of another platform");
  return target;
}

function placeOf(message: Addressed) {
  const { chat_id, thread_id } = targetOf(message);
  return { chat_id, ...(thread_id !== undefined && { message_thread_id: thread_id }) };
}

/** In a group the answer quotes its message; it is also sent if that message has been deleted. */
function quoteOf({ quoted_responses }: TelegramSettings, message: Addressed) {
  if (!quoted_responses && !targetOf(message).is_group) return {};
  const message_id = Number(message.message_id);
  return { reply_parameters: { message_id, allow_sending_without_reply: true } };
}

/** Two buttons below the end of an answer. */
function buttonsBelow(part: ChatPart, { texts }: Pick<TelegramSettings, "texts">) {
  if (part.kind !== "text" || part.judged === undefined) return {};
  const button = (text: string, score: Score) => ({
    text,
    callback_data: feedbackId(part.judged ?? "", score),
  });
  return { reply_markup: { inline_keyboard: [[button(texts.good, 1), button(texts.bad, 0)]] } };
}

type Place = Readonly<Record<string, unknown>> & { readonly chat_id: number };

async function sendPart(client: BotClient, place: Place, part: ChatPart) {
  if (part.kind === "text") return sendText(client, place, part.text);
  if (part.kind === "medium") return sendTelegramMedium(client, place, part.medium);
  // No tool prepares messages in this platform's format.
  if (part.kind === "prepared") return { sent: false, retry: "never", code: "another platform's" } as const;
  const button = (text: string, approved: boolean) => ({
    text,
    callback_data: decisionId(part.run_id, approved, part.tag),
  });
  const inline_keyboard = [[button(part.labels.yes, true), button(part.labels.no, false)]];
  return sentFrom(
    await client.call("sendMessage", {
      ...place,
      text: part.text.slice(0, 4096),
      reply_markup: { inline_keyboard },
    }),
  );
}
