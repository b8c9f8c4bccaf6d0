import type { webhookRoutes } from "../../routes/webhooks.ts";
import type { ExamplesOf } from "./example.ts";

export const webhookExamples: ExamplesOf<typeof webhookRoutes> = {
  verifyWhatsappWebhook: {
    query: { "hub.mode": "subscribe", "hub.verify_token": "the-agreed-word", "hub.challenge": "1158201444" },
    answer: "1158201444",
  },
  receiveWhatsappWebhook: {
    body: { object: "whatsapp_business_account", entry: [] },
    answer: { status: "ok" },
  },
  getWhatsappStatus: { answer: { status: "available" } },
  receiveTelegramWebhook: {
    body: {
      update_id: 10001,
      message: {
        message_id: 7,
        date: 1772615700,
        chat: { id: 4711, type: "private" },
        from: { id: 4711, is_bot: false, first_name: "Maria" },
        text: "What time is it in Oslo?",
      },
    },
    answer: { status: "processing" },
  },
  getTelegramStatus: { answer: { status: "available" } },
  receiveSlackEvent: {
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
        text: "<@U0BOT> What time is it in Oslo?",
      },
    },
    answer: { status: "ok" },
  },
  receiveSlackInteraction: {
    body: { payload: '{"type":"block_actions","user":{"id":"U4711"},"actions":[]}' },
    answer: { status: "ignored" },
  },
  getSlackStatus: { answer: { status: "available" } },
};
