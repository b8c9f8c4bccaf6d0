import type { IncomingHttpHeaders } from "node:http";
import { retryAfterSeconds } from "../../outbound/index.ts";
import { ContentFault } from "../content-fault.ts";

/** A server's error response that a retry would not change. */
export class FinalResponse extends ContentFault {
  readonly status: number;

  constructor(host: string, status: number) {
    super(`The address cannot be read: ${host} answered ${status}.`);
    this.status = status;
  }
}

/** A server's error response that is worth a retry. */
export class RetryableResponse extends Error {
  override readonly name = "PassingAnswer";
  readonly status: number;
  /** The server's `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;

  constructor(host: string, status: number, headers: IncomingHttpHeaders) {
    super(`${host} answered ${status}`);
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds(headers);
  }
}

const RETRYABLE = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Whether a retry may succeed. GitHub answers 403 when its rate limit is exceeded. */
export const isRetryable = (status: number, headers: IncomingHttpHeaders): boolean =>
  RETRYABLE.has(status) ||
  (status === 403 && (headers["retry-after"] !== undefined || headers["x-ratelimit-remaining"] === "0"));
