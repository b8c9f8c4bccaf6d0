/** The chat platforms: what checks and reads their webhooks, and what sends answers. Every other file is internal. */
export type { ChatAnswer, ChatPart, ChatPort, OutMedium, Sent } from "./chat-port.ts";
export { type ChatSecrets, connectChatSecrets } from "./chat-secrets.ts";
export { type Dropped, dropped } from "./dropped.ts";
export { judgesBy } from "./feedback.ts";
export { checkSlackSignature } from "./slack/check-slack-signature.ts";
export { connectSlack } from "./slack/connect-slack.ts";
export { readSlackEvent } from "./slack/read-slack-event.ts";
export { readSlackInteraction } from "./slack/read-slack-interaction.ts";
export { checkSecret } from "./telegram/check-secret.ts";
export { connectTelegram } from "./telegram/connect-telegram.ts";
export { readUpdate } from "./telegram/read-update.ts";
export { SHORT_SECONDS, tryAgainAt } from "./try-again-at.ts";
export { checkHandshake } from "./whatsapp/check-handshake.ts";
export { checkHmac } from "./whatsapp/check-hmac.ts";
export { connectWhatsapp } from "./whatsapp/connect-whatsapp.ts";
export { earlierUserId, hiddenUserId } from "./whatsapp/hidden-user-id.ts";
export { failedDeliveries, readPayload } from "./whatsapp/read-payload.ts";
