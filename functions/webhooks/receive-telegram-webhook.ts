import * as v from "valibot";
import { dropped, readUpdate } from "../../shared/chat/index.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { webhookRoutes } from "../../shared/routes/webhooks.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { TelegramUpdate } from "../../shared/schemas/chat/telegram-update.ts";
import { acceptMessage } from "./accept-message.ts";
import { requireInterface } from "./require-interface.ts";
import { logDropped, type WebhooksDeps } from "./webhooks-deps.ts";

/**
 * Accepts an update and answers at once.
 *
 * @throws where it could not be stored: Telegram sends it again
 * @source docs/interface/chat.md 1.2
 */
export const receiveTelegramWebhook: Handler<
  typeof webhookRoutes.receiveTelegramWebhook,
  WebhooksDeps
> = async ({ body }, deps) => {
  const settings = requireInterface(deps.telegram);
  const parsed = v.safeParse(TelegramUpdate, body);
  if (!parsed.success) {
    logDropped(deps, "telegram", dropped("an update that cannot be read"));
    return { status: "ignored" };
  }
  const botId = (await deps.secrets.telegram()).token?.split(":")[0] ?? "";
  const inbound = readUpdate(parsed.output, { settings, botId, now: epochSeconds(deps.clock) });
  if ("dropped" in inbound) {
    logDropped(deps, "telegram", inbound);
    return { status: inbound.status };
  }
  const claim = await acceptMessage(deps, inbound);
  return { status: claim === "duplicate" || claim === "ignored" ? claim : "processing" };
};
