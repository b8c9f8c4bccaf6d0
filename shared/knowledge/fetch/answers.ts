import type { IncomingHttpHeaders } from "node:http";
import { ContentFault } from "../content-fault.ts";

/** An answer that will not be another one next time. */
export class RefusingAnswer extends ContentFault {
  readonly status: number;

  constructor(host: string, status: number) {
    super(`The address cannot be read: ${host} answered ${status}.`);
    this.status = status;
  }
}

/** An answer that may be another one later. */
export class PassingAnswer extends Error {
  override readonly name = "PassingAnswer";
  readonly status: number;
  /** When to ask again, as the server says. */
  readonly retryAfterSeconds: number | undefined;

  constructor(host: string, status: number, headers: IncomingHttpHeaders) {
    super(`${host} answered ${status}`);
    this.status = status;
    this.retryAfterSeconds = secondsOf(headers);
  }
}

const PASSING = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Whether an answer passes with time. GitHub says with 403 that it was asked too much. */
export const isPassing = (status: number, headers: IncomingHttpHeaders): boolean =>
  PASSING.has(status) ||
  (status === 403 && (headers["retry-after"] !== undefined || headers["x-ratelimit-remaining"] === "0"));

/** A number of seconds, or a date. */
function secondsOf({ "retry-after": said }: IncomingHttpHeaders): number | undefined {
  if (said === undefined) return undefined;
  const seconds = /^\d+$/.test(said) ? Number(said) : (Date.parse(said) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}
