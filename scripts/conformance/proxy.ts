import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { type Listening, serveOnLoopback } from "../../local/machine/listen-on-loopback.ts";
import { type KitVersion, steer } from "./steering.ts";

type Target = {
  /** Address of the tested component below the interface's prefix. */
  readonly root: string;
  readonly token: string;
  readonly version: KitVersion;
  /** Puts the relay of notifications in place of the kit's receiver. */
  readonly redirected: (body: string) => string;
};

/**
 * Serves one component as a server of its own, as the kits expect it: they send no credential, do not name the protocol
 * version in every request, and look for the card at the root of their address.
 */
export function startConformanceProxy(target: Target): Promise<Listening> {
  const server = createServer((incoming, answer) => {
    forward(incoming, answer, target).catch((error: Error) => answer.destroy(error));
  });
  return serveOnLoopback(server);
}

async function forward(incoming: IncomingMessage, answer: ServerResponse, target: Target): Promise<void> {
  const { method = "GET", url = "/", headers } = incoming;
  const body = target.redirected(steer(await text(incoming), target.version));
  const { "content-length": _length, "transfer-encoding": _encoding, ...forwarded } = headers;
  const sent = request(`${target.root}${url === "/" ? "" : url}`, {
    method,
    headers: {
      ...(target.version === "1.0" && { "a2a-version": "1.0" }),
      ...forwarded,
      host: new URL(target.root).host,
      authorization: `Bearer ${target.token}`,
      ...(body !== "" && { "content-length": Buffer.byteLength(body) }),
    },
  });
  answer.once("close", () => sent.destroy());
  sent.end(body);
  const [response]: IncomingMessage[] = await once(sent, "response");
  if (!response) return;
  const isCard = url.includes("/.well-known/");
  answer.writeHead(response.statusCode ?? 502, isCard ? withoutLength(response.headers) : response.headers);
  if (!isCard) response.pipe(answer);
  else answer.end((await text(response)).replaceAll(target.root, `http://${headers.host}`));
}

const withoutLength = ({ "content-length": _length, ...headers }: IncomingMessage["headers"]) => headers;
