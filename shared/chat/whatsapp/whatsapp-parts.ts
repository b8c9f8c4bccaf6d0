import type { ChatAnswer, ChatPart, OutMedium } from "../chat-port.ts";
import { shortCaption } from "../media-file.ts";
import { splitText } from "../split-text.ts";
import { preparedMessage } from "./prepared-message.ts";

const ONE_MESSAGE = 4096;
const SLICE = 4000;

/**
 * The messages of an answer in their order: reasoning, media, messages that the run itself has prepared, text. The text
 * is left out where the run has prepared messages.
 *
 * @param messageId  of the message that is answered
 * @source docs/interface/chat.md 3.1, 3.2
 * @decided  A caption is a tool's description of its file. With the answer's text as caption, users would read it twice.
 */
export function whatsappParts({ text, reasoning, media, calls }: ChatAnswer, messageId: string): ChatPart[] {
  const prepared = calls
    .map((call) => preparedMessage(call, messageId))
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

/** Formatting in WhatsApp ends with the line, so each line has its own marks. */
const italic = (text: string): string => text.replace(/^(?=.*\S)(.*)$/gm, (line) => `_${line.trim()}_`);

/** Code is shown as it is; only the text between is formatted. */
const CODE = /(```[\s\S]*?(?:```|$)|`[^`\n]*`)/;

/** Converts Markdown to WhatsApp's formatting. @source docs/interface/chat.md 3.3 */
export const whatsappText = (markdown: string): string =>
  markdown
    .split(CODE)
    .map((piece, i) => (i % 2 === 1 ? piece : format(piece)))
    .join("");

const format = (text: string): string =>
  text
    .replace(/!?\[([^\]\n]+)\]\((\S+?)\)/g, "$1 ($2)")
    .replace(/^#{1,6}[ \t]+(.+?)[ \t]*#*$/gm, (_, title: string) => `*${title.replaceAll("**", "")}*`)
    .replace(/\*\*(?=\S)(.+?)(?<=\S)\*\*/g, "*$1*")
    .replace(/~~(?=\S)(.+?)(?<=\S)~~/g, "~$1~");
