import { ACCEPTED_FOR_SENDING, type WhatsappSend, whatsappSends } from "../../schemas/chat/whatsapp-sends.ts";
import { defineTool, type Tool, type ToolContext } from "./tool.ts";

const descriptions: Readonly<Record<WhatsappSend, string>> = {
  send_text_message: "Send a text to the person in this WhatsApp chat.",
  send_template_message: "Send an approved template to the person in this WhatsApp chat.",
  send_reply_buttons:
    "Ask the person in this WhatsApp chat something that one of up to three buttons answers.",
  send_list_message: "Ask the person in this WhatsApp chat to choose from a list.",
  send_image: "Send a picture from the web to the person in this WhatsApp chat.",
  send_document: "Send a document from the web to the person in this WhatsApp chat.",
  send_location: "Send a place to the person in this WhatsApp chat.",
  send_reaction: "React with an emoji to the message of the person in this WhatsApp chat.",
};

/**
 * Tools by which an agent sends messages to the person in its WhatsApp chat. After one that succeeded, the text of the
 * answer is not sent. Nothing can go to anybody else: no tool takes a number.
 *
 *   tools: [...whatsappTools(), lookUpOrder]
 *
 * @param only  some of them; all when absent
 * @decided  A call is checked and recorded; the chat worker sends what is recorded. So no function that executes runs
 *           holds the platform's token, and messages are sent like answers: recorded part by part, with the same waits.
 */
export const whatsappTools = (only?: readonly WhatsappSend[]): Tool[] =>
  Object.entries(whatsappSends)
    .filter(([name]) => only === undefined || only.some((wanted) => wanted === name))
    .map(([name, parameters]) =>
      defineTool({
        name,
        description: descriptions[name as WhatsappSend], // a key of the table
        parameters: parameters as (typeof whatsappSends)["send_text_message"], // any of them: none reads its arguments
        effect: "safe",
        execute: acceptForSending,
      }),
    );

function acceptForSending(_: unknown, { metadata }: ToolContext): string {
  if (metadata.interface === "whatsapp") return ACCEPTED_FOR_SENDING;
  throw new Error("This conversation is not on WhatsApp, so nothing can be sent there.");
}
