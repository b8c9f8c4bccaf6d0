import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { serveOnLoopback } from "../../local/machine/listen-on-loopback.ts";

/**
 * Receivers of push notifications of the kits: they listen at ports that are known only when a kit runs, and the platform sends
 * only to hosts that it was started with. So it sends to the relay, which sends to the kit.
 */
export async function startWebhookRelay() {
  const server = createServer(async (incoming, answer) => {
    const { "content-length": _length, host: _host, connection: _connection, ...headers } = incoming.headers;
    const [, port = "", path = ""] = /^\/(\d+)(\/.*)$/.exec(incoming.url ?? "") ?? [];
    const sent = { method: "POST", headers: headers as Record<string, string>, body: await text(incoming) }; // none is repeated
    const { status } = await fetch(`http://127.0.0.1:${port}${path}`, sent).catch(() => ({ status: 502 }));
    answer.writeHead(status).end();
  });
  const { address, stop } = await serveOnLoopback(server);
  return {
    /** As FETCH_ALLOWED_HOSTS names it. */
    host: new URL(address).host,
    /** A request of a kit, with the relay in place of its receiver. */
    redirected: (body: string): string => redirectedTo(address, body),
    stop,
  };
}

/** @param address  of the relay */
export const redirectedTo = (address: string, body: string): string =>
  body.replaceAll(/"http:\/\/(?:localhost|127\.0\.0\.1):(\d+)(\/webhook)"/g, `"${address}/$1$2"`);
