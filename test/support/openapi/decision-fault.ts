import type { Answered } from "./answer-fault.ts";
import type { AskedRequest } from "./asked-request.ts";
import type { Operation } from "./document.ts";
import { requestFault } from "./request-fault.ts";
import { unsaidAcceptances, unsaidRefusals } from "./undocumented-rules.ts";

/**
 * Where an answer and the description decide differently about a request: it is as described and refused as invalid, or
 * it is not and accepted. Undefined where they agree, and for what no schema can say.
 */
export async function decisionFault(
  operation: Operation & { readonly path: string },
  request: AskedRequest,
  { status, text }: Answered,
): Promise<string | undefined> {
  const isRefused = status === 400 || status === 422;
  if (!isRefused && status >= 300) return undefined;
  const fault = await requestFault(operation, request);
  if (isRefused && fault === undefined) {
    return isListed(unsaidRefusals, text) ? undefined : `as described, and refused: ${text.slice(0, 300)}`;
  }
  if (!isRefused && fault !== undefined && !isProtocolError(text)) {
    return isListed(unsaidAcceptances, fault) ? undefined : `not as described, and accepted: ${fault}`;
  }
  return undefined;
}

const isListed = (rules: typeof unsaidRefusals, text: string): boolean =>
  rules.some(([rule]) => rule.test(text));

/** JSON-RPC refuses with status 200. */
const isProtocolError = (text: string): boolean => /^\{"jsonrpc":"2\.0".*"error":/.test(text);
