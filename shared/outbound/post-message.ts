import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { type Address, checkedAddresses, pinnedTo } from "./checked-addresses.ts";
import { notPublicText, refusedAddress } from "./refused-address.ts";
import { retryAfterSeconds } from "./retry-after.ts";

/** For everything: name resolution, connection, request and the beginning of the answer. */
export const POST_TIMEOUT_MS = 10_000;
/** What is read of an answer; the rest stays unread, and the connection is closed. */
export const ANSWER_BYTES = 1_024;

export type Message = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** What became of a message. `refused`: it was not sent, because its address may not be called. */
export type Posted =
  | {
      readonly answered: true;
      readonly status: number;
      /** The beginning of the answer. */
      readonly text: string;
      readonly retryAfterSeconds: number | undefined;
    }
  | { readonly answered: false; readonly refused: boolean; readonly error: string };

/**
 * Sends a message to an address that a user named, by POST. The host's addresses are checked and the connection is made
 * to a checked one. No redirect is followed: an answer 3xx is an answer.
 *
 * @param allowedHosts  hosts, with their ports, that may be called although they are not public, and without TLS
 */
export async function postMessage(message: Message, allowedHosts: readonly string[]): Promise<Posted> {
  const refusal = refusedAddress(message.url, allowedHosts);
  if (refusal !== undefined) return { answered: false, refused: true, error: refusal };
  const url = new URL(message.url);
  const signal = AbortSignal.timeout(POST_TIMEOUT_MS);
  try {
    const checked = await withinTime(checkedAddresses(url, allowedHosts), signal);
    if ("refused" in checked) return refusalOf(checked.refused, url);
    const response = await send(url, message, checked.addresses, signal);
    const { statusCode = 0, headers } = response;
    return {
      answered: true,
      status: statusCode,
      text: await beginningOf(response),
      retryAfterSeconds: retryAfterSeconds(headers),
    };
  } catch (error) {
    return { answered: false, refused: false, error: textOf(error, url, signal) };
  }
}

/** A name that is unknown today may be known tomorrow; one that means this network is an attack or a mistake. */
const refusalOf = (why: "not_public" | "unknown_host", url: URL): Posted => ({
  answered: false,
  refused: why === "not_public",
  error: why === "not_public" ? notPublicText(url) : `there is no host ${url.host}`,
});

function send(
  url: URL,
  { headers, body }: Message,
  addresses: readonly Address[],
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method: "POST",
      lookup: pinnedTo(addresses),
      headers: {
        "user-agent": "agent-platform",
        accept: "*/*",
        "accept-encoding": "identity",
        "content-type": "application/json",
        "content-length": String(Buffer.byteLength(body)),
        ...headers,
      },
      agent: false,
      signal,
    });
    outgoing.on("response", resolve);
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** The first bytes of an answer. One that breaks off after its status is an answer all the same. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= ANSWER_BYTES) break;
    }
  } catch {
    // What has come is kept.
  }
  response.destroy();
  return Buffer.concat(chunks).subarray(0, ANSWER_BYTES).toString("utf8").toWellFormed();
}

const withinTime = <T>(promise: Promise<T>, signal: AbortSignal): Promise<T> =>
  Promise.race([
    promise,
    new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    }),
  ]);

/** @returns a text without anything of the address but its host */
function textOf(error: unknown, { host }: URL, signal: AbortSignal): string {
  if (signal.aborted) return `${host} took longer than ${POST_TIMEOUT_MS / 1000} s`;
  const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
  return `${host} could not be reached${code}`;
}
