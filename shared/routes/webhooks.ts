import * as v from "valibot";
import { meaning } from "../schemas/values/described-as.ts";
import type { RouteTable } from "./route.ts";

const Acknowledged = v.object({ status: v.string() });
/** With a call that Telegram executes, where a button leads nowhere: its client shows until then that it waits. */
const AcknowledgedUpdate = v.object({
  ...Acknowledged.entries,
  method: v.optional(v.literal("answerCallbackQuery")),
  callback_query_id: v.optional(v.string()),
  text: v.optional(v.string()),
});
const Available = v.object({ status: v.literal("available") });

const slackHeaders = {
  "X-Slack-Request-Timestamp": { description: "When the request was signed, in epoch seconds" },
  "X-Slack-Signature": {
    description: "v0= and the HMAC of the timestamp and the body under the app's signing secret",
  },
};

/**
 * Webhooks that chat platforms call. They have no bearer credential: each row names how its requests are signed.
 *
 * @source docs/interface/chat.md 1.1; Slack's own documentation for its routes
 */
export const webhookRoutes = {
  verifyWhatsappWebhook: {
    method: "GET",
    path: "/whatsapp/webhook",
    scopes: "public",
    signature: "whatsapp-handshake",
    query: v.object({
      "hub.mode": meaning(v.optional(v.string()), "subscribe"),
      "hub.verify_token": meaning(v.optional(v.string()), "The token that was agreed with WhatsApp"),
      "hub.challenge": meaning(v.optional(v.string()), "What is answered as it is"),
    }),
    response: { mediaType: "text/plain; charset=utf-8" },
    refuses: [400, 404],
    example: {
      query: {
        "hub.mode": "subscribe",
        "hub.verify_token": "the-agreed-word",
        "hub.challenge": "1158201444",
      },
    },
    summary: "Answer the handshake by which WhatsApp subscribes",
  },
  receiveWhatsappWebhook: {
    method: "POST",
    path: "/whatsapp/webhook",
    scopes: "public",
    signature: "whatsapp-hmac",
    headers: {
      "X-Hub-Signature-256": { description: "sha256= and the HMAC of the body under the app's secret" },
    },
    body: { json: v.unknown() },
    response: Acknowledged,
    refuses: [400, 404],
    example: { body: { object: "whatsapp_business_account", entry: [] } },
    summary: "Take messages of WhatsApp; they are answered later",
  },
  getWhatsappStatus: {
    method: "GET",
    path: "/whatsapp/status",
    scopes: "public",
    response: Available,
    refuses: [404],
    summary: "Check that the WhatsApp interface is enabled",
  },
  receiveTelegramWebhook: {
    method: "POST",
    path: "/telegram/webhook",
    scopes: "public",
    signature: "telegram-secret",
    headers: {
      "X-Telegram-Bot-Api-Secret-Token": { description: "The secret that the webhook was set with" },
    },
    body: { json: v.unknown() },
    response: AcknowledgedUpdate,
    refuses: [400, 404],
    example: {
      body: {
        update_id: 10001,
        message: {
          message_id: 7,
          date: 1772615700,
          chat: { id: 4711, type: "private" },
          from: { id: 4711, is_bot: false, first_name: "Maria" },
          text: "Where is my order?",
        },
      },
    },
    summary: "Event processed: an update of Telegram was taken; it is answered later",
  },
  getTelegramStatus: {
    method: "GET",
    path: "/telegram/status",
    scopes: "public",
    response: Available,
    refuses: [404],
    summary: "Check that the Telegram interface is enabled",
  },
  receiveSlackEvent: {
    method: "POST",
    path: "/slack/events",
    scopes: "public",
    signature: "slack-hmac",
    headers: slackHeaders,
    body: { json: v.unknown() },
    response: v.union([Acknowledged, v.object({ challenge: v.string() })]),
    refuses: [400, 404],
    example: {
      body: {
        type: "event_callback",
        team_id: "T0123",
        event_id: "Ev0123",
        authorizations: [{ user_id: "U0BOT", is_bot: true }],
        event: {
          type: "app_mention",
          user: "U4711",
          channel: "C0815",
          ts: "1772615700.000100",
          text: "<@U0BOT> Where is my order?",
        },
      },
    },
    summary: "Take an event of Slack; a message is answered later, the check of the address at once",
  },
  receiveSlackInteraction: {
    method: "POST",
    path: "/slack/interactions",
    scopes: "public",
    signature: "slack-hmac",
    headers: slackHeaders,
    body: {
      form: v.object({ payload: meaning(v.string(), "What was pressed, a JSON object as Slack sends it") }),
    },
    response: Acknowledged,
    refuses: [400, 404],
    example: { body: { payload: '{"type":"block_actions","user":{"id":"U4711"},"actions":[]}' } },
    summary: "Receive a button that a user pressed in Slack",
  },
  getSlackStatus: {
    method: "GET",
    path: "/slack/status",
    scopes: "public",
    response: Available,
    refuses: [404],
    summary: "Check that the Slack interface is enabled",
  },
} as const satisfies RouteTable;
