import type { SlackInteraction } from "../../schemas/chat/slack-payload.ts";
import type { ChatInbound } from "../../schemas/runs/chat-message.ts";
import type { SlackSettings } from "../../settings/values/chats.ts";
import { readDecision } from "../decision-button.ts";
import { type Dropped, dropped } from "../dropped.ts";
import { judgesBy, readFeedback } from "../feedback.ts";
import { slackPlace } from "./slack-place.ts";
import { slackPlain } from "./slack-plain.ts";

/** The answer that a pressed button gives. @param now epoch seconds */
export function readSlackInteraction(
  { user, team, channel, message, actions }: SlackInteraction,
  settings: Pick<SlackSettings, "component" | "user_id_prefix" | "feedback">,
  now: number,
): ChatInbound | Dropped {
  const [pressed] = actions;
  const decision = readDecision(pressed?.value);
  const said = judgesBy(settings.feedback, "buttons") ? readFeedback(pressed?.value) : undefined;
  if (!decision && !said) return dropped("a button of another app");
  const thread = message.thread_ts ?? message.ts;
  const question = message.text !== undefined && { question: slackPlain(message.text).slice(0, 3_000) };
  return {
    key: `sl#${team?.id ?? ""}#${channel.id}#${message.ts}#${user.id}#${pressed?.action_ts ?? ""}`,
    message_id: message.ts,
    ...slackPlace(settings, { channel: channel.id, user: user.id, thread }),
    work: decision
      ? { kind: "decision", ...decision, callback_id: user.id, ...question }
      : { kind: "feedback", about: message.ts, ...said },
    sent_at: now,
  };
}
