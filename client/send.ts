import type { CallOptions, ClientOptions } from "./client-options.ts";
import { newId } from "./new-id.ts";
import { pauseBefore, sleep } from "./pauses.ts";
import { PlatformError } from "./platform-error.ts";
import {
  encodedRequest,
  type Fields,
  type Input,
  isInBackground,
  type OperationName,
  operationOf,
  startOf,
} from "./request.ts";

const RETRIES = 2;
export const IDEMPOTENCY_KEY = "idempotency-key";

/**
 * Sends the request of an operation, again where `ClientOptions.retries` allows it.
 *
 * @param more  for `fetch` alone, such as `keepalive`
 * @throws PlatformError for an answer with an error status; what `fetch` throws where there is no answer
 */
export async function send(
  client: ClientOptions,
  name: OperationName,
  input: Input,
  { signal, headers }: CallOptions,
  more: RequestInit = {},
): Promise<Response> {
  const retries = retriesOf(client);
  const sent = new Headers(headers);
  const isKeyed = startOf(name)?.verb === "create" && isInBackground(input);
  if (isKeyed && retries > 0 && !sent.has(IDEMPOTENCY_KEY)) sent.set(IDEMPOTENCY_KEY, newId());
  const { url, body } = encodedRequest(client.baseUrl, name, input);
  if (typeof body === "string") sent.set("content-type", "application/json");
  const request: RequestInit = {
    ...more,
    method: operationOf(name).method,
    ...(body !== undefined && { body }),
    ...(signal && { signal }),
  };
  const isRepeatable =
    request.method === "GET" ||
    name.startsWith("resume") ||
    (isKeyed && sent.has(IDEMPOTENCY_KEY)) ||
    isMessageWithId(name, input);
  const mayRepeat = isRepeatable ? mayPassSoon : isLimit;
  return repeated(() => sendAuthorized(client, url, request, sent), { retries, mayRepeat, signal });
}

/** The same message again changes nothing. */
const isMessageWithId = (name: OperationName, { body }: Input): boolean =>
  /^send(Agent|Team|Workflow)Message$/.test(name) && (body as Fields | undefined)?.message_id !== undefined;

/** How often a request of a client is sent again. */
export const retriesOf = ({ retries = RETRIES }: ClientOptions): number => (retries === false ? 0 : retries);

type Repeating = {
  readonly retries: number;
  /** Whether an error may pass, and a second time would change nothing. */
  readonly mayRepeat: (error: unknown) => boolean;
  readonly signal?: AbortSignal | undefined;
};

/** Does something, and again while it fails in a way that may pass. @throws the error of the last time */
export async function repeated<T>(
  attempt: () => Promise<T>,
  { retries, mayRepeat, signal }: Repeating,
): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (failures > retries || signal?.aborted || !mayRepeat(error)) throw error;
      const pause = pauseBefore(failures, error instanceof PlatformError ? error.retryAfter : undefined);
      if (pause === undefined) throw error;
      await sleep(pause, signal);
    }
  }
}

/** The platform answers it before it has accepted anything, and so do the limits of AWS before it. */
const isLimit = (error: unknown): boolean => error instanceof PlatformError && error.status === 429;

/** No answer, a limit, or an outage; a queue that is switched off stays so. */
export const mayPassSoon = (error: unknown): boolean =>
  error instanceof PlatformError
    ? isLimit(error) || (error.status === 503 && error.code !== "QUEUE_DISABLED")
    : !(error instanceof SyntaxError);

/** Sends a request with the client's credential, and once more with another one where the first was refused. */
async function sendAuthorized(
  { token, fetch: request = fetch }: ClientOptions,
  url: string,
  init: RequestInit,
  headers: Headers,
): Promise<Response> {
  const asked = typeof token === "function" ? token : undefined;
  const sendWith = (credential: string | undefined) => {
    const own = new Headers(headers);
    if (credential !== undefined && !own.has("authorization"))
      own.set("authorization", `Bearer ${credential}`);
    return request(url, { ...init, headers: own });
  };
  const credential = asked ? await asked() : (token as string | undefined);
  let response = await sendWith(credential);
  if (response.status === 401 && asked) {
    const renewed = await asked();
    if (renewed && renewed !== credential) {
      await response.body?.cancel();
      response = await sendWith(renewed);
    }
  }
  if (!response.ok) throw await PlatformError.of(response);
  return response;
}
