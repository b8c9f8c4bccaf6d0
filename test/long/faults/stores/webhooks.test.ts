import { walkStoreFaults } from "../../../support/fault-walk.ts";

/** The interfaces are off on this platform; test/webhooks makes the stores fail where they are on. */
const off = (path: string) => ({ reachesNoStoreAt: path, status: 404 });

walkStoreFaults("webhooks", {
  verifyWhatsappWebhook: off("/whatsapp/webhook"),
  receiveWhatsappWebhook: off("/whatsapp/webhook"),
  getWhatsappStatus: off("/whatsapp/status"),
  receiveTelegramWebhook: off("/telegram/webhook"),
  getTelegramStatus: off("/telegram/status"),
  receiveSlackEvent: off("/slack/events"),
  receiveSlackInteraction: off("/slack/interactions"),
  getSlackStatus: off("/slack/status"),
});
