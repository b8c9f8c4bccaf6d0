import * as v from "valibot";
import type { TelegramSettings } from "../../runtime/chat-settings.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Sent } from "../chat/chat-port.ts";

const Answer = v.variant("ok", [
  v.looseObject({ ok: v.literal(true), result: v.unknown() }),
  v.looseObject({
    ok: v.literal(false),
    error_code: v.number(),
    description: v.optional(v.string(), ""),
    parameters: v.optional(v.looseObject({ retry_after: v.optional(v.number()) })),
  }),
]);
const Message = v.looseObject({ message_id: v.number() });

const AFTER_SILENCE_SECONDS = 2;
const CALL_SECONDS = 15;

export type Called =
  | { readonly ok: true; readonly result: unknown }
  | {
      readonly ok: false;
      readonly status: number;
      readonly description: string;
      readonly retry_after?: number;
    };

export type BotClient = {
  readonly call: (method: string, body: object | FormData) => Promise<Called>;
  /** When nothing may be asked before; epoch milliseconds. */
  readonly blockedUntil: () => number;
  readonly download: (path: string, signal: AbortSignal) => Promise<Response>;
};

/** The Bot API. Its addresses hold the token, so no address is ever part of an error. */
export function botClient(
  { api_url }: Pick<TelegramSettings, "api_url">,
  token: () => Promise<string>,
  clock: Pick<Clock, "now">,
): BotClient {
  let blockedUntil = 0;
  return {
    blockedUntil: () => blockedUntil,
    call: async (method, body) => {
      const called = await callMethod(`${api_url}/bot${await token()}/${method}`, body);
      if (!called.ok && called.retry_after !== undefined) {
        blockedUntil = Math.max(blockedUntil, clock.now() + called.retry_after * 1000);
      }
      return called;
    },
    download: async (path, signal) =>
      fetch(`${api_url}/file/bot${await token()}/${path}`, { signal, redirect: "error" }),
  };
}

async function callMethod(url: string, body: object | FormData): Promise<Called> {
  const isForm = body instanceof FormData;
  try {
    const response = await fetch(url, {
      method: "POST",
      redirect: "error",
      signal: AbortSignal.timeout(CALL_SECONDS * 1000),
      ...(isForm
        ? { body }
        : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
    const answer = v.parse(Answer, await response.json());
    if (answer.ok) return { ok: true, result: answer.result };
    const { error_code: status, description, parameters } = answer;
    const retry_after = parameters?.retry_after ?? (status === 429 ? AFTER_SILENCE_SECONDS : undefined);
    return { ok: false, status, description, ...(retry_after !== undefined && { retry_after }) };
  } catch {
    return { ok: false, status: 0, description: "no answer" };
  }
}

/** What a call that sends a message came to. A bot that is blocked gets nothing through any more. */
export function sentFrom(called: Called): Sent {
  if (called.ok) {
    const id = v.is(Message, called.result) ? String(called.result.message_id) : "";
    return { sent: true, id };
  }
  const { status, retry_after } = called;
  const passes = retry_after !== undefined || status === 0 || status >= 500;
  return {
    sent: false,
    retry: passes ? { after_seconds: retry_after ?? AFTER_SILENCE_SECONDS } : "never",
    code: String(status),
    ...((status === 403 || status === 401) && { unreachable: true }),
  };
}
