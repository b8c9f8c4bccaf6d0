import type { WhatsappSettings } from "../../settings/values/chats.ts";
import type { Addressed, ChatPart, ChatPort, OutMedium, Sent } from "../chat-port.ts";
import type { ChatSecrets } from "../chat-secrets.ts";
import { decisionId } from "../decision-button.ts";
import { blobOf, fileNameOf } from "../media-file.ts";
import { type GraphClient, graphClient } from "./graph-client.ts";
import { fetchWhatsappMedium, messageTypeOf } from "./whatsapp-media.ts";
import { whatsappParts } from "./whatsapp-parts.ts";

/** WhatsApp hides the typing indicator after 25 seconds. */
const TYPING_EVERY_MS = 20_000;
/** WhatsApp accepts free-form answers within 24 hours; half an hour is left for the run. */
const WINDOW_SECONDS = 23.5 * 3600;

/** WhatsApp, as the worker uses it. */
export function connectWhatsapp(settings: WhatsappSettings, secrets: ChatSecrets["whatsapp"]): ChatPort {
  const accessToken = async () => {
    const { access_token } = await secrets();
    if (!access_token) throw new Error("the access token of WhatsApp is not configured");
    return access_token;
  };
  const client = graphClient(settings, accessToken);
  return {
    texts: settings.texts,
    component: settings.component,
    mediaMaxMb: settings.media_max_mb,
    feedback: settings.feedback,
    typingEveryMs: TYPING_EVERY_MS,
    maxAgeSeconds: WINDOW_SECONDS,
    showTyping: async ({ message_id }) => {
      await client.post({ status: "read", message_id, typing_indicator: { type: "text" } });
    },
    partsOf: (answer, { message_id }) =>
      whatsappParts(settings.show_reasoning ? answer : { ...answer, reasoning: undefined }, message_id),
    send: (message, part) => sendPart(client, message, part),
    fetchMedium: (medium) => fetchWhatsappMedium(client, settings, medium),
    admit: async ({ work }) => work,
    dependenciesOf: ({ target, message_id }) =>
      settings.send_user_number_to_context && target.platform === "whatsapp"
        ? { user_number: target.to ?? target.recipient, message_id }
        : undefined,
  };
}

async function sendPart(client: GraphClient, message: Addressed, part: ChatPart): Promise<Sent> {
  const to = recipientOf(message);
  if (part.kind === "text") {
    return client.post({ ...to, type: "text", text: { preview_url: false, body: part.text } });
  }
  if (part.kind === "medium") return sendMedium(client, to, part.medium);
  if (part.kind === "prepared") return client.post({ ...to, ...part.message });
  const buttons = [
    {
      type: "reply",
      reply: { id: decisionId(part.run_id, true, part.tag), title: part.labels.yes.slice(0, 20) },
    },
    {
      type: "reply",
      reply: { id: decisionId(part.run_id, false, part.tag), title: part.labels.no.slice(0, 20) },
    },
  ];
  // A question with buttons may have 1,024 characters.
  const interactive = { type: "button", body: { text: part.text.slice(0, 1024) }, action: { buttons } };
  return client.post({ ...to, type: "interactive", interactive });
}

/** A user who hides their number is addressed by the id that stands for it. */
function recipientOf({ target }: Addressed): object {
  if (target.platform !== "whatsapp") throw new Error("a message of another platform");
  if (target.group !== undefined) return { recipient_type: "group", to: target.group };
  return {
    recipient_type: "individual",
    ...(target.to ? { to: target.to } : { recipient: target.recipient }),
  };
}

async function sendMedium(client: GraphClient, to: object, medium: OutMedium): Promise<Sent> {
  const type = messageTypeOf(medium);
  const filename = fileNameOf(medium);
  const { caption } = medium;
  const named = {
    ...(type === "document" && { filename }),
    ...(type !== "audio" && caption !== undefined && { caption }),
  };
  if ("url" in medium) return client.post({ ...to, type, [type]: { link: medium.url, ...named } });
  const uploaded = await client.upload(blobOf(medium.bytes, medium.mime_type), filename);
  if (!uploaded.sent) return uploaded;
  return client.post({ ...to, type, [type]: { id: uploaded.id, ...named } });
}
