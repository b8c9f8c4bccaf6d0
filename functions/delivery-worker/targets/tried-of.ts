import type { Posted } from "../../../shared/outbound/sending.ts";
import type { Tried } from "./target-kind.ts";

const GONE = 410;

/** Only 2xx is an acceptance: a redirect is not followed, and says that the address is wrong. */
export function triedOf(posted: Posted): Tried {
  if (!posted.answered) {
    const { error, refused } = posted;
    return {
      result: { accepted: false, isFinal: refused },
      ...(refused && { reason: error }),
      attempt: { response_status: null, response: null, error },
    };
  }
  const { status, text, retryAfterSeconds } = posted;
  const accepted = status >= 200 && status < 300;
  const isRedirect = status >= 300 && status < 400;
  return {
    result: accepted ? { accepted } : { accepted, retryAfterSeconds },
    attempt: {
      response_status: status,
      response: text,
      error: isRedirect ? "redirects are not followed" : null,
    },
  };
}

/** The same try; one that the receiver answered with 410 is the last. */
export function lastIfGone(tried: Tried): Tried {
  return "attempt" in tried && tried.attempt.response_status === GONE
    ? { ...tried, result: { accepted: false, isFinal: true }, reason: `the receiver answered ${GONE}` }
    : tried;
}
