import type { ChatAnswer, ChatPart } from "../chat/chat-port.ts";
import { splitText } from "../chat/split-text.ts";
import { whatsappText } from "./whatsapp-text.ts";

const ONE_MESSAGE = 4096;
const SLICE = 4000;

/**
 * The messages of an answer in their order: reasoning, media, text.
 *
 * @source contract, chat-webhooks section 5, "Order" and "text"
 */
export function whatsappParts({ text, reasoning, media }: ChatAnswer): ChatPart[] {
  return [
    ...(reasoning ? texts(italic(reasoning)) : []),
    ...media.map((medium): ChatPart => ({ kind: "medium", medium })),
    ...texts(whatsappText(text)),
  ];
}

function texts(text: string): ChatPart[] {
  if (text.trim() === "") return [];
  if (text.length <= ONE_MESSAGE) return [{ kind: "text", text }];
  const slices = splitText(text, SLICE);
  return slices.map((slice, i) => ({ kind: "text", text: `[${i + 1}/${slices.length}] ${slice}` }));
}

/** A mark of WhatsApp's ends with its line. */
const italic = (text: string): string => text.replace(/^(?=.*\S)(.*)$/gm, (line) => `_${line.trim()}_`);
