import { createHmac } from "node:crypto";
import { type Asked, type PlatformAnswer, servePlatform } from "./platform-server.ts";

export const PHONE = "700200";
export const ACCESS_TOKEN = "graph-token-of-the-test";
export const APP_SECRET = "app-secret-of-the-test";
export const VERIFY_TOKEN = "verify-token-of-the-test";

/** A file as the platform keeps it. */
type Kept = { readonly bytes: Buffer; readonly mime_type: string; readonly claims?: number };

const refused = (code: number, status = 400): PlatformAnswer => ({
  status,
  body: { error: { code, message: "refused" } },
});

/**
 * What stands where graph.facebook.com stands: checks the token, the number, lengths, recipients and the ids of files,
 * and answers with the platform's codes.
 */
export async function startGraph() {
  const files = new Map<string, Kept>();
  const sent: Asked[] = [];
  /** The ids that messages got. */
  const ids: { readonly to: string; readonly id: string }[] = [];
  const typing: Asked[] = [];
  const fetched: string[] = [];
  const uploads: { id: string; type: string; bytes: number }[] = [];
  /** Codes that the next messages are refused with. */
  const refusals: number[] = [];
  const closedTo = new Set<string>();
  let next = 1;

  const answer = (asked: Asked): PlatformAnswer => {
    if (asked.headers.authorization !== `Bearer ${ACCESS_TOKEN}`) return refused(190, 401);
    const [, version, place = "", edge] = asked.path.split("/");
    if (version === "files") return sendFile(place);
    if (asked.method === "GET") return describe(place);
    if (place !== PHONE) return refused(100);
    if (edge === "media") return keep(asked);
    return asked.body.status === "read" ? read(asked) : send(asked);
  };
  const sendFile = (id: string): PlatformAnswer => {
    fetched.push(id);
    const kept = files.get(id);
    return kept ? { status: 200, body: kept.bytes } : { status: 404, body: {} };
  };
  const describe = (id: string): PlatformAnswer => {
    const kept = files.get(id);
    if (!kept) return refused(100, 404);
    const { mime_type, bytes, claims } = kept;
    return {
      status: 200,
      body: { url: `${server.url}/files/${id}`, mime_type, file_size: claims ?? bytes.length },
    };
  };
  const keep = ({ body }: Asked): PlatformAnswer => {
    if (body.messaging_product !== "whatsapp" || !(body.file instanceof Blob)) return refused(131053);
    const id = `up-${next++}`;
    uploads.push({ id, type: body.type, bytes: body.file.size });
    return { status: 200, body: { id } };
  };
  const read = (asked: Asked): PlatformAnswer => {
    typing.push(asked);
    return { status: 200, body: { success: true } };
  };
  const send = (asked: Asked): PlatformAnswer => {
    const { body } = asked;
    const refusal = refusals.shift();
    if (refusal !== undefined) return refused(refusal);
    const to: string = body.to ?? body.recipient ?? "";
    if (closedTo.has(to)) return refused(131047);
    if (body.messaging_product !== "whatsapp" || to === "" || !isWhole(body, uploads)) return refused(100);
    sent.push(asked);
    const id = `wamid.out${next++}`;
    ids.push({ to, id });
    return { status: 200, body: { messaging_product: "whatsapp", messages: [{ id }] } };
  };

  const server = await servePlatform(answer);
  return {
    ...server,
    files,
    sent,
    typing,
    fetched,
    uploads,
    refusals,
    closedTo,
    /** Which messages a user received, in order. */
    idsTo: (user: string) => ids.filter(({ to }) => to === user),
    /** What a user received, in order. */
    textsTo: (to: string): string[] =>
      sent
        .filter(({ body }) => (body.to ?? body.recipient) === to)
        .map(({ body }) => body.text?.body ?? body.interactive?.body.text ?? `<${body.type}>`),
  };
}
export type Graph = Awaited<ReturnType<typeof startGraph>>;

// biome-ignore lint/suspicious/noExplicitAny: it is what came
function isWhole(body: any, uploads: readonly { id: string; type: string }[]): boolean {
  const { type } = body;
  if (type === "text") {
    const text = body.text.body;
    return text.length > 0 && text.length <= 4096 && text.isWellFormed();
  }
  if (type === "interactive") return isInteractive(body.interactive);
  if (type === "template") return body.template.name !== "" && body.template.language.code !== "";
  if (type === "location") return Math.abs(body.location.latitude) <= 90;
  if (type === "reaction") return body.reaction.message_id.startsWith("wamid.") && body.reaction.emoji !== "";
  const medium = body[type];
  if ((medium?.caption ?? "").length > 1024 || (type === "audio" && medium?.caption)) return false;
  const upload = uploads.find(({ id }) => id === medium?.id);
  if (type === "image" && upload) return ["image/jpeg", "image/png"].includes(upload.type);
  return upload !== undefined || medium?.link !== undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: it is what came
function isInteractive({ type, body, action }: any): boolean {
  if (body.text.length === 0 || body.text.length > 1024) return false;
  if (type === "button") {
    return (
      action.buttons.length <= 3 &&
      // biome-ignore lint/suspicious/noExplicitAny: it is what came
      action.buttons.every(({ reply }: any) => reply.title.length <= 20 && reply.id.length <= 256)
    );
  }
  // biome-ignore lint/suspicious/noExplicitAny: it is what came
  const rows = action.sections.flatMap((section: any) => section.rows);
  return (
    action.button.length <= 20 &&
    action.sections.length <= 10 &&
    rows.length <= 10 &&
    // biome-ignore lint/suspicious/noExplicitAny: it is what came
    new Set(rows.map(({ id }: any) => id)).size === rows.length &&
    // biome-ignore lint/suspicious/noExplicitAny: it is what came
    rows.every(({ title, description = "" }: any) => title.length <= 24 && description.length <= 72)
  );
}

let messages = 1;

/** A payload with one message; `from` may be left out for a user who hides the number. */
export function whatsappMessage(message: Readonly<Record<string, unknown>>, phone = PHONE) {
  const whole = {
    from: "15550199",
    id: `wamid.in${messages++}`,
    timestamp: String(Math.floor(Date.now() / 1000)),
    type: "text",
    ...message,
  };
  return whatsappPayload([[[whole]]], phone);
}

/** Entries of changes of messages. */
export const whatsappPayload = (entries: readonly (readonly (readonly unknown[])[])[], phone = PHONE) => ({
  object: "whatsapp_business_account",
  entry: entries.map((changes, i) => ({
    id: `9001${i}`,
    changes: changes.map((said) => ({
      field: "messages",
      value: {
        messaging_product: "whatsapp",
        metadata: { display_phone_number: "15550100", phone_number_id: phone },
        messages: said,
      },
    })),
  })),
});

export const signatureOf = (body: string, secret = APP_SECRET): string =>
  `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;

/** Posts a payload as the platform does, signed over its bytes. */
export function postWhatsapp(url: string, payload: unknown, headers: Readonly<Record<string, string>> = {}) {
  const body = typeof payload === "string" ? payload : JSON.stringify(payload);
  return fetch(`${url}/whatsapp/webhook`, {
    method: "POST",
    body,
    headers: { "content-type": "application/json", "x-hub-signature-256": signatureOf(body), ...headers },
  });
}
