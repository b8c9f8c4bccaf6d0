import * as v from "valibot";
import type { WhatsappSettings } from "../../runtime/chat-settings.ts";
import { WhatsappMessage, type WhatsappPayload } from "../../schemas/chat/whatsapp-webhook.ts";
import type { ChatInbound } from "../../schemas/runs/chat-message.ts";
import { workOf } from "./work-of.ts";

type Reading = {
  readonly settings: Pick<
    WhatsappSettings,
    "component" | "phone_number_id" | "user_id_prefix" | "answer_groups"
  >;
  /** The id of a sender, who is a number; the number itself when absent. */
  readonly userIdOf?: (sender: string) => string;
  /** Epoch seconds; for a message without the time at which it was sent. */
  readonly now: number;
};

/**
 * Every message of a payload that requests something, in order: from all entries and changes, for our own number only.
 *
 * @source contract, chat-webhooks section 4
 */
export function readPayload(payload: WhatsappPayload, reading: Reading): ChatInbound[] {
  const changes = (payload.entry ?? []).flatMap(({ changes = [] }) => changes);
  const ours = changes.filter(
    ({ field, value }) =>
      (field === undefined || field === "messages") &&
      value?.metadata?.phone_number_id === reading.settings.phone_number_id,
  );
  return ours
    .flatMap(({ value }) => value?.messages ?? [])
    .flatMap((message) => {
      const parsed = v.safeParse(WhatsappMessage, message);
      const inbound = parsed.success ? inboundFrom(parsed.output, reading) : undefined;
      return inbound ? [inbound] : [];
    });
}

function inboundFrom(
  message: WhatsappMessage,
  { settings, userIdOf = itself, now }: Reading,
): ChatInbound | undefined {
  const { from, from_user_id, group_id } = message;
  const sender = from?.replace(/\D/g, "") || from_user_id;
  const work = workOf(message);
  if (sender === undefined || !work || (group_id !== undefined && !settings.answer_groups)) return undefined;
  const userId = userIdOf(sender);
  const owner = settings.user_id_prefix + (group_id === undefined ? userId : `wa-group:${group_id}`);
  return {
    key: `wa#${settings.phone_number_id}#${message.id}`,
    message_id: message.id,
    scope: `wa:${settings.component.split("/")[1]}:${owner}`,
    owner,
    sender: settings.user_id_prefix + userId,
    target: {
      platform: "whatsapp",
      ...(group_id !== undefined && { group: group_id }),
      ...(from ? { to: sender } : { recipient: sender }),
    },
    work,
    sent_at: Number(message.timestamp) || now,
  };
}

const itself = (sender: string): string => sender;
