import type { ChatTexts } from "../../settings/values/chats.ts";
import type { ChatPart } from "../chat-port.ts";
import { feedbackId, type Score } from "../feedback.ts";
import { slackText } from "./slack-text.ts";

const BUTTON_LIMIT = 75;

/** A message, and the same without its blocks. */
export type TextMessage = { readonly text: string; readonly blocks?: readonly object[] };

/**
 * A text of an answer, with buttons below its last one. Blocks are shown in place of the text, which is for notifications then.
 *
 * @source Slack, "Context actions block", "Feedback buttons element"
 */
export function textMessage(
  { text: markdown, judged }: Extract<ChatPart, { kind: "text" }>,
  texts: Pick<ChatTexts, "good" | "bad">,
): TextMessage {
  const text = slackText(markdown);
  if (judged === undefined) return { text };
  const button = (label: string, score: Score) => ({
    text: { type: "plain_text", text: label.slice(0, BUTTON_LIMIT) },
    value: feedbackId(judged, score),
  });
  const buttons = {
    type: "feedback_buttons",
    action_id: "feedback",
    positive_button: button(texts.good, 1),
    negative_button: button(texts.bad, 0),
  };
  return {
    text,
    blocks: [
      // Whole, and without names that Slack would find in it: what a model writes notifies no user.
      { type: "section", expand: true, text: { type: "mrkdwn", verbatim: true, text } },
      { type: "context_actions", elements: [buttons] },
    ],
  };
}
