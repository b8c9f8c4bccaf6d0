import type { IncomingHttpHeaders } from "node:http";

/** A server's `Retry-After` in seconds: it is a number of them, or a date. */
export function retryAfterSeconds({ "retry-after": retryAfter }: IncomingHttpHeaders): number | undefined {
  if (retryAfter === undefined) return undefined;
  const seconds = /^\d+$/.test(retryAfter)
    ? Number(retryAfter)
    : (Date.parse(retryAfter) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}
