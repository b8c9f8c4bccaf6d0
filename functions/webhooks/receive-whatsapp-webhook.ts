import * as v from "valibot";
import {
  type Dropped,
  dropped,
  earlierUserId,
  failedDeliveries,
  hiddenUserId,
  readPayload,
} from "../../shared/chat/index.ts";
import { ServiceError } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { webhookRoutes } from "../../shared/routes/webhooks.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { WhatsappPayload } from "../../shared/schemas/chat/whatsapp-webhook.ts";
import type { ChatInbound } from "../../shared/schemas/runs/chat-message.ts";
import { hasChat } from "../../shared/stores/chats/index.ts";
import { acceptMessage } from "./accept-message.ts";
import { requireInterface } from "./require-interface.ts";
import { logDropped, type WebhooksDeps } from "./webhooks-deps.ts";

/**
 * Accepts every message of a payload and answers at once; it calls neither the platform nor a model.
 *
 * @throws where a message could not be stored: the platform sends the payload again
 * @source docs/interface/chat.md 1.2
 */
export const receiveWhatsappWebhook: Handler<
  typeof webhookRoutes.receiveWhatsappWebhook,
  WebhooksDeps
> = async ({ body }, deps) => {
  const settings = requireInterface(deps.whatsapp);
  const parsed = v.safeParse(WhatsappPayload, body);
  if (!parsed.success || parsed.output.object !== "whatsapp_business_account") {
    logDropped(deps, "whatsapp", dropped("a payload of no account"));
    return { status: "ignored" };
  }
  for (const code of failedDeliveries(parsed.output)) {
    deps.log.warn("a message of ours was not delivered", { platform: "whatsapp", code });
  }
  const reading = { settings, now: epochSeconds(deps.clock) };
  const messages = settings.enable_encryption
    ? await readHidden(deps, parsed.output, reading)
    : readPayload(parsed.output, reading);
  // One after the other: those of one conversation have to be in the queue in their order.
  for (const inbound of messages) {
    if ("dropped" in inbound) logDropped(deps, "whatsapp", inbound);
    else await acceptMessage(deps, inbound);
  }
  return { status: "ok" };
};

/** Messages of hidden senders. A conversation that an earlier release began keeps its id, and with it its session. */
async function readHidden(
  deps: WebhooksDeps,
  payload: WhatsappPayload,
  reading: Parameters<typeof readPayload>[1],
): Promise<(ChatInbound | Dropped)[]> {
  const key = await requireKey(deps);
  const under = (idOf: typeof hiddenUserId) =>
    readPayload(payload, { ...reading, userIdOf: (sender) => idOf(sender, key) });
  // Both readings have the same messages in the same order.
  const earlier = under(earlierUserId);
  return Promise.all(
    under(hiddenUserId).map(async (inbound, position) => {
      const before = earlier[position];
      const isEarlier = before && !("dropped" in before) && (await hasChat(deps.db, before.scope));
      return isEarlier ? before : inbound;
    }),
  );
}

async function requireKey({ secrets }: WebhooksDeps): Promise<string> {
  const { encryption_key = "" } = await secrets.whatsapp();
  if (/^[0-9a-f]{64}$/i.test(encryption_key)) return encryption_key;
  throw new ServiceError("INTERNAL_SERVER_ERROR", "The encryption key is not configured");
}
