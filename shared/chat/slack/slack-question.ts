import type { ChatPart } from "../chat-port.ts";
import { decisionId } from "../decision-button.ts";
import { escapeSlack } from "./slack-text.ts";

/** Characters of a block, and of a button. @source Slack, "Block Kit" */
const BLOCK_LIMIT = 3_000;
const BUTTON_LIMIT = 75;

/** As it is: what a tool is called with can neither be formatted nor notify anybody. */
const asItIs = (text: string) => ({
  type: "section",
  text: { type: "plain_text", text: text.slice(0, BLOCK_LIMIT), emoji: false },
});

/** A question with two buttons. */
export function questionMessage({
  text,
  run_id,
  tag,
  labels,
}: Extract<ChatPart, { kind: "question" }>): object {
  const button = (label: string, approved: boolean) => ({
    type: "button",
    action_id: approved ? "approve" : "decline",
    text: { type: "plain_text", text: label.slice(0, BUTTON_LIMIT) },
    value: decisionId(run_id, approved, tag),
    ...(approved && { style: "primary" }),
  });
  return {
    text: escapeSlack(text.slice(0, BLOCK_LIMIT)),
    blocks: [
      asItIs(text),
      { type: "actions", elements: [button(labels.yes, true), button(labels.no, false)] },
    ],
  };
}

/** The question without its buttons. @param answer what was decided, if anything */
export const answeredMessage = (question: string, answer: string | undefined): object => ({
  text: escapeSlack(question),
  blocks: [
    asItIs(question),
    ...(answer === undefined
      ? []
      : [{ type: "context", elements: [{ type: "plain_text", text: answer.slice(0, BUTTON_LIMIT) }] }]),
  ],
});
