import * as v from "valibot";
import { type SlackEnvelope, SlackReaction } from "../../schemas/chat/slack-payload.ts";
import type { ChatInbound } from "../../schemas/runs/chat-message.ts";
import type { SlackSettings } from "../../settings/values/chats.ts";
import { type Dropped, dropped } from "../dropped.ts";
import { judgesBy, scoreOfName } from "../feedback.ts";
import { slackPlace } from "./slack-place.ts";

/**
 * What a reaction says about an answer; undefined for an event of another kind. Slack does not say what reactions are left of
 * that person, so what is removed takes back its own score alone.
 *
 * @source docs/interface/chat.md 6.2
 */
export function readSlackReaction(
  { event, team_id = "", authorizations }: SlackEnvelope,
  settings: Pick<SlackSettings, "component" | "user_id_prefix" | "feedback">,
): ChatInbound | Dropped | undefined {
  const parsed = v.safeParse(SlackReaction, event);
  if (!parsed.success || !judgesBy(settings.feedback, "reactions")) return undefined;
  const { type, user, reaction, item_user, item, event_ts } = parsed.output;
  const bot = authorizations?.find(({ is_bot }) => is_bot)?.user_id;
  if (bot !== undefined && user === bot) return dropped("a reaction of the bot");
  if (bot !== undefined && item_user && item_user !== bot)
    return dropped("a reaction to a message of another user");
  const score = scoreOfName(reaction);
  if (score === undefined) return dropped("a reaction that says nothing");
  const { channel, ts } = item;
  return {
    key: `sl#${team_id}#${channel}#${ts}#${user}#${event_ts}`,
    message_id: ts,
    ...slackPlace(settings, { channel, user, thread: ts }),
    work: { kind: "feedback", about: ts, ...(type === "reaction_added" ? { score } : { taken_back: score }) },
    sent_at: Math.floor(Number(event_ts)),
  };
}
