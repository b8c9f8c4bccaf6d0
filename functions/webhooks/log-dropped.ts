import type { Dropped } from "../../shared/chat/index.ts";
import type { ChatPlatformName } from "../../shared/schemas/runs/chat-message.ts";
import type { WebhooksDeps } from "./webhooks-deps.ts";

/** Says in the log why a message gets no answer; nothing of the message itself. */
export const logDropped = (
  { log }: Pick<WebhooksDeps, "log">,
  platform: ChatPlatformName,
  { dropped }: Dropped,
): void => log.info("a message of a chat is not answered", { platform, why: dropped });
