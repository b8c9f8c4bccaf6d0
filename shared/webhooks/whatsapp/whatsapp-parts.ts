import type { ChatAnswer, ChatPart, OutMedium } from "../chat/chat-port.ts";
import { shortCaption } from "../chat/media-file.ts";
import { splitText } from "../chat/split-text.ts";
import { preparedMessage } from "./prepared-message.ts";
import { whatsappText } from "./whatsapp-text.ts";

const ONE_MESSAGE = 4096;
const SLICE = 4000;

/**
 * The messages of an answer in their order: reasoning, media, what the run itself has put together, text. The text is
 * left out where there is something of the run's own.
 *
 * @param answers  id of the message that is answered
 * @source contract, chat-webhooks section 5, "Order", "text" and "caption"
 * @decided  A caption is what a tool says of its file. The answer's text would be said twice.
 */
export function whatsappParts({ text, reasoning, media, calls }: ChatAnswer, answers: string): ChatPart[] {
  const prepared = calls
    .map((call) => preparedMessage(call, answers))
    .filter((message) => message !== undefined);
  return [
    ...(reasoning ? texts(italic(reasoning)) : []),
    ...media.map((medium, i): ChatPart => ({ kind: "medium", medium: captioned(medium, i === 0) })),
    ...prepared.map((message): ChatPart => ({ kind: "prepared", message })),
    ...(prepared.length > 0 ? [] : texts(whatsappText(text))),
  ];
}

const captioned = ({ caption, ...medium }: OutMedium, isFirst: boolean): OutMedium =>
  isFirst && caption ? { ...medium, caption: shortCaption(caption) } : medium;

function texts(text: string): ChatPart[] {
  if (text.trim() === "") return [];
  if (text.length <= ONE_MESSAGE) return [{ kind: "text", text }];
  const slices = splitText(text, SLICE);
  return slices.map((slice, i) => ({ kind: "text", text: `[${i + 1}/${slices.length}] ${slice}` }));
}

/** A mark of WhatsApp's ends with its line. */
const italic = (text: string): string => text.replace(/^(?=.*\S)(.*)$/gm, (line) => `_${line.trim()}_`);
