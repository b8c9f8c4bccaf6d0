import { createHash } from "node:crypto";
import type { ChatPart } from "../../shared/chat/index.ts";
import type { TextField } from "../../shared/pauses/text-fields.ts";
import { yesNoLabels } from "../../shared/pauses/yes-no.ts";
import { defaultTexts } from "../../shared/settings/values/chats.ts";
import type { LeasedMessage } from "./chat-worker-deps.ts";
import type { ChatPause, ChatQuestion } from "./pause-of.ts";

/** Names a question, so that a button below it answers no other. */
export const tagOf = ({ id }: ChatPause, answers: readonly unknown[]): string =>
  createHash("sha256").update(`${id}#${answers.length}`).digest("hex").slice(0, 8);

/** What buttons say: the operator's words, else those of the language that the sender's program is in. */
export function labelsOf({ port: { texts }, message: { language } }: LeasedMessage) {
  const isOwn = texts.approve !== defaultTexts.approve || texts.decline !== defaultTexts.decline;
  const own = { yes: texts.approve, no: texts.decline };
  return isOwn ? own : (yesNoLabels(language) ?? own);
}

/** A message with a question. @param before said above it */
export function questionPart(
  leased: LeasedMessage,
  pause: ChatPause,
  asked: { readonly run_id: string; readonly answers: readonly unknown[]; readonly question: ChatQuestion },
  before: readonly string[] = [],
): ChatPart {
  const { run_id, answers, question } = asked;
  const { field, about } = question;
  const { texts } = leased.port;
  if (field.kind !== "yes_no") {
    return { kind: "text", text: [...before, ...about, ...promptOf(field)].join("\n") };
  }
  const lines = isNamed(field) ? [...about, ...promptOf(field)] : [texts.confirm, ...about];
  const text = [...before, ...lines].join("\n");
  return { kind: "question", text, run_id, tag: tagOf(pause, answers), labels: labelsOf(leased) };
}

/** A field of a form has a name for people; the others are members of an answer. */
const isNamed = ({ path }: TextField): boolean => path.length > 1;

function promptOf(field: TextField): string[] {
  const { path, description, choices = [] } = field;
  const name = path[path.length - 1] ?? "";
  const asked = description ? `${name} (${description})` : name;
  return [
    ...(isNamed(field) ? [/[?:.]$/.test(asked) ? asked : `${asked}?`] : []),
    ...choices.map((choice, i) => `${i + 1}. ${choice}`),
  ];
}
