import type { ChatInbound } from "../../schemas/runs/chat-message.ts";
import type { SlackSettings } from "../../settings/values/chats.ts";

type Place = {
  readonly channel: string;
  readonly user: string;
  /** `ts` of the message that the thread began with. */
  readonly thread: string;
};

/** Whether a channel is a conversation with the bot alone: only their ids begin with D. */
export const isDirect = (channel: string): boolean => channel.startsWith("D");

/**
 * The conversation of a message: its thread. With the bot alone it is its person's; a thread of a channel belongs to the
 * channel, whose members all read it.
 */
export function slackPlace(
  { component, user_id_prefix }: Pick<SlackSettings, "component" | "user_id_prefix">,
  { channel, user, thread }: Place,
): Pick<ChatInbound, "scope" | "owner" | "sender" | "target"> {
  const sender = user_id_prefix + user;
  return {
    scope: `sl:${component.split("/")[1]}:${user_id_prefix}${channel}:${thread}`,
    owner: isDirect(channel) ? sender : `${user_id_prefix}sl-channel:${channel}`,
    sender,
    target: { platform: "slack", channel, thread_ts: thread },
  };
}
