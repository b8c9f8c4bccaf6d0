import type { Handler } from "../../shared/http/handler.ts";
import type { webhookRoutes } from "../../shared/routes/webhooks.ts";
import { requireInterface } from "./require-interface.ts";
import type { WebhooksDeps } from "./webhooks-deps.ts";

type Needs = Pick<WebhooksDeps, "slack">;

export const getSlackStatus: Handler<typeof webhookRoutes.getSlackStatus, Needs> = async (
  _request,
  { slack },
) => {
  requireInterface(slack);
  return { status: "available" };
};
