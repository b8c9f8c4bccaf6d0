import { createServer, type IncomingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { serveOnLoopback } from "../../../local/machine/listen-on-loopback.ts";

export type WireReply = {
  readonly status?: number;
  readonly contentType: string;
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
};

export type WireRequest = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
};

export type WireServer = {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** What arrived, in order. */
  readonly requests: readonly WireRequest[];
};

/** A model service that gives the replies one after the other and keeps what it was asked. Closes with the test. */
export async function startWireServer(replies: readonly WireReply[]): Promise<WireServer> {
  const requests: WireRequest[] = [];
  const server = createServer(async (request, response) => {
    const body: Record<string, unknown> = JSON.parse(await text(request));
    const reply = replies[requests.length];
    requests.push({ path: request.url ?? "", headers: request.headers, body });
    if (!reply) throw new Error("the service was called more often than the test expects");
    response.writeHead(reply.status ?? 200, { "content-type": reply.contentType, ...reply.headers });
    response.end(reply.body);
  });
  const { address, stop } = await serveOnLoopback(server);
  onTestFinished(stop);
  return { url: address, requests };
}
