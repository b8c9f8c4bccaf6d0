import * as v from "valibot";
import { dropped, readSlackInteraction } from "../../shared/chat/index.ts";
import { ServiceError } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { webhookRoutes } from "../../shared/routes/webhooks.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { SlackInteraction } from "../../shared/schemas/chat/slack-payload.ts";
import { acceptMessage } from "./accept-message.ts";
import { requireInterface } from "./require-interface.ts";
import { logDropped, type WebhooksDeps } from "./webhooks-deps.ts";

/**
 * Accepts a pressed button and answers at once. Slack does not repeat these: where it could not be stored, the person sees
 * a warning beside the button and presses it again.
 *
 * @throws ServiceError BAD_REQUEST for a payload that is no JSON
 */
export const receiveSlackInteraction: Handler<
  typeof webhookRoutes.receiveSlackInteraction,
  WebhooksDeps
> = async ({ body }, deps) => {
  const settings = requireInterface(deps.slack);
  const parsed = v.safeParse(SlackInteraction, payloadOf(body.payload));
  if (!parsed.success) {
    logDropped(deps, "slack", dropped("an interaction that is no press of a button in a channel"));
    return { status: "ignored" };
  }
  const inbound = readSlackInteraction(parsed.output, settings, epochSeconds(deps.clock));
  if ("dropped" in inbound) {
    logDropped(deps, "slack", inbound);
    return { status: "ignored" };
  }
  await acceptMessage(deps, inbound);
  return { status: "ok" };
};

function payloadOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ServiceError("BAD_REQUEST", "the payload is not valid JSON");
  }
}
