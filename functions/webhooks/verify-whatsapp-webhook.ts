import { ServiceError } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { webhookRoutes } from "../../shared/routes/webhooks.ts";

/** Echoes the challenge; the token was checked before, as the signature. */
export const verifyWhatsappWebhook: Handler<typeof webhookRoutes.verifyWhatsappWebhook, unknown> = async ({
  query,
}) => {
  const challenge = query["hub.challenge"];
  if (!challenge) throw new ServiceError("BAD_REQUEST", "hub.challenge is missing");
  return challenge;
};
