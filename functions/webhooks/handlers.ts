// Generated from the route table by `npm run routes`; do not edit.
export { getSlackStatus } from "./get-slack-status.ts";
export { getTelegramStatus } from "./get-telegram-status.ts";
export { getWhatsappStatus } from "./get-whatsapp-status.ts";
export { receiveSlackEvent } from "./receive-slack-event.ts";
export { receiveSlackInteraction } from "./receive-slack-interaction.ts";
export { receiveTelegramWebhook } from "./receive-telegram-webhook.ts";
export { receiveWhatsappWebhook } from "./receive-whatsapp-webhook.ts";
export { verifyWhatsappWebhook } from "./verify-whatsapp-webhook.ts";
