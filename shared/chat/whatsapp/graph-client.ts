import * as v from "valibot";
import type { WhatsappSettings } from "../../settings/values/chats.ts";
import type { Sent } from "../chat-port.ts";

const Failure = v.looseObject({ error: v.looseObject({ code: v.number() }) });
const Accepted = v.looseObject({ messages: v.array(v.looseObject({ id: v.string() })) });
const Uploaded = v.looseObject({ id: v.string() });

/** Seconds until a retry, by error code. Every other code is final. */
const retrySeconds: Readonly<Record<number, number>> = {
  130429: 2,
  131056: 6,
  80007: 10,
  4: 10,
  1: 2,
  2: 2,
  131000: 2,
  131016: 5,
};
/** The window has closed, the person has no WhatsApp, our token is not valid: other messages would fail too. */
const unreachable = new Set([131047, 131026, 190]);

/** Our token is not valid. */
const TOKEN_REFUSED = 190;

const RETRY_SECONDS = 2;

export type GraphClient = {
  readonly post: (body: object) => Promise<Sent>;
  readonly upload: (file: Blob, filename: string) => Promise<Sent>;
  readonly get: (url: string, signal: AbortSignal) => Promise<Response>;
  readonly mediaUrl: (mediaId: string) => string;
};

/** The Graph API of one phone number. */
export function graphClient(
  { api_url, api_version, phone_number_id, media_timeout_seconds }: WhatsappSettings,
  accessToken: () => Promise<string>,
): GraphClient {
  const base = `${api_url}/${api_version}`;
  const authorizedFetch = async (url: string, init: RequestInit) =>
    fetch(url, {
      ...init,
      redirect: "error",
      headers: { ...init.headers, authorization: `Bearer ${await accessToken()}` },
    });
  const send = async (path: string, init: RequestInit, seconds: number): Promise<Sent> => {
    try {
      const signal = AbortSignal.timeout(seconds * 1000);
      return await sentFrom(
        await authorizedFetch(`${base}/${phone_number_id}/${path}`, { ...init, method: "POST", signal }),
      );
    } catch {
      return { sent: false, retry: { after_seconds: RETRY_SECONDS }, code: "no answer" };
    }
  };
  return {
    post: (body) => {
      const json = JSON.stringify({ messaging_product: "whatsapp", ...body });
      return send("messages", { body: json, headers: { "content-type": "application/json" } }, 15);
    },
    upload: (file, filename) => {
      const form = new FormData();
      form.set("messaging_product", "whatsapp");
      form.set("type", file.type);
      form.set("file", file, filename);
      return send("media", { body: form }, media_timeout_seconds);
    },
    get: (url, signal) => authorizedFetch(url, { signal }),
    mediaUrl: (mediaId) => `${base}/${encodeURIComponent(mediaId)}`,
  };
}

async function sentFrom(response: Response): Promise<Sent> {
  const body: unknown = await response.json().catch(() => undefined);
  if (response.ok) {
    if (v.is(Accepted, body)) return { sent: true, id: body.messages[0]?.id ?? "" };
    return { sent: true, id: v.is(Uploaded, body) ? body.id : "" };
  }
  const code = v.is(Failure, body) ? body.error.code : undefined;
  const wait =
    (code !== undefined && retrySeconds[code]) || (response.status >= 500 ? RETRY_SECONDS : undefined);
  return {
    sent: false,
    retry: wait === undefined ? "never" : { after_seconds: wait },
    code: String(code ?? response.status),
    ...(code !== undefined && unreachable.has(code) && { unreachable: true }),
    ...(code === TOKEN_REFUSED && { token_refused: true }),
  };
}
