import type { Handler } from "../../shared/http/handler.ts";
import type { webhookRoutes } from "../../shared/routes/webhooks.ts";
import { requireInterface } from "./require-interface.ts";
import type { WebhooksDeps } from "./webhooks-deps.ts";

type Needs = Pick<WebhooksDeps, "telegram">;

export const getTelegramStatus: Handler<typeof webhookRoutes.getTelegramStatus, Needs> = async (
  _request,
  { telegram },
) => {
  requireInterface(telegram);
  return { status: "available" };
};
