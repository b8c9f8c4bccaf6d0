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
 * Accepts an update and answers at once: a button that leads nowhere in the way in which Telegram executes a call.
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
  const { callback_query: pressed } = parsed.output;
  const leadsNowhere = pressed && {
    method: "answerCallbackQuery" as const,
    callback_query_id: pressed.id,
    text: settings.texts.over,
  };
  const botId = (await deps.secrets.telegram()).token?.split(":")[0] ?? "";
  const inbound = readUpdate(parsed.output, { settings, botId, now: epochSeconds(deps.clock) });
  if ("dropped" in inbound) {
    logDropped(deps, "telegram", inbound);
    return { status: inbound.status, ...leadsNowhere };
  }
  const claim = await acceptMessage(deps, inbound);
  if (claim === "ignored") return { status: claim, ...leadsNowhere };
  return { status: claim === "duplicate" ? claim : "processing" };
};
