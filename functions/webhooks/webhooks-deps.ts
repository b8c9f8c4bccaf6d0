import type { ChatSecrets, Dropped } from "../../shared/chat/index.ts";
import type { ChatQueue } from "../../shared/queue/chat-queue.ts";
import type { Clock } from "../../shared/runtime/clock.ts";
import type { Log } from "../../shared/runtime/log.ts";
import type { ChatBusy, ChatPlatformName } from "../../shared/schemas/runs/chat-message.ts";
import type {
  SlackSettings,
  TelegramSettings,
  WhatsappSettings,
} from "../../shared/settings/values/chats.ts";
import type { Db } from "../../shared/stores/db.ts";

export type WebhooksDeps = {
  readonly db: Db;
  readonly queue: Pick<ChatQueue, "send">;
  readonly secrets: ChatSecrets;
  /** Undefined where the interface is off. */
  readonly whatsapp: WhatsappSettings | undefined;
  readonly telegram: TelegramSettings | undefined;
  readonly slack: SlackSettings | undefined;
  /** What becomes of a message while a run of its sender goes on, where the message does not say. */
  readonly chatBusy: ChatBusy;
  readonly clock: Clock;
  readonly log: Pick<Log, "info" | "warn">;
};

/** Says in the log why a message gets no answer; nothing of the message itself. */
export const logDropped = (
  { log }: Pick<WebhooksDeps, "log">,
  platform: ChatPlatformName,
  { dropped }: Dropped,
): void => log.info("a message of a chat is not answered", { platform, why: dropped });
