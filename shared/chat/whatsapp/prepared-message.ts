import * as v from "valibot";
import { ACCEPTED_FOR_SENDING, type WhatsappSend, whatsappSends } from "../../schemas/chat/whatsapp-sends.ts";
import type { ToolExecution } from "../../schemas/runs/run.ts";

type Message = Readonly<Record<string, unknown>>;
type Sends = { readonly [Name in WhatsappSend]: v.InferOutput<(typeof whatsappSends)[Name]> };

/**
 * Ids are generated here, so that an agent's own button can never approve a question of the platform. Replies are read
 * by their title.
 */
const builders: { readonly [Name in WhatsappSend]: (parsed: Sends[Name], messageId: string) => Message } = {
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
  send_image: ({ url, caption }) => ({
    type: "image",
    image: { link: url, ...withoutUndefined({ caption }) },
  }),
  send_document: ({ url, filename, caption }) => ({
    type: "document",
    document: { link: url, ...withoutUndefined({ filename, caption }) },
  }),
  send_location: (location) => ({ type: "location", location }),
  send_reaction: ({ emoji }, message_id) => ({ type: "reaction", reaction: { message_id, emoji } }),
};

const withoutUndefined = (fields: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, field]) => field !== undefined));

const interactive = (type: string, text: string, footer: string | undefined, action: Message): Message => ({
  type: "interactive",
  interactive: { type, body: { text }, ...(footer !== undefined && { footer: { text: footer } }), action },
});

/**
 * The message that a tool call prepared, as the Graph API accepts it but for the recipient. Undefined for any other
 * call, also for one of the same name that is not the platform's own tool.
 *
 * @param messageId  of the message that is answered
 */
export function preparedMessage(
  { tool_name, tool_args, tool_call_error, result }: ToolExecution,
  messageId: string,
): Message | undefined {
  if (!isSend(tool_name) || tool_call_error === true || result !== ACCEPTED_FOR_SENDING) return undefined;
  return build(tool_name, tool_args, messageId);
}

function build<Name extends WhatsappSend>(name: Name, args: unknown, messageId: string): Message | undefined {
  const parsed = v.safeParse(whatsappSends[name], args);
  // Schema and builder have the same key; the compiler does not follow that through the parse.
  return parsed.success ? builders[name](parsed.output as Sends[Name], messageId) : undefined;
}

const isSend = (name: string): name is WhatsappSend => Object.hasOwn(whatsappSends, name);
