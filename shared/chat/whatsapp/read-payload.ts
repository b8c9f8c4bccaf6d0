import * as v from "valibot";
import {
  WhatsappFailure,
  WhatsappMessage,
  type WhatsappPayload,
} from "../../schemas/chat/whatsapp-webhook.ts";
import type { ChatInbound, ChatWork } from "../../schemas/runs/chat-message.ts";
import type { WhatsappSettings } from "../../settings/values/chats.ts";
import { type Dropped, dropped } from "../dropped.ts";
import { judgesBy, scoreOfEmoji } from "../feedback.ts";
import { workOf } from "./work-of.ts";

type Reading = {
  readonly settings: Pick<
    WhatsappSettings,
    "component" | "phone_number_id" | "user_id_prefix" | "answer_groups" | "feedback"
  >;
  /** The id of a sender, who is a number; the number itself when absent. */
  readonly userIdOf?: (sender: string) => string;
  /** Epoch seconds; for a message without the time at which it was sent. */
  readonly now: number;
};

/**
 * Every message of a payload, in order: from all entries and changes. What requests nothing, or is not for our own number,
 * is dropped.
 */
export function readPayload(payload: WhatsappPayload, reading: Reading): (ChatInbound | Dropped)[] {
  const changes = (payload.entry ?? []).flatMap(({ changes = [] }) => changes);
  return changes.flatMap(({ field, value }) => {
    const messages = value?.messages ?? [];
    if (field !== undefined && field !== "messages")
      return messages.map(() => dropped(`a change of ${field}`));
    if (value?.metadata?.phone_number_id !== reading.settings.phone_number_id)
      return messages.map(() => dropped("for another number of the app"));
    return messages.map((message) => {
      const parsed = v.safeParse(WhatsappMessage, message);
      return parsed.success ? inboundFrom(parsed.output, reading) : dropped("a message that cannot be read");
    });
  });
}

/** Codes of messages of ours that WhatsApp accepted and could not deliver. */
export const failedDeliveries = ({ entry = [] }: WhatsappPayload): number[] =>
  entry
    .flatMap(({ changes = [] }) => changes)
    .flatMap(({ value }) => value?.statuses ?? [])
    .flatMap((status) => (v.is(WhatsappFailure, status) ? [status.errors?.[0]?.code ?? 0] : []));

function inboundFrom(
  message: WhatsappMessage,
  { settings, userIdOf = itself, now }: Reading,
): ChatInbound | Dropped {
  const { from, from_user_id, group_id, type } = message;
  const sender = from?.replace(/\D/g, "") || from_user_id;
  const work = feedbackIn(message, settings) ?? workOf(message);
  if (sender === undefined) return dropped("no sender");
  if (!work) return dropped(`a message of the type ${type}`);
  if (group_id !== undefined && !settings.answer_groups) return dropped("in a group");
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

/**
 * What a reaction says. A person has one to a message, so one that says nothing takes back what was there.
 *
 * @source docs/interface/chat.md 6.2
 */
function feedbackIn({ reaction }: WhatsappMessage, settings: Reading["settings"]): ChatWork | undefined {
  if (!reaction || !judgesBy(settings.feedback, "reactions")) return undefined;
  const score = scoreOfEmoji(reaction.emoji ?? "");
  return { kind: "feedback", about: reaction.message_id, ...(score !== undefined && { score }) };
}

const itself = (sender: string): string => sender;
