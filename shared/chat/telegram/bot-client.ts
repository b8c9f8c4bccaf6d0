import * as v from "valibot";
import type { Clock } from "../../runtime/clock.ts";
import type { TelegramSettings } from "../../settings/values/chats.ts";
import { callLimits } from "../call-limits.ts";
import type { Sent } from "../chat-port.ts";

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

const RETRY_SECONDS = 2;
const TIMEOUT_SECONDS = 15;
/** Telegram limits a bot as a whole. */
const ALL_CALLS = "";

export type Called =
  | { readonly ok: true; readonly result: unknown }
  | {
      readonly ok: false;
      readonly status: number;
      readonly description: string;
      readonly retry_after?: number;
    };

export type BotClient = {
  /** Waits while Telegram takes no calls. */
  readonly call: (method: string, body: object | FormData) => Promise<Called>;
  /** No call may be made before; epoch milliseconds. */
  readonly blockedUntil: () => number;
  readonly download: (path: string, signal: AbortSignal) => Promise<Response>;
};

/** The Bot API. Its addresses contain the token, so no address may be part of an error. */
export function botClient(
  { api_url }: Pick<TelegramSettings, "api_url">,
  token: () => Promise<string>,
  clock: Clock,
): BotClient {
  const limits = callLimits(clock);
  return {
    blockedUntil: () => limits.blockedUntil(ALL_CALLS),
    call: async (method, body) => {
      const retry_after = await limits.waitOut(ALL_CALLS);
      if (retry_after > 0) return { ok: false, status: 429, description: "not asked", retry_after };
      const called = await callMethod(`${api_url}/bot${await token()}/${method}`, body);
      if (!called.ok && called.retry_after !== undefined) limits.block(ALL_CALLS, called.retry_after);
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
      signal: AbortSignal.timeout(TIMEOUT_SECONDS * 1000),
      ...(isForm
        ? { body }
        : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
    const answer = v.parse(Answer, await response.json());
    if (answer.ok) return { ok: true, result: answer.result };
    const { error_code: status, description, parameters } = answer;
    const retry_after = parameters?.retry_after ?? (status === 429 ? RETRY_SECONDS : undefined);
    return { ok: false, status, description, ...(retry_after !== undefined && { retry_after }) };
  } catch {
    return { ok: false, status: 0, description: "no answer" };
  }
}

/** The result of a call that sends a message. If the bot is blocked, later messages fail too. */
export function sentFrom(called: Called): Sent {
  if (called.ok) {
    const id = v.is(Message, called.result) ? String(called.result.message_id) : "";
    return { sent: true, id };
  }
  const { status, retry_after } = called;
  const isTransient = retry_after !== undefined || status === 0 || status >= 500;
  return {
    sent: false,
    retry: isTransient ? { after_seconds: retry_after ?? RETRY_SECONDS } : "never",
    code: String(status),
    ...((status === 403 || status === 401) && { unreachable: true }),
    ...(status === 401 && { token_refused: true }),
  };
}
