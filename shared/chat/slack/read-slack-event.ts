import * as v from "valibot";
import { type SlackEnvelope, type SlackFile, SlackMessage } from "../../schemas/chat/slack-payload.ts";
import {
  type ChatInbound,
  type ChatMedium,
  type ChatWork,
  chatCommands,
} from "../../schemas/runs/chat-message.ts";
import type { MediaKind } from "../../schemas/runs/media.ts";
import type { SlackSettings } from "../../settings/values/chats.ts";
import { type Dropped, dropped } from "../dropped.ts";
import { textWork } from "../text-work.ts";
import { readSlackReaction } from "./read-slack-reaction.ts";
import { isDirect, slackPlace } from "./slack-place.ts";
import { slackPlain } from "./slack-plain.ts";

type Settings = Pick<
  SlackSettings,
  "component" | "user_id_prefix" | "reply_to_mentions_only" | "answer_shared_channels" | "feedback"
>;

/** Subtypes of messages that a person wrote. */
const written: ReadonlySet<string | undefined> = new Set([undefined, "file_share", "thread_broadcast"]);

/** What an event asks for: a message, or a reaction. */
export function readSlackEvent(envelope: SlackEnvelope, settings: Settings): ChatInbound | Dropped {
  const inbound = readSlackReaction(envelope, settings) ?? readMessage(envelope, settings);
  const isShared = envelope.is_ext_shared_channel && !settings.answer_shared_channels;
  return isShared && !("dropped" in inbound) ? dropped("a channel with other organizations") : inbound;
}

/**
 * The message in an event. Its key is its channel and its time: a repetition has the same, and so have the two events by
 * which an app that reads a whole channel gets a message that names it.
 *
 * @source Slack, "app_mention", "message.im" and "message.channels"
 */
function readMessage(envelope: SlackEnvelope, settings: Settings): ChatInbound | Dropped {
  const parsed = v.safeParse(SlackMessage, envelope.event);
  if (!parsed.success) return dropped(`an event ${envelope.event?.type ?? "of no type"}`);
  const message = parsed.output;
  const { type, subtype, user, channel, ts } = message;
  const bot = envelope.authorizations?.find(({ is_bot }) => is_bot)?.user_id;
  if (message.bot_id !== undefined || user === undefined || user === bot) return dropped("written by an app");
  if (!written.has(subtype)) return dropped(`a message of the subtype ${subtype}`);
  const isMeant = isDirect(channel) || type === "app_mention" || !settings.reply_to_mentions_only;
  if (!isMeant) return dropped("does not name the bot");
  const work = workOf(message, bot);
  if (!work) return dropped("nothing in it");
  return {
    key: `sl#${envelope.team_id ?? ""}#${channel}#${ts}`,
    message_id: ts,
    ...slackPlace(settings, { channel, user, thread: message.thread_ts ?? ts }),
    work,
    sent_at: Math.floor(Number(ts)),
  };
}

function workOf({ text = "", files = [] }: SlackMessage, bot: string | undefined): ChatWork | undefined {
  // Without its id the bot's name is the first thing that a message for it says.
  const own = bot ?? /^\s*<@(\w+)/.exec(text)?.[1];
  const plain = slackPlain(text, own);
  const command = chatCommands.find((name) => plain.toLowerCase() === `!${name}`);
  if (command) return { kind: "command", command };
  const media = files.map(mediumOf);
  return plain === "" && media.length === 0 ? undefined : textWork(plain, media, "!");
}

const kinds: readonly (readonly [string, MediaKind])[] = [
  ["image/", "images"],
  ["audio/", "audios"],
  ["video/", "videos"],
];

const mediumOf = ({ id, name, mimetype, size }: SlackFile): ChatMedium => ({
  kind: kinds.find(([begin]) => mimetype?.startsWith(begin))?.[1] ?? "files",
  ref: id,
  ...(mimetype !== undefined && { mime_type: mimetype }),
  ...(name !== undefined && { filename: name }),
  ...(size !== undefined && { size }),
});
