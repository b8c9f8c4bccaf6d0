import { choice, jsonObject, secretName } from "../forms.ts";
import type { Settings } from "../setting.ts";
import { SlackSettings, TelegramSettings, WhatsappSettings } from "../values/chats.ts";

/** Chat platforms on which components answer. A platform without settings is off. */
export const chats = {
  /**
   * the component that answers on WhatsApp, and its options: `{"component": "agents/assistant", "phone_number_id": "…"}`;
   * see [chat](chat.md). Off without it
   */
  whatsapp: { variable: "WHATSAPP", form: jsonObject(WhatsappSettings) },
  /** Secrets Manager secret with the tokens of WhatsApp, a JSON object */
  whatsappSecret: { variable: "WHATSAPP_SECRET", local: false, form: secretName },
  /**
   * the component that answers on Telegram, and its options: `{"component": "agents/assistant"}`; see [chat](chat.md). Off
   * without it
   */
  telegram: { variable: "TELEGRAM", form: jsonObject(TelegramSettings) },
  /** Secrets Manager secret with the tokens of Telegram, a JSON object */
  telegramSecret: { variable: "TELEGRAM_SECRET", local: false, form: secretName },
  /**
   * the component that answers on Slack, and its options: `{"component": "agents/assistant"}`; see [chat](chat.md). Off
   * without it
   */
  slack: { variable: "SLACK", form: jsonObject(SlackSettings) },
  /** Secrets Manager secret with the token and the signing secret of the Slack app, a JSON object */
  slackSecret: { variable: "SLACK_SECRET", local: false, form: secretName },
  /**
   * what becomes of a message in a chat while the run of its sender's last one goes on: with `queue` it waits and is answered
   * by itself, with `steer` it is said to that run, which answers both; see [chat](chat.md)
   */
  chatBusy: { variable: "CHAT_BUSY", form: choice("queue", "steer"), default: "queue" },
} as const satisfies Settings;
