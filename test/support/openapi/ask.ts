import type { Answered } from "./answer-fault.ts";
import type { AskedRequest } from "./asked-request.ts";

/** Longer than anything that is waited for here. */
const PATIENCE_MS = 40_000;

/** Sends a request with a credential; without one where it is undefined. */
export async function ask(
  url: string,
  token: string | undefined,
  { method, path, headers, body }: AskedRequest,
): Promise<Answered> {
  const response = await fetch(url + path, {
    method,
    redirect: "manual",
    headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers },
    ...(body !== undefined && method !== "GET" && { body }),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const text = await response.text();
  return { status: response.status, type: response.headers.get("content-type") ?? "", text };
}
