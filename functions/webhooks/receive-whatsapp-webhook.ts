import * as v from "valibot";
import { ServiceError } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { webhookRoutes } from "../../shared/routes/webhooks.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { WhatsappPayload } from "../../shared/schemas/chat/whatsapp-webhook.ts";
import { readPayload } from "../../shared/webhooks/whatsapp/read-payload.ts";
import { acceptMessage } from "./accept-message.ts";
import { requireInterface } from "./require-interface.ts";
import type { WebhooksDeps } from "./webhooks-deps.ts";

/**
 * Accepts every message of a payload and answers at once; it calls neither the platform nor a model.
 *
 * @throws where a message could not be stored: the platform sends the payload again
 * @source contract, chat-webhooks sections 2 to 4
 */
export const receiveWhatsappWebhook: Handler<
  typeof webhookRoutes.receiveWhatsappWebhook,
  WebhooksDeps
> = async ({ body }, deps) => {
  const settings = requireInterface(deps.whatsapp);
  const parsed = v.safeParse(WhatsappPayload, body);
  if (!parsed.success || parsed.output.object !== "whatsapp_business_account") return { status: "ignored" };
  const encryptionKey = settings.enable_encryption ? await requireKey(deps) : undefined;
  const reading = { settings, encryptionKey, now: epochSeconds(deps.clock) };
  // One after the other: those of one conversation have to be in the queue in their order.
  for (const inbound of readPayload(parsed.output, reading)) await acceptMessage(deps, inbound);
  return { status: "ok" };
};

async function requireKey({ secrets }: WebhooksDeps): Promise<string> {
  const { encryption_key = "" } = await secrets.whatsapp();
  if (/^[0-9a-f]{64}$/i.test(encryption_key)) return encryption_key;
  throw new ServiceError("INTERNAL_SERVER_ERROR", "The encryption key is not configured");
}
