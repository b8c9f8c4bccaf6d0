import { type IncomingMessage, type OutgoingHttpHeaders, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { type Address, checkedAddresses, pinnedTo } from "./checked-addresses.ts";
import { notPublicText, refusedAddress } from "./refused-address.ts";

/** An address that may not be called. The message is public: it names the host and the setting. */
export class AddressRefused extends Error {
  override readonly name = "AddressRefused";
}

/** Most that is read of one answer; a stream that is longer breaks off. */
const MAX_ANSWER_BYTES = 50_000_000;

/**
 * `fetch` for services that a declaration or another service names: the host is resolved once, all its addresses are checked,
 * and the connection is made to a checked one. No redirect is followed: an answer 3xx is an answer. The body streams, and
 * nothing limits how long but the signal of the request.
 *
 * @param allowedHosts  hosts, with their ports, that may be called although they are not public, and without TLS
 */
export function guardedCalls(allowedHosts: readonly string[]): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const refusal = refusedAddress(request.url, allowedHosts);
    if (refusal !== undefined) throw new AddressRefused(refusal);
    const url = new URL(request.url);
    const checked = await checkedAddresses(url, allowedHosts);
    request.signal.throwIfAborted();
    if ("refused" in checked) {
      throw checked.refused === "not_public"
        ? new AddressRefused(notPublicText(url))
        : new TypeError(`there is no host ${url.host}`);
    }
    const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer());
    return responseOf(await send(url, request, body, checked.addresses));
  };
}

function send(
  url: URL,
  { method, headers, signal }: Request,
  body: Buffer | undefined,
  addresses: readonly Address[],
): Promise<IncomingMessage> {
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  const sent: OutgoingHttpHeaders = {
    "user-agent": "agent-platform",
    ...Object.fromEntries(headers),
    "accept-encoding": "identity",
    ...(body && { "content-length": body.byteLength }),
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method,
      lookup: pinnedTo(addresses),
      headers: sent,
      agent: false,
      signal,
    });
    outgoing.on("response", resolve);
    outgoing.on("error", (error) => reject(signal.aborted ? signal.reason : error));
    outgoing.end(body);
  });
}

/** Statuses to which the Fetch standard allows no body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

function responseOf(incoming: IncomingMessage): Response {
  const { statusCode = 502, statusMessage = "" } = incoming;
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (typeof value === "string") headers.set(name, value);
  }
  if (WITHOUT_BODY.has(statusCode)) incoming.resume();
  const body = WITHOUT_BODY.has(statusCode) ? null : ReadableStream.from(limited(incoming));
  return new Response(body, { status: statusCode, statusText: statusMessage, headers });
}

async function* limited(incoming: IncomingMessage): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw new Error(`the answer holds more than ${MAX_ANSWER_BYTES} bytes`);
    yield new Uint8Array(chunk);
  }
}
