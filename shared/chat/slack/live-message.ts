import type { Sent } from "../chat-port.ts";
import type { GrowingMessage } from "../live-answer.ts";
import { type Called, type SlackClient, sentFrom } from "./slack-client.ts";
import { escapeSlack, MESSAGE_LIMIT, slackText } from "./slack-text.ts";
import type { TextMessage } from "./text-message.ts";

export type Place = { readonly channel: string; readonly thread_ts: string };

/** A model writes addresses; unfurled, Slack would fetch each of them, and with it what a model put into it. */
const asWritten = { unfurl_links: false, unfurl_media: false };

/** Posts a message into a thread. @param message at least `text` */
export const postMessage = async (client: SlackClient, place: Place, message: object): Promise<Sent> =>
  sentFrom(await client.call("chat.postMessage", { ...place, ...asWritten, ...message }));

/** Calls a method with a text; where Slack does not take its blocks, with the text alone. */
async function callWithText(
  client: SlackClient,
  method: "chat.postMessage" | "chat.update",
  place: object,
  { text, blocks }: TextMessage,
): Promise<Called> {
  const called = await client.call(method, { ...place, text, ...(blocks && { blocks }) });
  const isRefused = blocks && !called.ok && called.error === "invalid_blocks";
  return isRefused ? client.call(method, { ...place, text }) : called;
}

/** Posts a text of an answer into a thread. */
export const postText = async (client: SlackClient, place: Place, message: TextMessage): Promise<Sent> =>
  sentFrom(await callWithText(client, "chat.postMessage", { ...place, ...asWritten }, message));

/** The message that shows an answer while it streams. */
export const liveMessage = (client: SlackClient, place: Place): GrowingMessage => ({
  fits: (text, status) => shown(text, status).length <= MESSAGE_LIMIT,
  post: (text, status) => postMessage(client, place, { text: shown(text, status) }),
  edit: (ts, text, status) =>
    client.call("chat.update", { channel: place.channel, ts, text: shown(text, status) }),
});

/** Lines about the current steps are above the answer. */
const shown = (text: string, status: readonly string[]): string =>
  [...status.map((line) => `> ${escapeSlack(line)}`), slackText(text)].join("\n");

/** Errors of an edit after which the message is there no more, or stays as it is. */
const uneditable = new Set([
  "message_not_found",
  "cant_update_message",
  "edit_window_closed",
  "msg_too_long",
]);

/**
 * Edits the message that showed the streaming answer, so that it holds the whole one.
 *
 * @returns undefined where it cannot be edited: the answer is sent as a new message then
 */
export async function finishLive(
  client: SlackClient,
  { channel, thread_ts }: Place,
  ts: string,
  message: TextMessage,
): Promise<Sent | undefined> {
  const called = await callWithText(client, "chat.update", { channel, ts }, message);
  if (!called.ok) return uneditable.has(called.error) ? undefined : sentFrom(called);
  // An edit does not end what Slack shows as being worked on; a message would.
  await client.call("assistant.threads.setStatus", { channel_id: channel, thread_ts, status: "" });
  return { sent: true, id: ts };
}
