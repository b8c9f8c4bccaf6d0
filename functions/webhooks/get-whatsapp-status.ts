import type { Handler } from "../../shared/http/handler.ts";
import type { webhookRoutes } from "../../shared/routes/webhooks.ts";
import { requireInterface } from "./require-interface.ts";
import type { WebhooksDeps } from "./webhooks-deps.ts";

type Needs = Pick<WebhooksDeps, "whatsapp">;

export const getWhatsappStatus: Handler<typeof webhookRoutes.getWhatsappStatus, Needs> = async (
  _request,
  { whatsapp },
) => {
  requireInterface(whatsapp);
  return { status: "available" };
};
