import * as v from "valibot";
import { maxChars } from "../values/max-chars.ts";

/**
 * Messages that an agent may send to its user on WhatsApp, beside its answer: the arguments of each tool, with the
 * platform's limits.
 *
 * @source docs/interface/chat.md 3.2
 */
const text = (most: number) => v.pipe(v.string(), v.trim(), v.nonEmpty(), maxChars(most));
/** A question with buttons or a list. */
const body = { text: text(1024), footer: v.optional(text(60)) };
const webAddress = v.pipe(v.string(), v.url(), v.startsWith("https://"), v.description("https address"));
const caption = v.optional(text(1024));

const Row = v.object({ title: text(24), description: v.optional(text(72)) });
const Section = v.object({ title: v.optional(text(24)), rows: v.pipe(v.array(Row), v.minLength(1)) });
const Sections = v.pipe(
  v.array(Section),
  v.minLength(1),
  v.maxLength(10),
  v.check(
    (sections) => sections.reduce((sum, { rows }) => sum + rows.length, 0) <= 10,
    "a list has 10 rows at most, over all its sections",
  ),
  v.check(
    (sections) => sections.length === 1 || sections.every(({ title }) => title !== undefined),
    "each of several sections needs a title",
  ),
);

export const whatsappSends = {
  send_text_message: v.object({ text: text(4096) }),
  send_template_message: v.object({
    name: v.pipe(v.string(), v.regex(/^[a-z0-9_]{1,512}$/)),
    language: v.pipe(v.string(), v.nonEmpty(), v.description("such as en or en_US")),
    parameters: v.optional(
      v.pipe(v.array(text(1024)), v.description("texts for the placeholders of its body, in order")),
    ),
  }),
  send_reply_buttons: v.object({
    ...body,
    buttons: v.pipe(v.array(text(20)), v.minLength(1), v.maxLength(3)),
  }),
  send_list_message: v.object({
    ...body,
    button: v.pipe(text(20), v.description("opens the list")),
    sections: Sections,
  }),
  send_image: v.object({ url: webAddress, caption }),
  send_document: v.object({ url: webAddress, filename: v.optional(text(240)), caption }),
  send_location: v.object({
    latitude: v.pipe(v.number(), v.minValue(-90), v.maxValue(90)),
    longitude: v.pipe(v.number(), v.minValue(-180), v.maxValue(180)),
    name: v.optional(text(1000)),
    address: v.optional(text(1000)),
  }),
  send_reaction: v.object({
    emoji: v.pipe(v.string(), v.emoji(), v.description("to the message that is answered")),
  }),
} as const satisfies Record<string, v.GenericSchema<Record<string, unknown>, Record<string, unknown>>>;

export type WhatsappSend = keyof typeof whatsappSends;

/** The result of an accepted call; the sender recognizes such calls by it. */
export const ACCEPTED_FOR_SENDING =
  "Taken. It is sent to the person when this run has ended; do not repeat it in the answer.";
