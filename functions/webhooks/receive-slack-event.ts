import * as v from "valibot";
import { dropped, readSlackEvent } from "../../shared/chat/index.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { webhookRoutes } from "../../shared/routes/webhooks.ts";
import { SlackEnvelope } from "../../shared/schemas/chat/slack-payload.ts";
import { acceptMessage } from "./accept-message.ts";
import { requireInterface } from "./require-interface.ts";
import { logDropped, type WebhooksDeps } from "./webhooks-deps.ts";

/**
 * Accepts an event and answers at once: Slack waits three seconds.
 *
 * @throws where it could not be stored: Slack sends it again
 */
export const receiveSlackEvent: Handler<typeof webhookRoutes.receiveSlackEvent, WebhooksDeps> = async (
  { body },
  deps,
) => {
  const settings = requireInterface(deps.slack);
  const parsed = v.safeParse(SlackEnvelope, body);
  if (!parsed.success) {
    logDropped(deps, "slack", dropped("an event that cannot be read"));
    return { status: "ignored" };
  }
  const { type, challenge } = parsed.output;
  if (type === "url_verification" && challenge !== undefined) return { challenge };
  const inbound = readSlackEvent(parsed.output, settings);
  if ("dropped" in inbound) {
    logDropped(deps, "slack", inbound);
    return { status: "ignored" };
  }
  await acceptMessage(deps, inbound);
  return { status: "ok" };
};
