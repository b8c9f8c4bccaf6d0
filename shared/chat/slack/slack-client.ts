import * as v from "valibot";
import type { Clock } from "../../runtime/clock.ts";
import type { SlackSettings } from "../../settings/values/chats.ts";
import { callLimits } from "../call-limits.ts";
import type { Sent } from "../chat-port.ts";

const Answer = v.variant("ok", [
  v.looseObject({ ok: v.literal(true) }),
  v.looseObject({ ok: v.literal(false), error: v.optional(v.string(), "unknown_error") }),
]);
const Posted = v.looseObject({ ts: v.string() });

const RETRY_SECONDS = 2;
const TIMEOUT_SECONDS = 15;

/** Errors that pass by themselves. */
const transient = new Set([
  "internal_error",
  "fatal_error",
  "request_timeout",
  "service_unavailable",
  "team_added_to_org",
  "ratelimited",
  "rate_limited",
]);
/** The app's token is wrong, was withdrawn, or lacks a scope. */
const ofToken = new Set([
  "invalid_auth",
  "not_authed",
  "account_inactive",
  "token_revoked",
  "token_expired",
  "missing_scope",
  "no_permission",
  "not_allowed_token_type",
]);
/** The conversation cannot be written to any more. */
const ofPlace = new Set([
  "channel_not_found",
  "not_in_channel",
  "is_archived",
  "restricted_action",
  "thread_not_found",
  "cannot_reply_to_message",
  "messages_tab_disabled",
]);

export type Called =
  | { readonly ok: true; readonly result: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly error: string; readonly retry_after?: number };

export type SlackClient = {
  /** Calls a method of the Web API, once Slack takes calls of it; some read only forms. */
  readonly call: (method: string, body: object | URLSearchParams) => Promise<Called>;
  /** Before this the method may not be called; epoch milliseconds. */
  readonly blockedUntil: (method: string) => number;
  readonly download: (url: string, signal: AbortSignal) => Promise<Response>;
};

/**
 * The Web API of Slack. Its limits count for each method, over all conversations of the workspace.
 *
 * @source Slack, "Web API", "Rate limits"
 */
export function slackClient(
  { api_url }: Pick<SlackSettings, "api_url">,
  token: () => Promise<string>,
  clock: Clock,
): SlackClient {
  const limits = callLimits(clock);
  const authorization = async () => ({ authorization: `Bearer ${await token()}` });
  return {
    blockedUntil: limits.blockedUntil,
    call: async (method, body) => {
      const left = await limits.waitOut(method);
      if (left > 0) return { ok: false, error: "ratelimited", retry_after: left };
      const called = await callMethod(`${api_url}/${method}`, body, await authorization());
      if (!called.ok && called.retry_after !== undefined) limits.block(method, called.retry_after);
      return called;
    },
    download: async (url, signal) =>
      fetch(url, { signal, redirect: "error", headers: await authorization() }),
  };
}

async function callMethod(
  url: string,
  body: object | URLSearchParams,
  headers: Readonly<Record<string, string>>,
): Promise<Called> {
  const isForm = body instanceof URLSearchParams;
  try {
    const response = await fetch(url, {
      method: "POST",
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_SECONDS * 1000),
      body: isForm ? body : JSON.stringify(body),
      headers: isForm ? headers : { ...headers, "content-type": "application/json; charset=utf-8" },
    });
    if (response.status === 429) {
      const seconds = Number(response.headers.get("retry-after"));
      return { ok: false, error: "ratelimited", retry_after: seconds > 0 ? seconds : RETRY_SECONDS };
    }
    if (response.status >= 500) return { ok: false, error: "service_unavailable" };
    const answer = v.parse(Answer, await response.json());
    return answer.ok ? { ok: true, result: answer } : { ok: false, error: answer.error };
  } catch {
    return { ok: false, error: "service_unavailable" };
  }
}

/** The result of a call that sends a message. */
export function sentFrom(called: Called): Sent {
  if (called.ok) return { sent: true, id: v.is(Posted, called.result) ? called.result.ts : "" };
  const { error, retry_after } = called;
  const isTransient = retry_after !== undefined || transient.has(error);
  return {
    sent: false,
    retry: isTransient ? { after_seconds: retry_after ?? RETRY_SECONDS } : "never",
    code: error,
    ...((ofToken.has(error) || ofPlace.has(error)) && { unreachable: true }),
    ...(ofToken.has(error) && { token_refused: true }),
  };
}
