import * as v from "valibot";
import { TAKEN_FOR_SENDING, type WhatsappSend, whatsappSends } from "../../schemas/chat/whatsapp-sends.ts";
import type { ToolExecution } from "../../schemas/runs/run.ts";

type Message = Readonly<Record<string, unknown>>;
type Sends = { readonly [Name in WhatsappSend]: v.InferOutput<(typeof whatsappSends)[Name]> };

/**
 * Ids are ours: a button of an agent's own never is the yes to a question of the platform. What comes back is read by
 * its title.
 */
const makers: { readonly [Name in WhatsappSend]: (given: Sends[Name], answers: string) => Message } = {
  send_text_message: ({ text }) => ({ type: "text", text: { preview_url: false, body: text } }),
  send_template_message: ({ name, language, parameters = [] }) => ({
    type: "template",
    template: {
      name,
      language: { code: language },
      ...(parameters.length > 0 && {
        components: [{ type: "body", parameters: parameters.map((text) => ({ type: "text", text })) }],
      }),
    },
  }),
  send_reply_buttons: ({ text, footer, buttons }) =>
    interactive("button", text, footer, {
      buttons: buttons.map((title, i) => ({ type: "reply", reply: { id: `button-${i + 1}`, title } })),
    }),
  send_list_message: ({ text, footer, button, sections }) =>
    interactive("list", text, footer, {
      button,
      sections: sections.map(({ title, rows }, i) => ({
        ...(title !== undefined && { title }),
        rows: rows.map((row, j) => ({ id: `row-${i + 1}-${j + 1}`, ...row })),
      })),
    }),
  send_image: ({ url, caption }) => ({ type: "image", image: { link: url, ...said({ caption }) } }),
  send_document: ({ url, filename, caption }) => ({
    type: "document",
    document: { link: url, ...said({ filename, caption }) },
  }),
  send_location: (location) => ({ type: "location", location }),
  send_reaction: ({ emoji }, message_id) => ({ type: "reaction", reaction: { message_id, emoji } }),
};

const said = (facts: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== undefined));

const interactive = (type: string, text: string, footer: string | undefined, action: Message): Message => ({
  type: "interactive",
  interactive: { type, body: { text }, ...(footer !== undefined && { footer: { text: footer } }), action },
});

/**
 * What a call had recorded to be sent, as the Graph API takes it but for the recipient. Undefined for any other call,
 * also for one of the same name that is not the platform's own.
 *
 * @param answers  id of the message that is answered
 */
export function preparedMessage(
  { tool_name, tool_args, tool_call_error, result }: ToolExecution,
  answers: string,
): Message | undefined {
  if (!isSend(tool_name) || tool_call_error === true || result !== TAKEN_FOR_SENDING) return undefined;
  return make(tool_name, tool_args, answers);
}

function make<Name extends WhatsappSend>(name: Name, args: unknown, answers: string): Message | undefined {
  const given = v.safeParse(whatsappSends[name], args);
  // Schema and maker stand under one name; the compiler does not follow that through the parse.
  return given.success ? makers[name](given.output as Sends[Name], answers) : undefined;
}

const isSend = (name: string): name is WhatsappSend => Object.hasOwn(whatsappSends, name);
