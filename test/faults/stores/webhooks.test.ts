import { walkStoreFaults } from "../../support/fault-walk.ts";

// The interfaces are off on this platform; what faults do to them is told in test/webhooks.
walkStoreFaults("webhooks", {
  verifyWhatsappWebhook: "reaches no store",
  receiveWhatsappWebhook: "reaches no store",
  getWhatsappStatus: "reaches no store",
  receiveTelegramWebhook: "reaches no store",
  getTelegramStatus: "reaches no store",
});
